#include "core/score/column_factor.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace optbn {

namespace {
constexpr double kCollinear = 1e-7;
constexpr double kRounding = 1e-11;
constexpr Eigen::Index kPanel = 48, kSlice = 128; // columns
constexpr double kLost = 1e-13;                   // of a squared length
} // namespace

ColumnFactor::ColumnFactor(Eigen::MatrixXd matrix)
    : matrix_(std::move(matrix)), length_(matrix_.colwise().norm()) {}

void ColumnFactor::reflect_panel() {
  const Eigen::Index width = std::min(kPanel, std::min(matrix_.rows(), matrix_.cols()) - done_);
  Eigen::Ref<Eigen::MatrixXd> panel = matrix_.block(done_, done_, matrix_.rows() - done_, width);
  const Eigen::HouseholderQR<Eigen::Ref<Eigen::MatrixXd>> qr(panel); // in place
  coefficients_ = qr.hCoeffs();
  reflected_ = done_ + width;
}

// Panel by panel (Golub & Van Loan 2013, 5.2.3), so that there are moments to stop at.
bool ColumnFactor::factorise(Watch &watch) {
  const Eigen::Index columns = matrix_.cols(), rows = std::min(matrix_.rows(), columns);
  while (done_ < rows) {
    if (reflected_ == 0)
      reflect_panel();
    const Eigen::Index below = matrix_.rows() - done_;
    const auto reflections = Eigen::householderSequence(
        matrix_.block(done_, done_, below, coefficients_.size()), coefficients_);
    for (; reflected_ < columns; reflected_ += kSlice) {
      if (watch.stopped())
        return false;
      matrix_.block(done_, reflected_, below, std::min(kSlice, columns - reflected_))
          .applyOnTheLeft(reflections.transpose());
    }
    done_ += coefficients_.size();
    reflected_ = 0;
  }
  if (!is_factorised())
    triangle_ = matrix_.topRows(rows).triangularView<Eigen::Upper>();
  matrix_.resize(0, 0);
  return true;
}

Eigen::MatrixXd ColumnFactor::products(Watch &watch) const {
  const Eigen::Index n = triangle_.cols();
  Eigen::MatrixXd lower(n, n);
  for (Eigen::Index from = 0; from < n; from += kPanel) {
    if (watch.stopped())
      return {};
    const Eigen::Index width = std::min(kPanel, n - from);
    const Eigen::Index rows = std::min(triangle_.rows(), from + width); // below is nothing
    lower.block(from, 0, width, from + width).noalias() =
        triangle_.block(0, from, rows, width).transpose() *
        triangle_.topLeftCorner(rows, from + width);
  }
  return lower.selfadjointView<Eigen::Lower>();
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
  if (columns.size() == 1)
    lengths.assign(1, length_[columns[0]]);
  else
    orthogonalise(columns, work, lengths);
}

void ColumnFactor::orthogonalise(const std::vector<Eigen::Index> &columns, Eigen::MatrixXd &work,
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
  orthogonalise(columns, lengths.basis, lengths.given);
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
