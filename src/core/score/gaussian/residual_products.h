// ResidualProducts: residual sums of squares of all columns given some, and of one child.
//
// Greedy search needs to know how much of a child each further parent would explain. With P
// regressed out, the child has a residual sum of squares r, column u has s, and their inner product
// is c: adding u leaves r - c^2 / s of the child. The Cholesky factor of the cross products, with
// pivots in P first, gives r, and s and c of every u, in O(n |P|^2).
//
// Cross products have half the digits of an orthogonalisation (column_factor.h): where most of a
// length is explained, exact() is false and another method should be used. Belongs to one thread.
#pragma once

#include <Eigen/Core>

#include <vector>

namespace optbn {

class ResidualProducts {
public:
  // Regresses `given` out of all columns, whose cross products these are.
  void regress(const Eigen::MatrixXd &products, Eigen::Index child,
               const std::vector<Eigen::Index> &given);

  // The same from the columns that this needs, those of `given` and then the child's, and the
  // diagonal.
  void regress(const Eigen::Ref<const Eigen::ArrayXd> &diagonal,
               const std::vector<const double *> &columns, Eigen::Index child,
               const std::vector<Eigen::Index> &given);

  // Both, for the child only, in O(|P|^3).
  void regress_child(const Eigen::MatrixXd &products, Eigen::Index child,
                     const std::vector<Eigen::Index> &given);
  void regress_child(const std::vector<const double *> &columns, Eigen::Index child,
                     const std::vector<Eigen::Index> &given);

  // After the second: the same figures without each of the given columns, in their order. With A
  // the products of P and b theirs with the child, leaving out column j leaves r + (A^-1 b)_j^2 /
  // (A^-1)_jj of the child, and (A^-1)_jj times the determinant.
  struct Reduced {
    Eigen::ArrayXd rss, determinant;
  };
  Reduced reduce() const;

  double log_determinant() const { return log_determinant_; } // of the products of `given`
  double rss() const { return rss_[child_]; }                 // r
  double rss_with(Eigen::Index u) const {                     // r - c^2 / s
    return rss_[child_] - product_[u] * product_[u] / rss_[u];
  }
  double rss_of(Eigen::Index u) const { return rss_[u]; } // s

  // Do the results of the child have enough digits, and those of this column? They have some 16,
  // less those that cancel when a residual is as small as this share of a squared length.
  bool exact_to(double share) const {
    return exact_ && least_share_ > share && rss() > share * length_[child_];
  }
  bool exact() const { return exact_to(kShare); }
  bool exact(Eigen::Index u) const {
    return exact_ && rss_[u] > kShare * length_[u] && rss_with(u) > kShare * length_[child_];
  }

private:
  static constexpr double kShare = 1e-6;

  Eigen::Index child_ = 0;
  bool exact_ = true;
  double least_share_ = 1; // of a given column, its residual given those before it
  double log_determinant_ = 0;
  Eigen::ArrayXd length_, rss_, product_; // squared lengths; products with the child
  Eigen::MatrixXd rows_;                  // of Cholesky's factor, a column per given column
  Eigen::MatrixXd family_;                // the products of the given columns and the child
};

} // namespace optbn
