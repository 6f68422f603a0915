// CellTable: the contingency table of a child in a search over its parent sets.
//
// The search orders the columns. Those before some position have been decided on: the ones that are
// included make up the set I, the others are left out. A cell of the table is a configuration of I
// together with one of the columns from that position on. The latter is represented by any row that
// has it, so that two steps lead from the full table to every other: a column is added to I;
// columns are marginalised, which merges cells that differ only in them.
//
// Rows are ordered by the last column, then the one before it, and so on, and cells by their rows.
// So the cells with the same configuration of the columns from any position on are neighbours, and
// to marginalise the columns before it is to merge, within each such run, cells of the same
// configuration of I.
#pragma once

#include "core/base/n_log_n.h"
#include "core/data/dataset.h"

#include <cstdint>
#include <vector>

namespace optbn {

struct CellTable {
  struct Cell {
    std::uint32_t configuration, row;
  };
  std::vector<Cell> cell;
  std::vector<std::uint32_t> count; // of each level of the child, cell by cell
  std::uint32_t configurations = 1; // of I that occur
  double log_likelihood = 0;        // of the child given the cells

  std::size_t size() const { return cell.size(); }
};

// These steps, for one child and one order of columns. Not thread-safe.
class CellTables {
public:
  // Distinct rows of discrete data, with weights; they and the logarithms must outlive this object.
  CellTables(const Dataset &rows, const NLogN &n_log_n, Node child, std::vector<Node> order);

  std::size_t positions() const { return order_.size(); }
  Node node(std::size_t position) const { return order_[position]; }
  const Column &column(std::size_t position) const { return rows_.columns[order_[position]]; }
  unsigned child_levels() const { return levels_; }

  // [position][k], k up to `most`: joint levels of those k columns from a position on that have the
  // fewest.
  std::vector<std::vector<double>> fewest_levels(std::size_t most) const;

  CellTable full();
  // Marginalises all columns before this position that are not in I.
  void marginalise(CellTable &table, std::size_t position);
  // Marginalises all columns that are not in I.
  CellTable configurations(const CellTable &table) const;
  // From a table of the columns from position `from` on: marginalises those before position `to`
  // and adds that one to I. Without `pure`, drops configurations in which the child has only one
  // level: they add nothing to any log-likelihood.
  CellTable extended(const CellTable &table, std::size_t from, std::size_t to, bool pure);

  // Of the child in one configuration, from the counts of its levels.
  double log_likelihood(const std::uint32_t *count) const {
    double sum = 0;
    std::uint32_t all = 0;
    for (unsigned k = 0; k < levels_; ++k) {
      sum += n_log_n_(count[k]);
      all += count[k];
    }
    return sum - n_log_n_(all);
  }

private:
  void rank_suffixes();
  void merge(CellTable &table, std::size_t position);
  void set_log_likelihood(CellTable &table) const;

  const Dataset &rows_;
  const NLogN &n_log_n_;
  const Node child_;
  const std::vector<Node> order_;
  const unsigned levels_;
  // [position][row]: the rank of the row's configuration of the columns from that position on.
  std::vector<std::vector<std::uint32_t>> suffix_;
  std::vector<std::uint32_t> end_; // by configuration of I: the end of its cell, when merging
};

} // namespace optbn
