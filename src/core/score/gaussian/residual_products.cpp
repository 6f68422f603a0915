#include "core/score/gaussian/residual_products.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace optbn {

namespace {

// The columns of the given columns, then the child's.
std::vector<const double *> columns_of(const Eigen::MatrixXd &products, Eigen::Index child,
                                       const std::vector<Eigen::Index> &given) {
  std::vector<const double *> columns;
  for (const Eigen::Index pivot : given)
    columns.push_back(products.col(pivot).data());
  columns.push_back(products.col(child).data());
  return columns;
}

} // namespace

void ResidualProducts::regress(const Eigen::MatrixXd &products, Eigen::Index child,
                               const std::vector<Eigen::Index> &given) {
  regress(products.diagonal().array(), columns_of(products, child, given), child, given);
}

void ResidualProducts::regress(const Eigen::Ref<const Eigen::ArrayXd> &diagonal,
                               const std::vector<const double *> &columns, Eigen::Index child,
                               const std::vector<Eigen::Index> &given) {
  using Column = Eigen::Map<const Eigen::ArrayXd>;
  child_ = child;
  exact_ = true;
  least_share_ = 1;
  log_determinant_ = 0;
  length_ = diagonal;
  rss_ = length_;
  product_ = Column(columns.back(), length_.size());
  rows_.resize(length_.size(), static_cast<Eigen::Index>(given.size()));
  for (Eigen::Index i = 0; i < rows_.cols(); ++i) {
    const Eigen::Index pivot = given[static_cast<std::size_t>(i)];
    if (rss_[pivot] <= kShare * length_[pivot]) {
      exact_ = false;
      return;
    }
    least_share_ = std::min(least_share_, rss_[pivot] / length_[pivot]);
    auto row = rows_.col(i);
    row = Column(columns[static_cast<std::size_t>(i)], length_.size()).matrix();
    if (i > 0)
      row.noalias() -= rows_.leftCols(i) * rows_.row(pivot).head(i).transpose();
    row /= std::sqrt(rss_[pivot]);
    log_determinant_ += std::log(rss_[pivot]);
    rss_ -= row.array().square();
    product_ -= row[child] * row.array();
  }
}

void ResidualProducts::regress_child(const Eigen::MatrixXd &products, Eigen::Index child,
                                     const std::vector<Eigen::Index> &given) {
  regress_child(columns_of(products, child, given), child, given);
}

ResidualProducts::Reduced ResidualProducts::reduce() const {
  const Eigen::Index given = rows_.cols();
  const Eigen::MatrixXd inverse = rows_.topRows(given).triangularView<Eigen::Lower>().solve(
      Eigen::MatrixXd::Identity(given, given));
  Reduced reduced;
  reduced.determinant = inverse.colwise().squaredNorm().transpose().array();
  reduced.rss =
      rss() + (rows_.row(child_) * inverse).transpose().array().square() / reduced.determinant;
  return reduced;
}

void ResidualProducts::regress_child(const std::vector<const double *> &columns, Eigen::Index child,
                                     const std::vector<Eigen::Index> &given) {
  std::vector<Eigen::Index> family = given, first(given.size());
  family.push_back(child);
  std::iota(first.begin(), first.end(), Eigen::Index{0});
  const auto size = static_cast<Eigen::Index>(family.size());
  family_.resize(size, size);
  for (Eigen::Index a = 0; a < size; ++a)
    for (Eigen::Index b = 0; b < size; ++b)
      family_(b, a) = columns[static_cast<std::size_t>(a)][family[static_cast<std::size_t>(b)]];
  regress(family_, size - 1, first);
}

} // namespace optbn
