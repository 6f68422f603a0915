#include "core/score/column_factor.h"

#include <algorithm>
#include <cmath>

namespace optbn {

namespace {
constexpr double kCollinear = 1e-7;
constexpr double kRounding = 1e-11;
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
  factor.from_products_ = true;
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

// Of a column's length: less counts as nothing.
double ColumnFactor::least_share(bool response) const {
  return response && !from_products_ ? kRounding : kCollinear;
}

void ColumnFactor::residual_lengths(const std::vector<Eigen::Index> &columns, Eigen::MatrixXd &work,
                                    std::vector<double> &lengths) const {
  work.resize(triangle_.rows(), static_cast<Eigen::Index>(columns.size()));
  lengths.clear();
  Eigen::Index directions = 0; // columns of work that hold the orthonormal basis so far
  for (const Eigen::Index &column : columns) { // modified Gram-Schmidt
    auto left = work.col(directions);
    left = triangle_.col(column);
    for (Eigen::Index i = 0; i < directions; ++i)
      left -= work.col(i).dot(left) * work.col(i);
    const double length = left.norm();
    const bool independent = length > least_share(&column == &columns.back()) * length_[column];
    lengths.push_back(independent ? length : 0);
    if (independent) {
      left /= length;
      ++directions;
    }
  }
}

void ColumnFactor::extend_lengths(const std::vector<Eigen::Index> &given,
                                  const std::vector<Eigen::Index> &added, Eigen::Index child,
                                  ExtendedLengths &lengths) const {
  std::vector<Eigen::Index> columns = given;
  columns.push_back(child);
  residual_lengths(columns, lengths.basis, lengths.given);
  const double child_left = lengths.given.back();
  lengths.given.pop_back();
  const auto directions = static_cast<Eigen::Index>(std::count_if(
      lengths.given.begin(), lengths.given.end(), [](double one) { return one > 0; }));
  const auto basis = lengths.basis.leftCols(directions);
  const auto width = static_cast<Eigen::Index>(added.size());
  Eigen::MatrixXd &left = lengths.residuals;
  left.resize(triangle_.rows(), width);
  for (Eigen::Index j = 0; j < width; ++j)
    left.col(j) = triangle_.col(added[static_cast<std::size_t>(j)]);
  for (int pass = 0; pass < 2; ++pass) // the second takes out what rounding left of the first
    left -= basis * (basis.transpose() * left).eval();
  lengths.added = left.colwise().norm().array();
  lengths.child.setConstant(width, child_left);
  if (child_left == 0)
    return;
  const Eigen::VectorXd direction = lengths.basis.col(directions) * child_left;
  for (Eigen::Index j = 0; j < width; ++j) {
    const Eigen::Index u = added[static_cast<std::size_t>(j)];
    if (lengths.added[j] <= least_share(false) * length_[u]) {
      lengths.added[j] = 0; // tells nothing of the child
      continue;
    }
    const double share = direction.dot(left.col(j)) / (lengths.added[j] * lengths.added[j]);
    const double beyond = (direction - share * left.col(j)).norm();
    lengths.child[j] = beyond > least_share(true) * length_[child] ? beyond : 0;
  }
}

} // namespace optbn
