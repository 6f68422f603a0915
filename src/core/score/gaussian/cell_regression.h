// Regressions of Gaussian columns within cells of rows, their log-likelihoods summed over the
// cells.
//
// With N rows and g regressors, least squares leaves the residual sum of squares RSS, and
//     log-likelihood = -N/2 log(2 pi s^2) - (N - g - 1)/2,   s^2 = RSS / (N - g - 1)
// (the unbiased variance, as bnlearn and lm use it). A cell with N <= g + 1 rows, or without
// residual variance, has no density: -infinity.
#pragma once

#include "core/base/host.h"
#include "core/score/gaussian/cell_rows.h"
#include "core/score/gaussian/residual_products.h"

#include <map>

namespace optbn {

// `residual`: the root of RSS.
double gaussian_log_likelihood(double rows, double regressors, double residual);

// A few columns, from their cross products. Of the same columns every one comes out the same,
// whatever others are there.
class CellRegression {
public:
  // The rows must outlive it.
  CellRegression(const Dataset &data, const CellRows &rows, const std::vector<Node> &columns);

  // Columns by their place in the list. NaN where there are too few digits.
  double log_likelihood(const std::vector<Eigen::Index> &given, Eigen::Index child) const;

private:
  const CellRows &rows_;
  std::vector<Eigen::MatrixXd> products_; // of every cell
};

// Any column and any further one, from cross products that are learned as they are wanted. Columns
// go by number, in the list that each call names.
class CellProducts {
public:
  CellProducts() = default;
  explicit CellProducts(CellRows rows) : rows_(std::move(rows)), total_(rows_.totals()) {}
  // All there is to know, of cells that weigh so much.
  CellProducts(const std::vector<double> &total, const std::vector<Eigen::MatrixXd> &products);

  const CellRows &rows() const { return rows_; }
  double bytes() const;

  // Learns the lengths of all columns, and the products of some with all. False when the watch
  // stops.
  bool learn(const Dataset &data, const std::vector<Node> &columns,
             const std::vector<Eigen::Index> &wanted, Watch &watch);

  // May the others be asked about these?
  bool know(const std::vector<Eigen::Index> &given, Eigen::Index child) const;

  // NaN where there are too few digits.
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

  CellRows rows_; // no cells where all is known
  std::vector<double> total_;
  Eigen::ArrayXXd lengths_;                          // squared; a column per cell, as below
  std::map<Eigen::Index, Eigen::ArrayXXd> products_; // of a column with every one
};

} // namespace optbn
