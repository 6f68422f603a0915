// ColumnFactor: a QR factor of a matrix, for regressions of any of its columns on any others.
//
// One QR decomposition replaces N rows by at most n (the triangular factor), whose columns have the
// same inner products. Orthogonalising a few of its columns, one after the other, gives the length
// of each that those before it do not explain: its square is a residual sum of squares; the product
// of all is a determinant. A QR decomposition keeps twice the digits of cross products when columns
// are nearly collinear; where there are only cross products, as for rows of a source, their
// Cholesky factor replaces it.
//
// Cost: O(N n^2) once (O(n^3) of cross products), O(n k^2) for k columns, O(n k) for one more.
// Thread-safe once it is factorised.
#pragma once

#include "core/base/host.h"

#include <Eigen/Core>

#include <vector>

namespace optbn {

class ColumnFactor {
public:
  // Shares of a column's length, below which what the others leave counts as 0: of a given column,
  // as in lm(), and of a response, of which no digits remain then.
  static constexpr double kCollinear = 1e-7, kRounding = 1e-11;

  // Computes only the lengths of the columns.
  explicit ColumnFactor(Eigen::MatrixXd matrix);

  // Decomposes the matrix, as all but the lengths of single columns needs. False when the watch
  // stops; another call goes on from there.
  bool factorise(Watch &watch);
  bool is_factorised() const { return matrix_.size() == 0; }

  // For a matrix with these cross products. A column whose residual, given those before it, is at
  // most 3e-7 of its length counts as within their span: less is lost in rounding.
  static ColumnFactor of_products(const Eigen::MatrixXd &products);

  // The factor itself: upper triangular, a row per independent row of the matrix at most.
  const Eigen::MatrixXd &triangle() const { return triangle_; }

  // The cross products of all columns; an empty matrix when the watch stops.
  Eigen::MatrixXd products(Watch &watch) const;

  // The squared length of each column beyond the span of all others, or less by a billionth: what
  // rounding may have raised. All 0 where some column lies in that span. Empty when the watch stops.
  std::vector<double> least_squares(Watch &watch) const;

  // Columns made orthonormal one after the other. Scratch space of one thread and one factor: the
  // common prefix with the last list is reused.
  struct Basis {
    std::vector<Eigen::Index> columns;
    std::vector<double> lengths;          // of each column beyond the span of those before it
    std::vector<Eigen::Index> directions; // the dimension of that span
    Eigen::MatrixXd vectors;
  };

  // Length of `child` beyond the span of `given`, whose own residual lengths are then those of the
  // basis. 0 when it lies in that span: for a given column, when at most 1e-7 of its length
  // remains, as in lm(); for the child, only when no digits remain, since even a very good fit is a
  // fit.
  double residual_length(const std::vector<Eigen::Index> &given, Eigen::Index child,
                         Basis &basis) const;

  // The same with each of some other columns added to the given ones.
  struct ExtendedLengths {
    Basis basis;                 // of the given ones
    Eigen::ArrayXd added, child; // of every other column, and of the child beyond it
    Eigen::MatrixXd residuals;   // scratch space
  };
  void extend_lengths(const std::vector<Eigen::Index> &given,
                      const std::vector<Eigen::Index> &added, Eigen::Index child,
                      ExtendedLengths &lengths) const;

private:
  ColumnFactor() = default;

  double least_share(bool response) const;
  void orthogonalise(const std::vector<Eigen::Index> &columns, Basis &basis) const;
  // The residual of a column beyond so many directions of the basis becomes its next vector.
  // Returns its length.
  double project(Eigen::Index column, Eigen::Index directions, bool response, Basis &basis) const;
  // Computes the Householder reflections of the next panel.
  void reflect_panel();

  Eigen::MatrixXd matrix_;       // during decomposition
  Eigen::Index done_ = 0;        // so many columns are finished
  Eigen::Index reflected_ = 0;   // the panel's reflections are applied before it; 0: no panel
  Eigen::VectorXd coefficients_; // of these reflections
  Eigen::MatrixXd triangle_;
  Eigen::VectorXd length_;
  bool from_products_ = false;
};

} // namespace optbn
