// Regressions of Gaussian columns within cells of rows, their log-likelihoods summed over the
// cells.
//
// With N rows and g regressors, least squares leaves the residual sum of squares RSS, and
//     log-likelihood = -N/2 log(2 pi s^2) - (N - g - 1)/2,   s^2 = RSS / (N - g - 1)
// (the unbiased variance, as bnlearn and lm use it). A cell with N <= g + 1 rows, or without
// residual variance, has no density: -infinity.
#pragma once

#include "core/base/host.h"
#include "core/score/cell_rows.h"
#include "core/score/gaussian/residual_products.h"

#include <map>

namespace optbn {

// `residual`: the root of RSS.
double gaussian_log_likelihood(double rows, double regressors, double residual);

// Regressions of a few columns, from their cross products. The result for given columns does not
// depend on the other columns in the list.
class CellRegression {
public:
  // The rows must outlive it.
  CellRegression(const Dataset &data, const CellRows &rows, const std::vector<Node> &columns);

  // Columns by their position in the list. NaN if there are too few digits.
  double log_likelihood(const std::vector<Eigen::Index> &given, Eigen::Index child) const;

private:
  const CellRows &rows_;
  std::vector<Eigen::MatrixXd> products_; // of every cell
};

// Regressions of any column on any others, from cross products that are computed when needed.
// Columns are numbered as in the list that each call gives.
class CellProducts {
public:
  CellProducts() = default;
  explicit CellProducts(CellRows rows) : rows_(std::move(rows)), total_(rows_.totals()) {}
  // From all products, of cells with these weights.
  CellProducts(const std::vector<double> &total, const std::vector<Eigen::MatrixXd> &products);

  const CellRows &rows() const { return rows_; }
  double bytes() const;

  // Computes the lengths of all columns, and the products of some with all. False when the watch
  // stops.
  bool compute(const Dataset &data, const std::vector<Node> &columns,
               const std::vector<Eigen::Index> &needed, Watch &watch);

  // Are the products known that the following functions need for these columns?
  bool covers(const std::vector<Eigen::Index> &given, Eigen::Index child) const;

  // NaN if there are too few digits.
  double log_likelihood(const std::vector<Eigen::Index> &given, Eigen::Index child) const;
  // The same with each of some further regressors.
  std::vector<double> extend(const std::vector<Eigen::Index> &given,
                             const std::vector<Eigen::Index> &added, Eigen::Index child) const;
  // The same without each of the regressors, of which there is one at least.
  std::vector<double> reduce(const std::vector<Eigen::Index> &given, Eigen::Index child) const;

private:
  std::vector<const double *> columns_of(Eigen::Index cell, const std::vector<Eigen::Index> &given,
                                         Eigen::Index child) const;
  // RSS, or NaN.
  double residual_in(Eigen::Index cell, const std::vector<Eigen::Index> &given,
                     Eigen::Index child) const;

  CellRows rows_; // no cells if all products were given
  std::vector<double> total_;
  Eigen::ArrayXXd lengths_; // squared; one column per cell, as in products_
  std::map<Eigen::Index, Eigen::ArrayXXd> products_; // of one column with all
};

} // namespace optbn
