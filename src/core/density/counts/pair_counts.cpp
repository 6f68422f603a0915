#include "core/density/counts/pair_counts.h"

#include <algorithm>

namespace optbn {

PairCounts::PairCounts(std::size_t items)
    : items_(items), stride_(padded(items)), pairs_(items * stride_) {
  for (std::size_t i = 0; i < items; ++i)
    std::fill(row(i) + items, row(i) + stride_, 0.0);
}

void PairCounts::clear() {
  total = 0;
  std::fill(pairs_.data(), pairs_.data() + items_ * stride_, 0.0);
}

// Tile by tile, so that few cache lines are in use at a time.
void PairCounts::mirror() {
  for (std::size_t top = 0; top < items_; top += kWidth)
    for (std::size_t left = 0; left <= top; left += kWidth)
      for (std::size_t i = top; i < std::min(top + kWidth, items_); ++i)
        for (std::size_t j = left; j < std::min(left + kWidth, i); ++j)
          row(i)[j] = row(j)[i];
}

void PairCounts::subtract(const PairCounts &whole, const PairCounts &part) {
  total = whole.total - part.total;
  for (std::size_t i = 0; i < items_ * stride_; ++i)
    pairs_[i] = whole.pairs_[i] - part.pairs_[i];
}

void level_counts(const PairCounts &counts, const Items &items, Node v, double *levels) {
  levels[0] = counts.total;
  for (unsigned x = 1; x < items.levels(v); ++x)
    levels[0] -= levels[x] = counts.alone(items.first(v) + x - 1);
  levels[0] = std::max(levels[0], 0.0);
}

void table_counts(const PairCounts &counts, const Items &items, Node u, Node v, double *table) {
  const unsigned rows = items.levels(u), columns = items.levels(v);
  level_counts(counts, items, u, table); // as if v had level 0 in all rows; corrected below
  for (unsigned y = 1; y < columns; ++y) {
    double *const column = table + std::size_t{y} * rows;
    column[0] = counts.alone(items.first(v) + y - 1);
    for (unsigned x = 1; x < rows; ++x)
      column[0] -= column[x] = counts.row(items.first(v) + y - 1)[items.first(u) + x - 1];
    for (unsigned x = 0; x < rows; ++x)
      table[x] -= column[x];
  }
  std::for_each(table, table + std::size_t{rows} * columns,
                [](double &count) { count = std::max(count, 0.0); });
}

} // namespace optbn
