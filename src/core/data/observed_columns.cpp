#include "core/data/observed_columns.h"

#include "core/data/row_source.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace optbn {

namespace {

// By new column the one whose holes it has, or the number of columns for the one without holes.
using Origins = std::vector<Node>;

Column one_level(const Column *origin, std::size_t rows) {
  Column column;
  column.levels = 1;
  column.codes.assign(rows, 0);
  if (!origin)
    return column;
  column.holes = true;
  for (std::size_t row = 0; row < rows; ++row)
    column.codes[row] = origin->missing(row);
  return column;
}

// A source that groups by observed columns as well.
class ObservedSource final : public RowSource {
public:
  ObservedSource(std::shared_ptr<RowSource> source, Node columns, Origins origins)
      : source_(std::move(source)), columns_(columns), origins_(std::move(origins)) {}

  std::vector<Dataset> cells(const std::vector<Block> &blocks) override {
    std::vector<Block> asked;
    for (const Block &block : blocks)
      asked.push_back(origins_of(block));
    std::vector<Dataset> found = source_->cells(asked);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      Dataset &cells = found[i];
      cells.columns.resize(columns_ + origins_.size());
      for (const Node v : blocks[i])
        if (v >= columns_)
          cells.columns[v] = one_level(origin_among(cells, v), cells.rows);
    }
    return found;
  }

  std::vector<Moments> moments(const Block &) override {
    throw std::logic_error("moments of rows where values are known are not to be had");
  }

private:
  Node origin(Node v) const { return v < columns_ ? v : origins_[v - columns_]; }
  const Column *origin_among(const Dataset &cells, Node v) const {
    return origin(v) < columns_ ? &cells.columns[origin(v)] : nullptr;
  }

  Block origins_of(const Block &block) const {
    Block origins;
    for (const Node v : block)
      if (origin(v) < columns_)
        origins.push_back(origin(v));
    std::sort(origins.begin(), origins.end());
    origins.erase(std::unique(origins.begin(), origins.end()), origins.end());
    if (origins.empty())
      origins.push_back(0); // a source groups by something
    return origins;
  }

  const std::shared_ptr<RowSource> source_;
  const Node columns_;
  const Origins origins_;
};

} // namespace

ObservedColumns::ObservedColumns(const Dataset &data) : data_(data) {
  const Node n = data.size();
  for (Column &column : data_.columns)
    column.values.clear();
  Origins origins{n};
  observed_.assign(n, n);
  for (Node v = 0; v < n; ++v) {
    if (!data.columns[v].discrete() || !data.columns[v].holes)
      continue;
    if (std::size_t{n} + origins.size() >= std::numeric_limits<Node>::max())
      throw std::invalid_argument("too many columns with missing values");
    observed_[v] = static_cast<Node>(n + origins.size());
    origins.push_back(v);
  }
  for (const Node v : origins)
    data_.columns.push_back(one_level(v < n ? &data.columns[v] : nullptr, data.rows));
  if (data.source)
    data_.source = std::make_shared<ObservedSource>(data.source, n, std::move(origins));
}

} // namespace optbn
