// A RowSource over data in memory, grouped in the obvious way, which counts what it is asked.
#pragma once

#include "score_fixtures.h"

#include "core/data/row_source.h"

namespace fixtures {

class TableSource final : public RowSource {
public:
  explicit TableSource(const Dataset &data) : data_(data) {}

  std::vector<Dataset> cells(const std::vector<Block> &blocks) override {
    ++passes;
    std::vector<Dataset> out;
    for (const Block &block : blocks) {
      asked.push_back(block);
      Dataset grouped;
      grouped.total = data_.total;
      grouped.columns.resize(data_.columns.size());
      for (const Node v : block)
        grouped.columns[v].levels = data_.columns[v].levels,
        grouped.columns[v].holes = data_.columns[v].holes;
      for (const auto &[cell, n] : count_cells(data_, block)) {
        for (std::size_t i = 0; i < block.size(); ++i)
          grouped.columns[block[i]].codes.push_back(static_cast<std::uint16_t>(cell[i]));
        grouped.weights.push_back(static_cast<std::uint32_t>(n));
      }
      grouped.rows = grouped.weights.size();
      out.push_back(std::move(grouped));
    }
    return out;
  }

  std::vector<Moments> moments(const Block &block) override {
    std::map<std::vector<unsigned>, std::vector<std::size_t>> rows_of;
    for (std::size_t row = 0; row < data_.rows; ++row) {
      std::vector<unsigned> cell;
      for (const Node v : block)
        cell.push_back(data_.columns[v].codes[row]);
      rows_of[cell].push_back(row);
    }
    std::vector<Moments> out;
    for (const auto &[cell, rows] : rows_of)
      out.push_back(moments_of(rows));
    return out;
  }

  std::size_t passes = 0;
  std::vector<Block> asked;

private:
  Moments moments_of(const std::vector<std::size_t> &rows) const {
    Moments moments;
    std::vector<const Column *> continuous;
    for (const Column &column : data_.columns)
      if (!column.discrete())
        continuous.push_back(&column);
    for (const std::size_t row : rows)
      moments.rows += data_.weight(row);
    for (const Column *column : continuous) {
      double sum = 0;
      for (const std::size_t row : rows)
        sum += data_.weight(row) * column->values[row];
      moments.mean.push_back(sum / moments.rows);
    }
    for (std::size_t a = 0; a < continuous.size(); ++a)
      for (std::size_t b = 0; b < continuous.size(); ++b) {
        double sum = 0;
        for (const std::size_t row : rows)
          sum += data_.weight(row) * (continuous[a]->values[row] - moments.mean[a]) *
                 (continuous[b]->values[row] - moments.mean[b]);
        moments.products.push_back(sum);
      }
    return moments;
  }

  const Dataset data_;
};

// The same data, rows kept by a source. `source` is where to find it, if anybody wants to know.
inline Dataset kept_elsewhere(const Dataset &data, TableSource **source = nullptr) {
  auto table = std::make_shared<TableSource>(data);
  if (source)
    *source = table.get();
  Dataset out;
  out.total = data.total;
  out.columns.resize(data.columns.size());
  for (std::size_t v = 0; v < data.columns.size(); ++v)
    out.columns[v].levels = data.columns[v].levels, out.columns[v].holes = data.columns[v].holes;
  out.source = std::move(table);
  return out;
}

} // namespace fixtures
