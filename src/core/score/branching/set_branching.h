// SetBranching: branch and bound for the candidate parent sets of a node with any number of
// parents.
//
// From some number of parents on, a level has too many sets to enumerate (enumeration.h). But few
// of them score well: a table explains no more than any finer one. For all sets P with I ⊆ P ⊆ I +
// F,
//     score(v given P)  <=  LL(v given I + F) - regret(P),
// LL the maximal log-likelihood and regret(P) the least by which it exceeds the score of any such
// set (LocalScore::least_regret). None of them is needed if that is at most the score of a subset
// of I. Otherwise the search branches: the next column of F is added to I, which leaves LL as it is
// and raises the regret, or it is left out, which merges cells of the table, so that LL falls.
// Columns that are informative about v, or have many values, come first: without them LL is low.
//
// With many columns all rows differ in I + F, and LL is 0. Then the penalty bounds how many columns
// of F can be added, and those few move few rows: further_columns.h says which columns need not be
// added to I, and the search skips them together.
//
// A search can be continued: where it was follows from the position that it reached with each
// number of parents, from which its tables are made again.
//
// Cost: the occupied cells of the table at each step, far fewer than rows once a few columns are
// left out; `work` counts them. Searches are independent: threads may share one object.
#pragma once

#include "core/base/host.h"
#include "core/base/n_log_n.h"
#include "core/data/dataset.h"
#include "core/score/local_score.h"
#include "core/score/parent_sets.h"

#include <vector>

namespace optbn {

class SetBranching {
public:
  struct Task {
    Node child = 0;
    std::vector<Node> required, optional; // ascending: parents of every set, parents of some
    unsigned least = 0, most = 0;         // how many parents
    double slack = 0;                     // how much less than its best subset a set may score
    const CandidateSets *known = nullptr; // sets that have been scored
    double work = 0;                      // limit of a call's new steps, about
    // From `wide` columns on, further columns are examined together, until `few` are left.
    std::size_t wide = 48, few = 8;
  };
  // Of a search so far, which can be continued: sets of fewer parents and those that are known may
  // be more then.
  struct Result {
    bool complete = false; // false at the limit of work or when the watch stopped
    double work = 0;       // done
    double explored = 0;   // share of the search, see expected_work()
    std::vector<std::vector<Node>>
        sets;                      // ascending; if complete, no other of these sizes is needed
    std::vector<std::size_t> open; // by parents: the position that was reached

    // Of the whole search, about; infinite at the beginning.
    double expected_work() const;
  };

  // The data must be discrete; both must outlive this object. score.regret() is known.
  SetBranching(const Dataset &data, const LocalScore &score);

  // The work before the first step, per row.
  static double least_cells_per_row(Node nodes) { return 2.0 * nodes + 1; }
  // The memory that a search takes at most, about.
  static double bytes(const Dataset &data);
  std::size_t rows() const { return rows_.rows; } // of distinct rows

  // Continues a search, or begins one.
  void search(const Task &task, Result &result, Watch &watch) const;

private:
  class Search;

  const Dataset rows_; // of distinct rows
  const LocalScore &score_;
  const NLogN n_log_n_;
};

} // namespace optbn
