#include "core/score/gaussian/cell_regression.h"

#include "core/base/log_sum.h"
#include "core/base/parallel.h"
#include "core/base/random.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace optbn {

namespace {

constexpr double kTooFewDigits = std::numeric_limits<double>::quiet_NaN();
constexpr double kLeastShare = 1e-3; // of a squared length; 13 digits remain
constexpr std::size_t kColumnsPerTask = 16;

} // namespace

double gaussian_log_likelihood(double rows, double regressors, double residual) {
  const double freedom = rows - regressors - 1;
  if (freedom <= 0 || residual <= 0)
    return kLogZero;
  return -rows / 2 * std::log(kTwoPi * residual * residual / freedom) - freedom / 2;
}

CellRegression::CellRegression(const Dataset &data, const CellRows &rows,
                               const std::vector<Node> &columns)
    : rows_(rows) {
  std::vector<Eigen::VectorXd> centred;
  for (const Node column : columns)
    centred.push_back(rows.centred(data, column));
  const auto width = static_cast<Eigen::Index>(columns.size());
  for (std::size_t c = 0; c < rows.size(); ++c) {
    Eigen::MatrixXd products(width, width);
    for (std::size_t i = 0; i < columns.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        const auto a = static_cast<Eigen::Index>(i), b = static_cast<Eigen::Index>(j);
        products(a, b) = products(b, a) = rows.product(centred[i], centred[j], c);
      }
    products_.push_back(std::move(products));
  }
}

double CellRegression::log_likelihood(const std::vector<Eigen::Index> &given,
                                      Eigen::Index child) const {
  const auto regressors = static_cast<double>(given.size());
  ResidualProducts residual;
  double sum = 0;
  for (std::size_t c = 0; c < rows_.size() && sum > kLogZero; ++c) {
    residual.regress_child(products_[c], child, given);
    if (!residual.exact_to(kLeastShare))
      return kTooFewDigits;
    sum += gaussian_log_likelihood(rows_.total(c), regressors, std::sqrt(residual.rss()));
  }
  return sum;
}

CellProducts::CellProducts(const std::vector<double> &total,
                           const std::vector<Eigen::MatrixXd> &products)
    : total_(total) {
  const auto cells = static_cast<Eigen::Index>(products.size());
  const Eigen::Index width = cells > 0 ? products[0].cols() : 0;
  lengths_.resize(width, cells);
  for (Eigen::Index i = 0; i < width; ++i)
    products_[i].resize(width, cells);
  for (Eigen::Index c = 0; c < cells; ++c) {
    const Eigen::MatrixXd &cell = products[static_cast<std::size_t>(c)];
    lengths_.col(c) = cell.diagonal();
    for (Eigen::Index i = 0; i < width; ++i)
      products_[i].col(c) = cell.col(i);
  }
}

double CellProducts::bytes() const {
  const double each = static_cast<double>(lengths_.size()) * sizeof(double);
  return each * static_cast<double>(products_.size() + 1) + rows_.bytes();
}

bool CellProducts::compute(const Dataset &data, const std::vector<Node> &columns,
                           const std::vector<Eigen::Index> &needed, Watch &watch) {
  std::vector<Eigen::Index> missing;
  std::vector<Eigen::VectorXd> centred;
  for (const Eigen::Index i : needed)
    if (products_.find(i) == products_.end()) {
      missing.push_back(i);
      centred.push_back(rows_.centred(data, columns[static_cast<std::size_t>(i)]));
    }
  if (missing.empty() && lengths_.size() > 0)
    return true;
  const std::size_t width = columns.size(), cells = rows_.size();
  Eigen::ArrayXXd lengths(width, cells);
  std::vector<Eigen::ArrayXXd> products(missing.size(), lengths);
  const auto compute_column = [&](std::size_t u) {
    const Eigen::VectorXd centred_u = rows_.centred(data, columns[u]);
    const auto row = static_cast<Eigen::Index>(u);
    for (std::size_t c = 0; c < cells; ++c) {
      const auto cell = static_cast<Eigen::Index>(c);
      lengths(row, cell) = rows_.product(centred_u, centred_u, c);
      for (std::size_t i = 0; i < missing.size(); ++i)
        products[i](row, cell) = rows_.product(centred_u, centred[i], c);
    }
  };
  parallel_for(watch, (width + kColumnsPerTask - 1) / kColumnsPerTask,
               [&](std::size_t task, unsigned) {
                 const std::size_t end = std::min(width, (task + 1) * kColumnsPerTask);
                 for (std::size_t u = task * kColumnsPerTask; u < end && !watch.stopped(); ++u)
                   compute_column(u);
               });
  if (watch.stopped())
    return false;
  lengths_ = std::move(lengths);
  for (std::size_t i = 0; i < missing.size(); ++i)
    products_[missing[i]] = std::move(products[i]);
  return true;
}

bool CellProducts::covers(const std::vector<Eigen::Index> &given, Eigen::Index child) const {
  const auto known = [this](Eigen::Index i) { return products_.find(i) != products_.end(); };
  if (given.empty())
    return lengths_.size() > 0;
  return known(child) && std::all_of(given.begin(), given.end(), known);
}

double CellProducts::log_likelihood(const std::vector<Eigen::Index> &given,
                                    Eigen::Index child) const {
  const auto regressors = static_cast<double>(given.size());
  for (const double total : total_)
    if (total <= regressors + 1)
      return kLogZero;
  double sum = 0;
  for (std::size_t c = 0; c < total_.size(); ++c) {
    const double rss = residual_in(static_cast<Eigen::Index>(c), given, child);
    sum += gaussian_log_likelihood(total_[c], regressors, std::sqrt(rss));
  }
  return sum;
}

// The columns of the regressors in a cell, then the child's.
std::vector<const double *> CellProducts::columns_of(Eigen::Index cell,
                                                     const std::vector<Eigen::Index> &given,
                                                     Eigen::Index child) const {
  std::vector<const double *> columns;
  for (const Eigen::Index i : given)
    columns.push_back(products_.at(i).col(cell).data());
  columns.push_back(products_.at(child).col(cell).data());
  return columns;
}

double CellProducts::residual_in(Eigen::Index cell, const std::vector<Eigen::Index> &given,
                                 Eigen::Index child) const {
  if (given.empty())
    return lengths_(child, cell);
  ResidualProducts residual;
  residual.regress_child(columns_of(cell, given, child), child, given);
  return residual.exact() ? residual.rss() : kTooFewDigits;
}

std::vector<double> CellProducts::extend(const std::vector<Eigen::Index> &given,
                                         const std::vector<Eigen::Index> &added,
                                         Eigen::Index child) const {
  const auto regressors = static_cast<double>(given.size() + 1);
  std::vector<double> sums(added.size(), 0);
  ResidualProducts residual;
  for (std::size_t c = 0; c < total_.size(); ++c) {
    if (total_[c] <= regressors + 1)
      return std::vector<double>(added.size(), kLogZero);
    const auto cell = static_cast<Eigen::Index>(c);
    residual.regress(lengths_.col(cell), columns_of(cell, given, child), child, given);
    for (std::size_t j = 0; j < added.size(); ++j)
      sums[j] += residual.exact(added[j])
                     ? gaussian_log_likelihood(total_[c], regressors,
                                               std::sqrt(residual.rss_with(added[j])))
                     : kTooFewDigits;
  }
  return sums;
}

std::vector<double> CellProducts::reduce(const std::vector<Eigen::Index> &given,
                                         Eigen::Index child) const {
  const auto regressors = static_cast<double>(given.size() - 1);
  std::vector<double> sums(given.size(), 0);
  ResidualProducts residual;
  for (std::size_t c = 0; c < total_.size(); ++c) {
    if (total_[c] <= regressors + 1)
      return std::vector<double>(given.size(), kLogZero);
    residual.regress_child(columns_of(static_cast<Eigen::Index>(c), given, child), child, given);
    if (!residual.exact())
      return std::vector<double>(given.size(), kTooFewDigits);
    const ResidualProducts::Reduced reduced = residual.reduce();
    for (std::size_t j = 0; j < given.size(); ++j)
      sums[j] += gaussian_log_likelihood(total_[c], regressors,
                                         std::sqrt(reduced.rss[static_cast<Eigen::Index>(j)]));
  }
  return sums;
}

} // namespace optbn
