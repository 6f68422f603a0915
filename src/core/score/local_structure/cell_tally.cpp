#include "core/score/local_structure/cell_tally.h"

#include "core/base/invariant.h"

#include <algorithm>
#include <numeric>

namespace optbn {

Responses::Responses(const Dataset &data, const std::vector<Scale> &scale)
    : data_(data), offset_(data.size()), shift_(data.size(), 0) {
  std::size_t width = 0;
  for (Node v = 0; v < data.size(); ++v) {
    offset_[v] = discrete(v) ? width : continuous_++;
    width += levels(v);
  }
  blocks_ = (width + kBlock - 1) / kBlock;
  is_level_.assign(data.rows * blocks_, Bytes{});
  value_.resize(data.rows * continuous_);
  for (Node v = 0; v < data.size(); ++v) {
    const Column &column = data.columns[v];
    if (column.discrete()) {
      for (std::size_t row = 0; row < data.rows; ++row) {
        const std::size_t index = offset_[v] + column.codes[row];
        is_level_[row * blocks_ + index / kBlock].byte[index % kBlock] = 1;
      }
      continue;
    }
    const auto standardised = [&](std::size_t row) {
      return (column.values[row] - scale[v].centre) / scale[v].spread;
    };
    double sum = 0;
    for (std::size_t row = 0; row < data.rows; ++row)
      sum += data.weight(row) * standardised(row);
    shift_[v] = sum / static_cast<double>(data.total);
    for (std::size_t row = 0; row < data.rows; ++row)
      value_[row * continuous_ + offset_[v]] = standardised(row) - shift_[v];
  }
}

CellTally::CellTally(const Responses &responses)
    : responses_(responses), width_(responses.blocks_ * Responses::kBlock),
      continuous_(responses.continuous_) {}

void CellTally::count(const std::vector<Digits> &predictors) {
  group(predictors);
  count_levels();
  compute_moments();
  OPTBN_INVARIANT(levels_add_up(), "the levels of a response add up to a cell's rows, and these "
                                   "to all rows");
}

bool CellTally::levels_add_up() const {
  const Dataset &data = responses_.data();
  for (Node v = 0; v < data.size(); ++v)
    for (std::size_t cell = 0; responses_.discrete(v) && cell < cells(); ++cell) {
      const std::uint32_t *first = counts_.data() + cell * width_ + responses_.offset_[v];
      if (std::accumulate(first, first + responses_.levels(v), 0u) != rows_[cell])
        return false;
    }
  return std::accumulate(rows_.begin(), rows_.end(), std::uint64_t{0}) == data.total;
}

void CellTally::group(const std::vector<Digits> &predictors) {
  const Dataset &data = responses_.data();
  row_key_.assign(data.rows, 0);
  std::uint64_t stride = 1;
  for (const Digits &digits : predictors) {
    for (std::size_t row = 0; row < data.rows; ++row)
      row_key_[row] += digits.of_row[row] * stride;
    stride *= digits.radix; // at most 2^64, a precondition
  }

  // Slots of an open hash table, or one slot per key if all keys fit in.
  unsigned bits = 6;
  while ((std::size_t{1} << bits) < 2 * data.rows)
    ++bits;
  const std::size_t slots = std::size_t{1} << bits;
  const bool direct = stride > 0 && stride <= slots;
  slot_.assign(direct ? stride : slots, UINT32_MAX);
  key_.clear();
  rows_.clear();
  cell_of_row_.resize(data.rows);
  for (std::size_t row = 0; row < data.rows; ++row) {
    const std::uint64_t key = row_key_[row];
    std::size_t index = direct ? key : key * 0x9E3779B97F4A7C15u >> (64 - bits);
    while (slot_[index] != UINT32_MAX && key_[slot_[index]] != key)
      index = (index + 1) & (slots - 1);
    if (slot_[index] == UINT32_MAX) {
      slot_[index] = static_cast<std::uint32_t>(key_.size());
      key_.push_back(key);
      rows_.push_back(0);
    }
    cell_of_row_[row] = slot_[index];
    rows_[slot_[index]] += data.weight(row);
  }
}

void CellTally::count_levels() {
  constexpr std::size_t kBlock = Responses::kBlock;
  const Dataset &data = responses_.data();
  const std::size_t blocks = responses_.blocks_;
  counts_.assign(cells() * width_, 0);
  if (blocks == 0)
    return;
  if (data.weighted()) {
    for (std::size_t row = 0; row < data.rows; ++row) {
      const std::uint8_t *is_level = responses_.is_level_[row * blocks].byte;
      std::uint32_t *to = counts_.data() + cell_of_row_[row] * width_;
      for (std::size_t i = 0; i < width_; ++i)
        to[i] += data.weights[row] * is_level[i];
    }
    return;
  }

  bytes_.assign(cells() * blocks, Responses::Bytes{});
  pending_.assign(cells(), 0);
  const auto flush = [&](std::size_t cell) {
    std::uint8_t *from = bytes_[cell * blocks].byte;
    std::uint32_t *to = counts_.data() + cell * width_;
    for (std::size_t i = 0; i < width_; ++i)
      to[i] += from[i];
    std::fill_n(from, width_, std::uint8_t{0});
    pending_[cell] = 0;
  };
  for (std::size_t row = 0; row < data.rows; ++row) {
    const std::size_t cell = cell_of_row_[row];
    const Responses::Bytes *add = responses_.is_level_.data() + row * blocks;
    Responses::Bytes *to = bytes_.data() + cell * blocks;
    for (std::size_t block = 0; block < blocks; ++block)
      for (std::size_t i = 0; i < kBlock; ++i)
        to[block].byte[i] = static_cast<std::uint8_t>(to[block].byte[i] + add[block].byte[i]);
    if (++pending_[cell] == UINT8_MAX)
      flush(cell);
  }
  for (std::size_t cell = 0; cell < cells(); ++cell)
    flush(cell);
}

void CellTally::compute_moments() {
  const Dataset &data = responses_.data();
  mean_.assign(cells() * continuous_, 0);
  square_.assign(cells() * continuous_, 0);
  if (continuous_ == 0)
    return;
  for (std::size_t row = 0; row < data.rows; ++row) {
    const double *value = responses_.value_.data() + row * continuous_;
    double *sum = mean_.data() + cell_of_row_[row] * continuous_;
    for (std::size_t i = 0; i < continuous_; ++i)
      sum[i] += data.weight(row) * value[i];
  }
  for (std::size_t cell = 0; cell < cells(); ++cell)
    for (std::size_t i = 0; i < continuous_; ++i)
      mean_[cell * continuous_ + i] /= rows_[cell];
  for (std::size_t row = 0; row < data.rows; ++row) {
    const double *value = responses_.value_.data() + row * continuous_;
    const double *mean = mean_.data() + cell_of_row_[row] * continuous_;
    double *square = square_.data() + cell_of_row_[row] * continuous_;
    for (std::size_t i = 0; i < continuous_; ++i) {
      const double gap = value[i] - mean[i];
      square[i] += data.weight(row) * gap * gap;
    }
  }
}

} // namespace optbn
