#include "core/density/counts/list_slice.h"

#include "core/density/counts/weighted_counts.h"

#include <algorithm>
#include <cmath>

namespace optbn {

namespace {

// How far the point moves so that numbers that add up to `total` become whole ones below 2^51.
int exact_shift(double total) {
  int exponent = 0;
  std::frexp(total, &exponent);
  return std::min(51 - exponent, 1000);
}

} // namespace

ListSlice::ListSlice(const TrainingRows &rows, const std::vector<double> &weights, double total)
    : rows_(&rows) {
  const int shift = exact_shift(total);
  for (std::uint32_t row = 0; row < weights.size(); ++row) {
    const double weight = std::ldexp(std::round(std::ldexp(weights[row], shift)), -shift);
    if (weight > 0)
      add(row, weight);
  }
}

void ListSlice::add(std::uint32_t row, double weight) {
  row_.push_back(row);
  weight_.push_back(weight);
  total_ += weight;
}

void ListSlice::count(PairCounts &counts, Pace &pace) const {
  count_weighted_pairs(*rows_, row_, weight_, counts, pace);
}

void ListSlice::count_alone(PairCounts &counts) const {
  for (std::size_t i = 0; i < rows_->items().size(); ++i)
    counts.row(i)[i] = 0;
  for (std::size_t i = 0; i < row_.size(); ++i)
    for (const std::uint32_t *item = rows_->items_of(row_[i]); item != rows_->items_end(row_[i]);
         ++item)
      counts.row(*item)[*item] += weight_[i];
}

// visit(i, pair) for the pairs that the i-th row holds, row by row.
template <class Visit>
void ListSlice::for_each_held(const std::vector<ItemPair> &pairs, Visit visit) const {
  std::vector<char> held(rows_->items().size(), 0);
  for (std::size_t i = 0; i < row_.size(); ++i) {
    const std::uint32_t *const begin = rows_->items_of(row_[i]);
    const std::uint32_t *const end = rows_->items_end(row_[i]);
    std::for_each(begin, end, [&](std::uint32_t item) { held[item] = 1; });
    for (std::size_t pair = 0; pair < pairs.size(); ++pair)
      if (held[pairs[pair].one] && held[pairs[pair].other])
        visit(i, pair);
    std::for_each(begin, end, [&](std::uint32_t item) { held[item] = 0; });
  }
}

std::vector<double> ListSlice::count_pairs(const std::vector<ItemPair> &pairs) const {
  std::vector<double> found(pairs.size(), 0.0);
  for_each_held(pairs, [&](std::size_t i, std::size_t pair) { found[pair] += weight_[i]; });
  return found;
}

ListSlice ListSlice::part(Node v, unsigned level) const {
  ListSlice part(rows_);
  for (std::size_t i = 0; i < row_.size(); ++i)
    if (rows_->cells().columns[v][row_[i]] == level)
      part.add(row_[i], weight_[i]);
  return part;
}

ListSlice::Pairs::Pairs(const ListSlice &slice, const std::vector<ItemPair> &pairs)
    : slice_(slice), pairs_(pairs.size()), begin_(slice.row_.size() + 1, 0) {
  slice.for_each_held(pairs, [&](std::size_t i, std::size_t pair) {
    held_.push_back(static_cast<std::uint32_t>(pair));
    begin_[i + 1] = held_.size();
  });
  for (std::size_t i = 0; i < slice.row_.size(); ++i) // rows that hold none
    begin_[i + 1] = std::max(begin_[i + 1], begin_[i]);
}

void ListSlice::Pairs::count(Node v, unsigned level, std::vector<double> &counts) const {
  counts.assign(pairs_, 0.0);
  const std::vector<std::uint16_t> &levels = slice_.rows_->cells().columns[v];
  for (std::size_t i = 0; i < slice_.row_.size(); ++i)
    for (std::size_t k = begin_[i]; levels[slice_.row_[i]] == level && k < begin_[i + 1]; ++k)
      counts[held_[k]] += slice_.weight_[i];
}

} // namespace optbn
