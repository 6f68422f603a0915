#include "core/density/learn/training_rows.h"

#include <numeric>

namespace optbn {

namespace {

PartialRows cells_of(const Dataset &data) {
  PartialRows cells;
  cells.rows = data.rows;
  for (const Column &column : data.columns)
    cells.columns.push_back(column.codes);
  return cells;
}

} // namespace

TrainingRows::TrainingRows(const Dataset &data)
    : cells_(cells_of(data)), levels_(levels_of(data)),
      weights_(data.weights.begin(), data.weights.end()), items_(levels_),
      begin_(data.rows + 1, 0) {
  total_ = data.weighted() ? std::accumulate(weights_.begin(), weights_.end(), 0.0)
                           : static_cast<double>(data.rows);
  for (const auto &column : cells_.columns)
    for (std::size_t row = 0; row < rows(); ++row)
      begin_[row + 1] += column[row] > 0;
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  row_items_.resize(begin_.back());
  maps_.resize(items_.size() * words());
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (Node v = 0; v < variables(); ++v)
    for (std::size_t row = 0; row < rows(); ++row)
      if (const unsigned level = cells_.columns[v][row]) {
        const std::size_t item = items_.first(v) + level - 1;
        row_items_[next[row]++] = static_cast<std::uint32_t>(item);
        maps_[item * words() + row / 64] |= std::uint64_t{1} << (row % 64);
      }
}

} // namespace optbn
