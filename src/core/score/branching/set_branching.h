// SetBranching: the parent sets of a node that may be worth keeping, however many parents they
// have.
//
// Level by level there are too many sets from some number of parents on (enumeration.h). But few of
// them can score: a table explains no more than any finer one. For all sets P with I ⊆ P ⊆ I + F,
//     score(v given P)  <=  LL(v given I + F) - regret(P),
// LL the maximal log-likelihood and regret(P) the least by which it exceeds the score of any such
// set (LocalScore::least_regret). None of them is needed where that is at most the score of a set
// inside I. Otherwise they are branched on: the next column of F joins I, which leaves LL as it is
// and raises the regret, or it is left out, which merges cells of the table, so that LL falls.
// Columns that tell much about v, or have many values, come first: without them LL is low.
//
// Among many columns I + F tells all rows apart, and LL is 0. There the penalty bounds how many
// columns of F can follow, and those few move few rows: further_columns.h says which columns need
// not join I, and they are passed over together.
//
// Cost: the occupied cells of the table at each step, far fewer than rows once a few columns are
// left out; that is what `work` counts. Searches are independent: one object serves any threads.
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
    std::vector<Node> required, optional; // both ascending: parents that must be, and that may be
    unsigned least = 0, most = 0;         // how many parents
    double slack = 0;                     // what a set may score less than its best subset
    const CandidateSets *known = nullptr; // sets that have been scored
    double work = 0;                      // no more than about this
    // Among so many columns it is worked out for all at once what few can add, until few are left.
    std::size_t wide = 48, few = 8;
  };
  struct Result {
    bool complete = false;               // false when the work was spent or the watch stopped
    double work = 0;                     // that was done
    std::vector<std::vector<Node>> sets; // ascending; no other set of such a size is needed
  };

  // The data must be discrete; both must outlive this object. score.regret() is known.
  SetBranching(const Dataset &data, const LocalScore &score);

  // What a search takes before its first step, for each row.
  static double least_cells_per_row(Node nodes) { return 2.0 * nodes + 1; }
  // What a search takes at most, about.
  static double bytes(const Dataset &data);
  std::size_t rows() const { return rows_.rows; } // that differ

  Result search(const Task &task, Watch &watch) const;

private:
  class Tree;

  const Dataset rows_; // distinct ones
  const LocalScore &score_;
  const NLogN n_log_n_;
};

} // namespace optbn
