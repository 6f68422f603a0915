// Pair counts of rows that count by any real number.
#pragma once

#include "core/base/pace.h"
#include "core/base/simd/aligned_array.h"
#include "core/density/counts/pair_counts.h"
#include "core/density/learn/training_rows.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

// row[i] counts weight[i] times. Weights must be such that sums of them are exact (see list_slice.h).
// Throws Interrupted.
void count_weighted_pairs(const TrainingRows &rows, const std::vector<std::uint32_t> &row,
                          const std::vector<double> &weight, PairCounts &counts, Pace &pace);

// Some rows in dense form: their weights at their items, zeros at all others, and for every item a
// bit mask of the rows with it.
struct WeightedTile {
  static constexpr std::size_t kRows = 32;

  explicit WeightedTile(std::size_t items); // of rows without items
  void clear();

  std::size_t items, stride;
  AlignedArray weights; // row by row
  std::vector<std::uint32_t> holders;
};

// Adds the weights of pairs of items in a tile, right of the diagonal: the functions that this
// machine can run, from the plain one to the fastest; all add the same.
using AddTile = void (*)(const WeightedTile &tile, PairCounts &counts);
std::vector<AddTile> all_weighted_tiles();

} // namespace optbn
