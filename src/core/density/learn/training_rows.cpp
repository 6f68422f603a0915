#include "core/density/learn/training_rows.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace optbn {

namespace {

PartialRows cells_of(const Dataset &data) {
  PartialRows cells;
  cells.rows = data.rows;
  for (const Column &column : data.columns)
    cells.columns.push_back(column.codes);
  for (std::size_t v = 0; v < data.columns.size(); ++v)
    if (data.columns[v].holes)
      std::replace(cells.columns[v].begin(), cells.columns[v].end(),
                   static_cast<std::uint16_t>(data.columns[v].levels), PartialRows::kMissing);
  return cells;
}

} // namespace

TrainingRows::TrainingRows(const Dataset &data)
    : TrainingRows(cells_of(data), levels_of(data), {data.weights.begin(), data.weights.end()}) {}

TrainingRows::TrainingRows(PartialRows cells, std::vector<unsigned> levels,
                           std::vector<double> weights)
    : cells_(std::move(cells)), levels_(std::move(levels)), weights_(std::move(weights)),
      items_(levels_), begin_(cells_.rows + 1, 0) {
  total_ = weights_.empty() ? static_cast<double>(cells_.rows)
                            : std::accumulate(weights_.begin(), weights_.end(), 0.0);
  for (const auto &column : cells_.columns)
    holes_ =
        holes_ || std::find(column.begin(), column.end(), PartialRows::kMissing) != column.end();
  const auto has_item = [](std::uint16_t level) {
    return level > 0 && level != PartialRows::kMissing;
  };
  for (const auto &column : cells_.columns)
    for (std::size_t row = 0; row < rows(); ++row)
      begin_[row + 1] += has_item(column[row]);
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  row_items_.resize(begin_.back());
  maps_.resize(items_.size() * words());
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (Node v = 0; v < variables(); ++v)
    for (std::size_t row = 0; row < rows(); ++row)
      if (const std::uint16_t level = cells_.columns[v][row]; has_item(level)) {
        const std::size_t item = items_.first(v) + level - 1;
        row_items_[next[row]++] = static_cast<std::uint32_t>(item);
        maps_[item * words() + row / 64] |= std::uint64_t{1} << (row % 64);
      }
}

} // namespace optbn
