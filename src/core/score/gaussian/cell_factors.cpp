#include "core/score/gaussian/cell_factors.h"

#include "core/score/gaussian/cell_regression.h"

#include <numeric>

namespace optbn {

namespace {
constexpr double kFactorBytes = 1.3e8;
} // namespace

CellFactors::CellFactors(const Dataset &data, std::vector<Node> columns)
    : data_(data), columns_(std::move(columns)) {}

std::shared_ptr<CellFactors::CacheEntry> CellFactors::entry(const std::vector<Node> &discrete) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::shared_ptr<CacheEntry> &found = cache_[discrete];
  if (!found)
    found = std::make_shared<CacheEntry>();
  return found;
}

std::shared_ptr<const CellFactors::Cells> CellFactors::of_all(const std::vector<Node> &discrete,
                                                              Watch &watch) {
  const std::shared_ptr<CacheEntry> found = entry(discrete);
  const std::lock_guard<std::mutex> lock(found->mutex);
  if (found->cells.empty()) {
    std::vector<Eigen::Index> all(columns_.size());
    std::iota(all.begin(), all.end(), Eigen::Index{0});
    found->cells = of(discrete, all, watch);
    if (found->cells.empty())
      return nullptr;
    limit_memory(found->cells);
  }
  return {found, &found->cells};
}

// Threads that still use the entries share their ownership.
void CellFactors::limit_memory(const Cells &cells) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const Cell &cell : cells)
    bytes_ += static_cast<double>(cell.factor.triangle().size()) * sizeof(double);
  if (bytes_ <= kFactorBytes)
    return;
  cache_.clear();
  bytes_ = 0;
}

CellFactors::Cells CellFactors::of(const std::vector<Node> &discrete,
                                   const std::vector<Eigen::Index> &columns, Watch &watch) const {
  std::vector<Node> nodes;
  for (const Eigen::Index column : columns)
    nodes.push_back(columns_[static_cast<std::size_t>(column)]);
  return factorise(data_, CellRows(data_, discrete), nodes, watch);
}

CellFactors::Cells CellFactors::factorise(const Dataset &data, const CellRows &rows,
                                          const std::vector<Node> &columns, Watch &watch) {
  std::vector<Eigen::VectorXd> centred;
  for (const Node column : columns)
    centred.push_back(rows.centred(data, column));
  Cells cells;
  for (std::size_t c = 0; c < rows.size(); ++c) {
    Eigen::MatrixXd values(rows.count(c), static_cast<Eigen::Index>(columns.size()));
    for (std::size_t i = 0; i < columns.size(); ++i)
      values.col(static_cast<Eigen::Index>(i)) = rows.in_cell(centred[i], c);
    cells.push_back({rows.total(c), ColumnFactor(std::move(values))});
    if (!cells.back().factor.factorise(watch))
      return {};
  }
  return cells;
}

double log_likelihood(const CellFactors::Cells &cells, const std::vector<Eigen::Index> &given,
                      Eigen::Index child, std::vector<ColumnFactor::Basis> &bases) {
  bases.resize(cells.size());
  double sum = 0;
  for (std::size_t c = 0; c < cells.size(); ++c)
    sum += gaussian_log_likelihood(cells[c].total, static_cast<double>(given.size()),
                                   cells[c].factor.residual_length(given, child, bases[c]));
  return sum;
}

} // namespace optbn
