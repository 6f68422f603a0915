#include "core/score/gaussian/column_factor.h"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <utility>

namespace optbn {

namespace {
constexpr Eigen::Index kPanel = 48, kSlice = 128, kColumnsAtOnce = 64;
constexpr double kRaised = 1e-9;     // share by which rounding may have raised a square
constexpr double kCancelled = 1e-13; // of a squared length
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

// Panel by panel (Golub & Van Loan 2013, 5.2.3), so that the watch can stop it between panels.
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
    const Eigen::Index rows = std::min(triangle_.rows(), from + width); // below are zeros
    lower.block(from, 0, width, from + width).noalias() =
        triangle_.block(0, from, rows, width).transpose() *
        triangle_.topLeftCorner(rows, from + width);
  }
  return lower.selfadjointView<Eigen::Lower>();
}

std::vector<double> ColumnFactor::least_squares(Watch &watch) const {
  const Eigen::Index n = triangle_.cols();
  std::vector<double> least(static_cast<std::size_t>(n), 0);
  if (triangle_.rows() < n || triangle_.diagonal().cwiseAbs().minCoeff() == 0)
    return least;
  // Row v of the inverse is the direction of column v that all others leave, divided by its length.
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(n);
  for (Eigen::Index from = 0; from < n; from += kColumnsAtOnce) {
    if (watch.stopped())
      return {};
    const Eigen::Index width = std::min(kColumnsAtOnce, n - from);
    const Eigen::MatrixXd inverse = triangle_.triangularView<Eigen::Upper>().solve(
        Eigen::MatrixXd::Identity(n, n).middleCols(from, width));
    squares += inverse.rowwise().squaredNorm();
  }
  for (Eigen::Index v = 0; v < n; ++v)
    least[static_cast<std::size_t>(v)] = (1 - kRaised) / squares[v];
  return least;
}

ColumnFactor ColumnFactor::of_products(const Eigen::MatrixXd &products) {
  ColumnFactor factor;
  factor.from_products_ = true;
  Eigen::MatrixXd &triangle = factor.triangle_;
  triangle = Eigen::MatrixXd::Zero(products.rows(), products.cols());
  for (Eigen::Index j = 0; j < products.cols(); ++j) {
    const double residual = products(j, j) - triangle.col(j).head(j).squaredNorm();
    if (residual <= kCancelled * products(j, j))
      continue;
    triangle(j, j) = std::sqrt(residual);
    for (Eigen::Index i = j + 1; i < products.cols(); ++i)
      triangle(j, i) =
          (products(j, i) - triangle.col(j).head(j).dot(triangle.col(i).head(j))) / triangle(j, j);
  }
  factor.length_ = triangle.colwise().norm();
  return factor;
}

double ColumnFactor::least_share(bool response) const {
  return response && !from_products_ ? kRounding : kCollinear;
}

double ColumnFactor::residual_length(const std::vector<Eigen::Index> &given, Eigen::Index child,
                                     Basis &basis) const {
  if (given.empty())
    return length_[child];
  orthogonalise(given, basis);
  return project(child, basis.directions.back(), true, basis);
}

double ColumnFactor::project(Eigen::Index column, Eigen::Index directions, bool response,
                             Basis &basis) const { // modified Gram-Schmidt
  auto residual = basis.vectors.col(directions);
  residual = triangle_.col(column);
  for (Eigen::Index i = 0; i < directions; ++i)
    residual -= basis.vectors.col(i).dot(residual) * basis.vectors.col(i);
  const double length = residual.norm();
  return length > least_share(response) * length_[column] ? length : 0;
}

void ColumnFactor::orthogonalise(const std::vector<Eigen::Index> &columns, Basis &basis) const {
  const auto width = static_cast<Eigen::Index>(columns.size()) + 1; // the child's is the last
  if (basis.vectors.cols() < width)
    basis.vectors.conservativeResize(triangle_.rows(), width);
  const auto common =
      std::mismatch(columns.begin(), columns.end(), basis.columns.begin(), basis.columns.end())
          .first -
      columns.begin();
  basis.columns = columns;
  basis.lengths.resize(static_cast<std::size_t>(common));
  basis.directions.resize(static_cast<std::size_t>(common) + 1); // none before the first
  for (auto column = columns.begin() + common; column != columns.end(); ++column) {
    const Eigen::Index directions = basis.directions.back();
    const double length = project(*column, directions, false, basis);
    if (length > 0)
      basis.vectors.col(directions) /= length;
    basis.lengths.push_back(length);
    basis.directions.push_back(directions + (length > 0 ? 1 : 0));
  }
}

void ColumnFactor::extend_lengths(const std::vector<Eigen::Index> &given,
                                  const std::vector<Eigen::Index> &added, Eigen::Index child,
                                  ExtendedLengths &lengths) const {
  Basis &basis = lengths.basis;
  orthogonalise(given, basis);
  const Eigen::Index directions = basis.directions.back();
  const double child_residual = project(child, directions, true, basis);
  const auto span = basis.vectors.leftCols(directions);
  const auto width = static_cast<Eigen::Index>(added.size());
  Eigen::MatrixXd &residual = lengths.residuals;
  residual.resize(triangle_.rows(), width);
  for (Eigen::Index j = 0; j < width; ++j)
    residual.col(j) = triangle_.col(added[static_cast<std::size_t>(j)]);
  for (int pass = 0; pass < 2; ++pass) // the second removes the rounding errors of the first
    residual -= span * (span.transpose() * residual).eval();
  lengths.added = residual.colwise().norm().array();
  lengths.child.setConstant(width, child_residual);
  if (child_residual == 0)
    return;
  const Eigen::VectorXd direction = basis.vectors.col(directions);
  for (Eigen::Index j = 0; j < width; ++j) {
    const Eigen::Index u = added[static_cast<std::size_t>(j)];
    if (lengths.added[j] <= least_share(false) * length_[u]) {
      lengths.added[j] = 0; // gives no information about the child
      continue;
    }
    const double share = direction.dot(residual.col(j)) / (lengths.added[j] * lengths.added[j]);
    const double beyond = (direction - share * residual.col(j)).norm();
    lengths.child[j] = beyond > least_share(true) * length_[child] ? beyond : 0;
  }
}

} // namespace optbn
