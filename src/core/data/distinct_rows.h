// Distinct rows, in the forms in which they are counted.
//
// Identical rows are one row with a weight. Rows are sorted by the column with the lowest entropy,
// then by the next, and so on: this is the rank of a column. So the rows that differ only in columns
// from some rank on are neighbours; and because the first columns have low entropy, there are far
// fewer configurations of them than rows.
#pragma once

#include "core/data/dataset.h"

#include <cstdint>
#include <vector>

namespace optbn {

// The discrete columns alone, identical rows merged into one with the sum of their weights, sorted.
// Continuous columns are left empty.
Dataset distinct_rows(const Dataset &data);

// One bit map per level of every column with few levels. A row of weight w has w adjacent bits.
class BitColumns {
public:
  static constexpr unsigned kMaxLevels = 16;

  // Where weights are large nothing is packed: then counting rows is cheaper than counting bits.
  explicit BitColumns(const Dataset &data);

  bool packed(Node column) const { return !maps_[column].empty(); }
  const std::uint64_t *map(Node column, unsigned level) const {
    return maps_[column].data() + level * words_;
  }
  std::size_t words() const { return words_; }                         // 0 when nothing is packed
  const std::vector<std::uint32_t> &row_of() const { return row_of_; } // of every bit

private:
  std::size_t words_ = 0;
  std::vector<std::vector<std::uint64_t>> maps_;
  std::vector<std::uint32_t> row_of_;
};

// The ranks of columns, and where neighbours differ.
class RowOrder {
public:
  explicit RowOrder(const Dataset &distinct);

  unsigned rank(Node column) const { return rank_[column]; }
  // With the row before it: how many columns, from the first rank on, have the same values.
  const std::vector<std::uint32_t> &shared() const { return shared_; }
  // How many configurations of the columns of lower rank there are.
  std::size_t configurations_below(unsigned rank) const { return configurations_[rank]; }

private:
  std::vector<unsigned> rank_; // by column
  std::vector<std::uint32_t> shared_;
  std::vector<std::size_t> configurations_;
};

struct DistinctRows {
  explicit DistinctRows(const Dataset &data) : rows(distinct_rows(data)), bits(rows), order(rows) {}

  Dataset rows;
  BitColumns bits;
  RowOrder order;
};

} // namespace optbn
