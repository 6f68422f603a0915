#include "core/score/gaussian/cell_factors.h"

#include "core/score/gaussian/cell_regression.h"

#include <numeric>

namespace optbn {

namespace {
constexpr double kBytesKept = 1.3e8;
} // namespace

CellFactors::CellFactors(const Dataset &data, std::vector<Node> columns)
    : data_(data), columns_(std::move(columns)) {}

std::shared_ptr<CellFactors::Known> CellFactors::entry(const std::vector<Node> &discrete) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::shared_ptr<Known> &known = known_[discrete];
  if (!known)
    known = std::make_shared<Known>();
  return known;
}

std::shared_ptr<const CellFactors::Cells> CellFactors::of_all(const std::vector<Node> &discrete,
                                                              Watch &watch) {
  const std::shared_ptr<Known> known = entry(discrete);
  const std::lock_guard<std::mutex> lock(known->mutex);
  if (known->cells.empty()) {
    std::vector<Eigen::Index> all(columns_.size());
    std::iota(all.begin(), all.end(), Eigen::Index{0});
    known->cells = of(discrete, all, watch);
    if (known->cells.empty())
      return nullptr;
    count(known->cells);
  }
  return {known, &known->cells};
}

// Threads that still use them keep them.
void CellFactors::count(const Cells &cells) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const Cell &cell : cells)
    bytes_ += static_cast<double>(cell.factor.triangle().size()) * sizeof(double);
  if (bytes_ <= kBytesKept)
    return;
  known_.clear();
  bytes_ = 0;
}

CellFactors::Cells CellFactors::of(const std::vector<Node> &discrete,
                                   const std::vector<Eigen::Index> &columns, Watch &watch) const {
  const CellRows rows(data_, discrete);
  std::vector<Eigen::VectorXd> centred;
  for (const Eigen::Index column : columns)
    centred.push_back(rows.centred(data_, columns_[static_cast<std::size_t>(column)]));
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
