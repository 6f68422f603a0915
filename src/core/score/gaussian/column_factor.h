// ColumnFactor: the geometry of a matrix's columns, for regressions of any of them on any others.
//
// One QR decomposition replaces N rows by at most n (the triangular factor), whose columns have the
// same inner products. Orthogonalising a few of its columns, one after the other, leaves of each
// the length that those before it do not explain: squared, a residual sum of squares; multiplied, a
// determinant. Never forming cross products keeps twice the digits when columns are nearly
// collinear; where there are only cross products, as of rows that are not here, Cholesky's
// decomposition is what is left.
//
// Cost: O(N n^2) once (O(n^3) of cross products), O(n k^2) for k columns, O(n k) for one more.
// Thread-safe once it
// is factorised.
#pragma once

#include "core/base/host.h"

#include <Eigen/Dense>

#include <vector>

namespace optbn {

class ColumnFactor {
public:
  // Of the columns alone there is nothing to be done.
  explicit ColumnFactor(Eigen::MatrixXd matrix);

  // Decomposes the matrix, which all but the lengths of single columns want. False when the watch
  // stops; another call goes on from there.
  bool factorise(Watch &watch);
  bool is_factorised() const { return matrix_.size() == 0; }

  // Of a matrix with these cross products. A column of whose length a share of at most 3e-7 is left
  // by those before it counts as within their span: rounding hides what is less.
  static ColumnFactor of_products(const Eigen::MatrixXd &products);

  // The factor itself: upper triangular, a row per independent row of the matrix at most.
  const Eigen::MatrixXd &triangle() const { return triangle_; }

  // The cross products of all columns; an empty matrix when the watch stops.
  Eigen::MatrixXd products(Watch &watch) const;

  // Columns made orthonormal one after the other. Scratch space of one thread and one factor: a
  // list that begins as the last one did goes on from there.
  struct Basis {
    std::vector<Eigen::Index> columns;
    std::vector<double> lengths;          // of each column beyond the span of those before it
    std::vector<Eigen::Index> directions; // the dimension of that span
    Eigen::MatrixXd vectors;
  };

  // Length of `child` beyond the span of `given`, whose own lengths are the basis's then. 0 when it
  // lies in that span: of a given column, as lm() judges regressors, when a share of at most 1e-7
  // is left; of the child as little as rounding leaves digits of is kept: however good a fit, it is
  // one.
  double residual_length(const std::vector<Eigen::Index> &given, Eigen::Index child,
                         Basis &basis) const;

  // The same with each of some other columns as one more that is given.
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
  // What a column leaves beyond so many directions of the basis becomes its next vector. Its
  // length.
  double project(Eigen::Index column, Eigen::Index directions, bool response, Basis &basis) const;
  // The Householder reflections of the panel that is at its turn.
  void reflect_panel();

  Eigen::MatrixXd matrix_;     // while it is decomposed: the first columns are done, and those of a
  Eigen::Index done_ = 0;      // panel, whose reflections all before `reflected_` have met; 0 if
  Eigen::Index reflected_ = 0; // there is no such panel
  Eigen::VectorXd coefficients_; // of these reflections
  Eigen::MatrixXd triangle_;
  Eigen::VectorXd length_;
  bool from_products_ = false;
};

} // namespace optbn
