#include "core/score/column_factor.h"

#include <algorithm>
#include <cmath>

namespace optbn {

namespace {
constexpr double kCollinear = 1e-7;
constexpr double kLost = 1e-13; // of a squared length
} // namespace

ColumnFactor::ColumnFactor(const Eigen::MatrixXd &matrix) {
  const Eigen::Index rows = std::min(matrix.rows(), matrix.cols());
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(matrix);
  triangle_ = qr.matrixQR().topRows(rows).triangularView<Eigen::Upper>();
  length_ = triangle_.colwise().norm();
}

ColumnFactor ColumnFactor::of_products(const Eigen::MatrixXd &products) {
  ColumnFactor factor;
  Eigen::MatrixXd &triangle = factor.triangle_;
  triangle = Eigen::MatrixXd::Zero(products.rows(), products.cols());
  for (Eigen::Index j = 0; j < products.cols(); ++j) {
    const double left = products(j, j) - triangle.col(j).head(j).squaredNorm();
    if (left <= kLost * products(j, j))
      continue;
    triangle(j, j) = std::sqrt(left);
    for (Eigen::Index i = j + 1; i < products.cols(); ++i)
      triangle(j, i) =
          (products(j, i) - triangle.col(j).head(j).dot(triangle.col(i).head(j))) / triangle(j, j);
  }
  factor.length_ = triangle.colwise().norm();
  return factor;
}

void ColumnFactor::residual_lengths(const std::vector<Eigen::Index> &columns, Eigen::MatrixXd &work,
                                    std::vector<double> &lengths) const {
  work.resize(triangle_.rows(), static_cast<Eigen::Index>(columns.size()));
  lengths.clear();
  Eigen::Index directions = 0; // columns of work that hold the orthonormal basis so far
  for (const Eigen::Index column : columns) { // modified Gram-Schmidt
    auto left = work.col(directions);
    left = triangle_.col(column);
    for (Eigen::Index i = 0; i < directions; ++i)
      left -= work.col(i).dot(left) * work.col(i);
    const double length = left.norm();
    const bool independent = length > kCollinear * length_[column];
    lengths.push_back(independent ? length : 0);
    if (independent) {
      left /= length;
      ++directions;
    }
  }
}

} // namespace optbn
