#include "core/score/residual_products.h"

#include <cmath>
#include <numeric>

namespace optbn {

void ResidualProducts::regress(const Eigen::MatrixXd &products, Eigen::Index child,
                               const std::vector<Eigen::Index> &given) {
  child_ = child;
  exact_ = true;
  log_determinant_ = 0;
  length_ = products.diagonal().array();
  left_ = length_;
  shared_ = products.col(child).array();
  rows_.resize(products.rows(), static_cast<Eigen::Index>(given.size()));
  for (Eigen::Index i = 0; i < rows_.cols(); ++i) {
    const Eigen::Index pivot = given[static_cast<std::size_t>(i)];
    if (left_[pivot] <= kShare * length_[pivot]) {
      exact_ = false;
      return;
    }
    auto row = rows_.col(i);
    row = products.col(pivot);
    if (i > 0)
      row.noalias() -= rows_.leftCols(i) * rows_.row(pivot).head(i).transpose();
    row /= std::sqrt(left_[pivot]);
    log_determinant_ += std::log(left_[pivot]);
    left_ -= row.array().square();
    shared_ -= row[child] * row.array();
  }
}

void ResidualProducts::regress_child(const Eigen::MatrixXd &products, Eigen::Index child,
                                     const std::vector<Eigen::Index> &given) {
  std::vector<Eigen::Index> columns = given, first(given.size());
  columns.push_back(child);
  std::iota(first.begin(), first.end(), Eigen::Index{0});
  const auto size = static_cast<Eigen::Index>(columns.size());
  family_.resize(size, size);
  for (Eigen::Index a = 0; a < size; ++a)
    for (Eigen::Index b = 0; b < size; ++b)
      family_(a, b) =
          products(columns[static_cast<std::size_t>(a)], columns[static_cast<std::size_t>(b)]);
  regress(family_, size - 1, first);
}

} // namespace optbn
