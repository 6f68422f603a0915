// ExtensionCounter: the contingency tables of one family with every further column in turn.
//
// Greedy search scores (v, P + u) for hundreds of columns u and one (v, P). So the rows are grouped
// once by the joint cells of P and v; each u then only splits those cells, in the cheapest of three
// ways:
//   bits   one bit map of the rows per joint cell, intersected with those of u's levels and
//          counted: best while cells are few;
//   rows   the rows in which u is not at its commonest level are tallied one by one: best for
//          sparse columns and where cells are many;
//   blocks all rows are tallied by the joint level of u and the columns next to it, and the table
//          is then summed for each of these: best where rows are many times the cells.
// Except in a block, one level of u is never counted, as the counts of the cell's levels add up.
//
// Unlike CellCounts (counting.h) a table includes empty cells, so it is for cells that are not many
// more than the rows. A counter belongs to one thread; the rows are shared read-only.
#pragma once

#include "core/data/distinct_rows.h"

#include <cstdint>
#include <vector>

namespace optbn {

// Distinct rows in the forms that this counting needs.
struct CountedRows : DistinctRows {
  // The rows where a column is not at its commonest level.
  struct Uncommon {
    std::uint16_t commonest = 0;
    std::vector<std::uint32_t> row;
    std::vector<std::uint16_t> code;
  };

  // Adjacent columns and their joint level, whose first digit is that of the first column.
  struct Block {
    std::vector<Node> columns;
    std::size_t levels = 1; // of the joint level
    std::vector<std::uint8_t> code;
  };

  explicit CountedRows(const Dataset &data);

  std::vector<Uncommon> uncommon; // per column; none for a continuous one
  std::vector<Block> blocks;
  std::vector<std::uint32_t> block_of; // per column; kNoBlock for one with too many levels
  static constexpr std::uint32_t kNoBlock = UINT32_MAX;

private:
  void add_blocks();
};

class ExtensionCounter {
public:
  explicit ExtensionCounter(const CountedRows &data) : data_(data) {}

  // Groups the rows; `child` and the parents are discrete. False if there are too many cells.
  bool group(Node child, const Node *parents, unsigned size);

  // Occupied cells of the parents.
  std::size_t cells() const { return cells_; }

  // Counts of u's levels: that of level c, with the child at level k, in cell i has the index
  // (i * levels(child) + k) * levels(u) + c. Valid until the next call. Null if there are too many
  // cells.
  const std::uint32_t *count(Node u);

private:
  std::size_t joint_cells() const { return cells_ * child_levels_; }
  bool too_many(double cells) const;
  void split(const Column &column);
  std::size_t words(Node u) const;
  bool by_bits(Node u) const;
  bool by_block(Node u) const;
  void make_maps();
  void tally_bits(Node u);
  void tally_rows(Node u);
  void complete(Node u);
  void tally_block(std::uint32_t block);
  void sum_block(Node u);

  const CountedRows &data_;
  std::size_t cells_ = 0;
  unsigned child_levels_ = 0;
  std::vector<std::uint32_t> cell_of_row_, total_; // joint cells, and their weights
  std::vector<std::uint64_t> maps_;                // of the joint cells, once they are made
  bool has_maps_ = false;
  std::vector<std::uint32_t> table_; // of the joint cells, by the levels of the block tallied last
  std::uint32_t tallied_block_ = CountedRows::kNoBlock;
  std::vector<std::uint32_t> number_, counts_, level_counts_; // scratch space, and the result
};

} // namespace optbn
