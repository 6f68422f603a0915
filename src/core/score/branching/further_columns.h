// FurtherColumns: an upper bound on what few more parents can explain, for many columns at once.
//
// With many columns any two rows differ in some of them, and the log-likelihood given all of them
// bounds nothing. But a set has few parents: each doubles the penalty. Let P be I, a column u and
// `more` of the columns after it. In a configuration c of I and u, each later column w moves out
// the rows that do not have its most frequent value there; the rows that no column moves out are in
// one configuration of P. So that configuration has of each level of the child at least
//     left_k(c) = n_k(c) - the `more` largest of moved_k(c, w) in sum,
// and, as counts add to a loss whatever they are, LL(v given P) <= sum over c of LL(left(c)).
//
// Cost: the values other than a column's commonest in the cells of the table; then for every column
// the joint configurations of I and it, once for every value of `more` that the penalty allows.
#pragma once

#include "core/score/branching/cell_table.h"
#include "core/score/local_score.h"

#include <vector>

namespace optbn {

class FurtherColumns {
public:
  // State of the search: the columns before `position` have been decided on, `size` of them are in
  // I.
  struct State {
    std::size_t position = 0;
    unsigned size = 0;
    double cells = 1; // joint levels of I
  };
  // Can I and a column be a candidate parent set, and can they with later columns?
  struct Promising {
    bool alone = false, with_more = false;
  };

  // For sets of `least` to `most` columns, a score with a regret of cells, and the tables of
  // `child`. All must outlive this object.
  FurtherColumns(const Dataset &rows, const CellTables &tables, const LocalScore &score, Node child,
                 unsigned least, unsigned most);

  // How many counts it takes to examine the columns of a table from a position on.
  double counts(const CellTable &table, std::size_t position) const {
    return static_cast<double>((first_.back() - first_[position]) * levels_) * table.configurations;
  }
  // Examines the columns from the state's position on, given the table there. `threshold`, by
  // position: the score that a set of I, that column and more must exceed.
  const std::vector<Promising> &examine(const CellTable &table, const State &state,
                                        const std::vector<double> &threshold);
  // The cost of the last examination, in cells of tables.
  double work() const { return work_; }

private:
  void list_uncommon();
  void count(const CellTable &table, const State &state);
  void load_values(std::size_t position);
  bool with_more(const State &state, std::size_t position, double threshold);
  double remaining_log_likelihood(unsigned values);
  void add_moved(std::size_t position);
  double regret(double cells) const;

  const Dataset &rows_;
  const CellTables &tables_;
  const LocalScore &score_;
  const Node child_;
  const unsigned least_, most_, levels_;
  const std::vector<std::vector<double>> fewest_; // as of CellTables::fewest_levels()

  // By position: the column's commonest value, and where the counts of its other values begin.
  std::vector<unsigned> commonest_;
  std::vector<std::size_t> first_;
  // By row: which of these values it has, ascending. Those of row i: [begin_[i], begin_[i + 1]).
  std::vector<std::uint32_t> uncommon_;
  std::vector<std::size_t> begin_;

  // Of the table that is examined.
  std::size_t configurations_ = 0;
  std::vector<std::uint32_t> total_; // by configuration and level of the child
  std::vector<std::uint32_t> count_; // by configuration, value and level
  std::vector<std::uint32_t> value_; // of one column, by configuration, value and level
  std::vector<std::uint32_t> moved_; // the largest, by configuration, level and rank
  std::vector<std::uint32_t> sum_;   // sums of some of these, by configuration and level
  std::vector<std::uint32_t> remaining_;
  std::size_t from_ = 0, width_ = 0; // first count, and number of counts, of a configuration
  std::vector<Promising> promising_;
  double work_ = 0;
};

} // namespace optbn
