// Pair counts: how often every two items occur together in some rows.
//
// Counts are doubles that hold exact numbers: whole ones, or multiples of a power of two (see
// list_slice.h). Sums and differences of them have no rounding, so that a remainder after
// subtractions is exact, whatever the order. Expected counts (expected_counts.h) alone are rounded:
// remainders below 0 count as 0.
#pragma once

#include "core/base/simd/aligned_array.h"
#include "core/data/dataset.h"
#include "core/density/counts/items.h"

#include <cstddef>

namespace optbn {

class PairCounts {
public:
  // The counts are uninitialised.
  explicit PairCounts(std::size_t items);

  // Rows are padded to full vectors, with arbitrary numbers.
  static constexpr std::size_t kWidth = 8;
  static constexpr std::size_t padded(std::size_t items) {
    return (items + kWidth - 1) / kWidth * kWidth;
  }
  double *row(std::size_t item) { return pairs_.data() + item * stride_; }
  const double *row(std::size_t item) const { return pairs_.data() + item * stride_; }
  double alone(std::size_t item) const { return pairs_[item * (stride_ + 1)]; }

  void clear();
  void mirror(); // copies what is right of the diagonal to its left
  void subtract(const PairCounts &whole, const PairCounts &part); // becomes whole - part

  double total = 0; // of the rows

private:
  std::size_t items_, stride_;
  AlignedArray pairs_; // symmetric; an item with itself: its own count
};

// Counts of the levels of v, and of the levels of u and v together, the first fastest.
void level_counts(const PairCounts &counts, const Items &items, Node v, double *levels);
void table_counts(const PairCounts &counts, const Items &items, Node u, Node v, double *table);

} // namespace optbn
