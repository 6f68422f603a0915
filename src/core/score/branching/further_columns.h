// FurtherColumns: what few more parents can explain at most, for many columns at once.
//
// Where columns are many, any few rows differ in some of them, and the log-likelihood given all of
// them bounds nothing. But a set has few parents: each doubles the penalty. Let P be I, a column u
// and `more` of the columns behind it. In a configuration c of I and u, each column w behind moves
// the rows out that do not show the value that it has most often there; those that all of them
// leave are in one configuration of P. So that one has of each level of the child at least
//     left_k(c) = n_k(c) - the `more` largest of moved_k(c, w) in sum,
// and, as counts add to a loss whatever they are, LL(v given P) <= sum over c of LL(left(c)).
//
// Cost: the values other than a column's commonest in the cells of the table; then for every column
// the joint configurations of I and it, as often as `more` has values that the penalty allows.
#pragma once

#include "core/score/branching/cell_table.h"
#include "core/score/local_score.h"

#include <vector>

namespace optbn {

class FurtherColumns {
public:
  // Where a search stands: the columns before `place` have been decided on, `size` of them are in.
  struct State {
    std::size_t place = 0;
    unsigned size = 0;
    double cells = 1; // joint levels of those that are in
  };
  // Of a column: can I and it be a set that is needed, and can they with others behind it?
  struct Outlook {
    bool alone = false, with_more = false;
  };

  // The sets in question have `least` to `most` columns. A score with a regret of cells, whose
  // child the tables are of. All must outlive this object.
  FurtherColumns(const Dataset &rows, const CellTables &tables, const LocalScore &score, Node child,
                 unsigned least, unsigned most);

  // How many counts a table takes where the columns from a place on are examined.
  double counts(const CellTable &table, std::size_t place) const {
    return static_cast<double>((first_.back() - first_[place]) * levels_) * table.configurations;
  }
  // The columns from the state's place on, given the table there. `beat`, by place: what the score
  // of a set of I and that column, and more, has to exceed.
  const std::vector<Outlook> &examine(const CellTable &table, const State &state,
                                      const std::vector<double> &beat);
  // What the last one took, in cells of tables looked at.
  double work() const { return work_; }

private:
  void list_uncommon();
  void count(const CellTable &table, const State &state);
  void take_values(std::size_t place);
  bool with_more(const State &state, std::size_t place, double beat);
  double log_likelihood_left(unsigned values);
  void take_moved(std::size_t place);
  double regret(double cells) const;

  const Dataset &rows_;
  const CellTables &tables_;
  const LocalScore &score_;
  const Node child_;
  const unsigned least_, most_, levels_;
  const std::vector<std::vector<double>> fewest_; // as of CellTables::fewest_levels()

  // Of each place: its column's commonest value, and where the counts of its other values begin.
  std::vector<unsigned> commonest_;
  std::vector<std::size_t> first_;
  // Of each row: which of these it shows, ascending. Those of row i: [begin_[i], begin_[i + 1]).
  std::vector<std::uint32_t> uncommon_;
  std::vector<std::size_t> begin_;

  // Of the table that is examined.
  std::size_t configurations_ = 0;
  std::vector<std::uint32_t> total_; // by configuration and level of the child
  std::vector<std::uint32_t> count_; // by configuration, value and level
  std::vector<std::uint32_t> value_; // of one column, by configuration, value and level
  std::vector<std::uint32_t> moved_; // the largest, by configuration, level and rank
  std::vector<std::uint32_t> sum_;   // of some of these, by configuration and level
  std::vector<std::uint32_t> left_;
  std::size_t from_ = 0, width_ = 0; // the counts of a configuration begin there, and are so many
  std::vector<Outlook> outlook_;
  double work_ = 0;
};

} // namespace optbn
