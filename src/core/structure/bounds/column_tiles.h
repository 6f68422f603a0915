// ColumnTiles: the matrix of a SimplexProgram, laid out for the reduced costs of all its columns.
//
// Columns of one block, which are sets of one node, have entries in much the same rows. Up to
// kWidth of them make a tile, which stores these rows densely, one vector after another, so that
// vector instructions compute its reduced costs. Rows are subtracted in ascending order: all
// instruction sets give the same bits. Immutable after construction, so thread-safe.
#pragma once

#include "core/base/simd/aligned_array.h"

#include <cstdint>
#include <vector>

namespace optbn {

struct SimplexProgram;

class ColumnTiles {
public:
  explicit ColumnTiles(const SimplexProgram &program);

  // reduced = cost - A' y, by column.
  void reduced_costs(const std::vector<double> &cost, const std::vector<double> &y,
                     std::vector<double> &reduced) const;

  static constexpr std::uint32_t kWidth = 8;

  struct Tile {
    std::uint32_t first, columns; // columns first .. first + columns - 1, at most kWidth
    std::uint32_t begin, end;     // its rows: row_[begin] .. row_[end - 1]
  };

private:
  std::vector<Tile> tiles_;
  std::vector<std::uint32_t> row_; // ascending within a tile
  AlignedArray value_;             // kWidth of each of these rows, 0 where a column has no entry
};

} // namespace optbn
