// CellTable: how a child is distributed, as a search over sets of its parents sees the rows.
//
// The columns stand in an order of the search's own. Those before some place have been decided on:
// the ones that are in make up the set I, the others are left out. A cell of the table is a
// configuration of I together with one of the columns from that place on. Any row that shows it
// stands for the latter, so that two steps lead from the whole table to every other: a column joins
// I; columns are left out, and cells that differ in them alone become one.
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

// The steps, for one child and one order of columns. Not thread-safe.
class CellTables {
public:
  // Distinct rows of discrete data, with weights; they and the logarithms must outlive this object.
  CellTables(const Dataset &rows, const NLogN &n_log_n, Node child, std::vector<Node> order);

  std::size_t places() const { return order_.size(); }
  Node node(std::size_t place) const { return order_[place]; }
  const Column &column(std::size_t place) const { return rows_.columns[order_[place]]; }
  unsigned child_levels() const { return levels_; }

  // [place][k], k up to `most`: joint levels of those k columns from a place on that have the
  // fewest.
  std::vector<std::vector<double>> fewest_levels(std::size_t most) const;

  CellTable whole();
  // All columns before this place that are not in are left out.
  void leave_out(CellTable &table, std::size_t place);
  // Of a table of the columns from the place `from` on: those before the place `to` are left out,
  // and that one joins I. Without `pure` no configuration is kept in which the child has one level:
  // such a one adds nothing to any log-likelihood.
  CellTable joined(const CellTable &table, std::size_t from, std::size_t to, bool pure);

  // Of the child in one configuration, so many times each level.
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
  // Open addressing over the cells of the table in the making; a stamp tells whose slot it is.
  struct Slot {
    std::uint64_t cell = 0;
    std::uint32_t number = 0, stamp = 0;
  };

  void number_rest();
  void merge(CellTable &table, std::size_t place);
  void measure(CellTable &table) const;
  void begin_slots(std::size_t cells);
  Slot &slot_of(std::uint64_t cell);

  const Dataset &rows_;
  const NLogN &n_log_n_;
  const Node child_;
  const std::vector<Node> order_;
  const unsigned levels_;
  // [place][row]: the number of the row's configuration of the columns from that place on.
  std::vector<std::vector<std::uint32_t>> rest_;
  std::vector<Slot> slots_;
  std::uint32_t stamp_ = 0;
  unsigned shift_ = 60;
};

} // namespace optbn
