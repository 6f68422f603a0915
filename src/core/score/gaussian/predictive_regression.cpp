#include "core/score/gaussian/predictive_regression.h"

#include "core/base/parallel.h"
#include "core/base/random.h"
#include "core/score/cell_rows.h"
#include "core/score/gaussian/column_factor.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace optbn {

namespace {

// Rows of a cell: those of the data, and then new ones.
struct CellRange {
  const std::uint32_t *begin, *fresh, *end;
};

// Columns of a cell less their means over its data rows: these rows, multiplied by the roots of
// their weights, and the new ones.
struct CellValues {
  Eigen::MatrixXd known, fresh;
};

CellValues values_of(const Dataset &rows, const CellRange &cell, const std::vector<Node> &columns) {
  Eigen::VectorXd weight(cell.fresh - cell.begin);
  for (Eigen::Index i = 0; i < weight.size(); ++i)
    weight[i] = rows.weight(cell.begin[i]);
  const double total = weight.sum();
  const auto width = static_cast<Eigen::Index>(columns.size());
  CellValues found{Eigen::MatrixXd(weight.size(), width),
                   Eigen::MatrixXd(cell.end - cell.fresh, width)};
  Eigen::VectorXd shifted(weight.size());
  for (Eigen::Index j = 0; j < width; ++j) {
    const std::vector<double> &values = rows.columns[columns[static_cast<std::size_t>(j)]].values;
    const double origin = values[*cell.begin]; // a constant is 0 then, and means keep their digits
    for (Eigen::Index i = 0; i < shifted.size(); ++i)
      shifted[i] = values[cell.begin[i]] - origin;
    const double mean = shifted.dot(weight) / total;
    found.known.col(j) = (shifted.array() - mean) * weight.array().sqrt();
    for (Eigen::Index i = 0; i < found.fresh.rows(); ++i)
      found.fresh(i, j) = values[cell.fresh[i]] - origin - mean;
  }
  return found;
}

// The columns that are no combination of those before them, and an orthonormal basis of their span.
struct Independent {
  std::vector<Eigen::Index> chosen;
  Eigen::MatrixXd basis;
};

Independent independent_among(const Eigen::MatrixXd &columns) {
  std::vector<Eigen::Index> chosen;
  Eigen::MatrixXd basis(columns.rows(), columns.cols());
  for (Eigen::Index j = 0; j < columns.cols(); ++j) {
    const auto width = static_cast<Eigen::Index>(chosen.size());
    const auto span = basis.leftCols(width);
    auto residual = basis.col(width);
    residual = columns.col(j);
    for (int pass = 0; pass < 2; ++pass) // the second removes the rounding errors of the first
      residual -= span * (span.transpose() * residual).eval();
    const double length = residual.norm();
    if (!(length > ColumnFactor::kCollinear * columns.col(j).norm()))
      continue;
    residual /= length;
    chosen.push_back(j);
  }
  const auto width = static_cast<Eigen::Index>(chosen.size());
  return {std::move(chosen), basis.leftCols(width)};
}

// Regressions within a cell on the same parents. Each child is worked on by itself, so that its
// result is the same to the last bit whatever others there are.
class CellFit {
public:
  explicit CellFit(const CellValues &parents) {
    Independent found = independent_among(parents.known);
    basis_ = std::move(found.basis);
    triangle_.resize(basis_.cols(), basis_.cols());
    fresh_.resize(parents.fresh.rows(), basis_.cols());
    for (Eigen::Index j = 0; j < basis_.cols(); ++j) {
      const Eigen::Index column = found.chosen[static_cast<std::size_t>(j)];
      triangle_.col(j) = basis_.transpose() * parents.known.col(column);
      fresh_.col(j) = parents.fresh.col(column);
    }
  }

  // Of the new rows. `freedom`: the divisor of the residual sum of squares.
  double log_density(const CellValues &child, double freedom) const {
    Eigen::VectorXd known = child.known, fresh = child.fresh;
    if (basis_.cols() > 0) {
      const Eigen::VectorXd explained = basis_.transpose() * known;
      known -= basis_ * explained;
      fresh -= fresh_ * triangle_.triangularView<Eigen::Upper>().solve(explained);
    }
    const double residual = known.norm(), variance = residual * residual / freedom;
    if (!(residual > ColumnFactor::kRounding * child.known.norm()))
      return -LocalScore::kInfinity;
    const double log = -static_cast<double>(fresh.size()) / 2 * std::log(kTwoPi * variance) -
                       fresh.squaredNorm() / (2 * variance);
    return std::isfinite(log) ? log : -LocalScore::kInfinity;
  }

private:
  Eigen::MatrixXd basis_, triangle_, fresh_; // the chosen columns are their product
};

} // namespace

PredictiveRegression::PredictiveRegression(const Dataset &data, const Dataset &newdata, double iss)
    : pooled_(std::make_shared<PooledRows>(data, newdata)), tables_(pooled_, iss) {}

bool PredictiveRegression::admits(Node child, Node parent) const {
  const std::vector<Column> &columns = pooled_->rows.columns;
  return !columns[child].discrete() || columns[parent].discrete();
}

void PredictiveRegression::score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) {
  result.score.assign(batch.size(), 0);
  result.superset_bound.assign(batch.size(), kInfinity);
  FamilyBatch tables;
  tables.parents = batch.parents;
  std::vector<std::size_t> number; // of the tables
  std::map<std::vector<Node>, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (pooled_->rows.columns[batch.child[i]].discrete()) {
      tables.add(batch.child[i], batch.parents_of(i));
      number.push_back(i);
    } else {
      groups[{batch.parents_of(i), batch.parents_of(i) + batch.parents}].push_back(i);
    }
  }
  if (!number.empty()) {
    FamilyScores found;
    tables_.score(tables, watch, found);
    for (std::size_t t = 0; t < number.size(); ++t) {
      result.score[number[t]] = found.score[t];
      result.superset_bound[number[t]] = found.superset_bound[t];
    }
  }
  std::vector<const std::vector<std::size_t> *> tasks;
  for (const auto &[parents, families] : groups)
    tasks.push_back(&families);
  parallel_for(watch, tasks.size(), [&](std::size_t task, unsigned) {
    score_regressions(batch, *tasks[task], result);
    watch.advance(tasks[task]->size());
  });
}

void PredictiveRegression::score_regressions(const FamilyBatch &batch,
                                             const std::vector<std::size_t> &families,
                                             FamilyScores &result) const {
  std::vector<Node> discrete, continuous;
  for (unsigned i = 0; i < batch.parents; ++i) {
    const Node u = batch.parents_of(families[0])[i];
    (pooled_->rows.columns[u].discrete() ? discrete : continuous).push_back(u);
  }
  const CellRows cells(pooled_->rows, discrete);
  for (std::size_t c = 0; c < cells.size(); ++c) {
    // Within a cell the rows keep their order.
    const CellRange range{cells.begin(c),
                          std::lower_bound(cells.begin(c), cells.end(c), pooled_->first_new),
                          cells.end(c)};
    if (range.fresh == range.end)
      continue;
    const double total = cells.total(c) - static_cast<double>(range.end - range.fresh);
    const double free = total - static_cast<double>(continuous.size()) - 1;
    if (free <= 0) {
      for (const std::size_t i : families)
        result.score[i] = result.superset_bound[i] = -kInfinity;
      return;
    }
    const CellFit fit(values_of(pooled_->rows, range, continuous));
    for (const std::size_t i : families)
      result.score[i] += fit.log_density(values_of(pooled_->rows, range, {batch.child[i]}),
                                         discrete.empty() ? total - 1 : free);
  }
}

} // namespace optbn
