// ResidualProducts: what some columns leave unexplained of all others, and of one in particular.
//
// Greedy search asks how much of a child each further parent would explain. With P regressed out,
// the child keeps a squared length r, column u keeps s, and their inner product is c: adding u
// leaves r - c^2 / s of the child. Cholesky's decomposition of the cross products, pivots in P
// first, gives r, and s and c of every u, in O(n |P|^2).
//
// Cross products hold half the digits that an orthogonalisation keeps (column_factor.h): where most
// of a length is gone, exact() is false and the figures should be found otherwise. Belongs to one
// thread.
#pragma once

#include <Eigen/Dense>

#include <vector>

namespace optbn {

class ResidualProducts {
public:
  // Regresses `given` out of all columns, whose cross products these are.
  void regress(const Eigen::MatrixXd &products, Eigen::Index child,
               const std::vector<Eigen::Index> &given);

  // The same where only the columns that this reads are there, those of `given` and then the
  // child's, and the diagonal.
  void regress(const Eigen::Ref<const Eigen::ArrayXd> &diagonal,
               const std::vector<const double *> &columns, Eigen::Index child,
               const std::vector<Eigen::Index> &given);

  // Both, out of the child alone, in O(|P|^3).
  void regress_child(const Eigen::MatrixXd &products, Eigen::Index child,
                     const std::vector<Eigen::Index> &given);
  void regress_child(const std::vector<const double *> &columns, Eigen::Index child,
                     const std::vector<Eigen::Index> &given);

  // After the second: the same figures without each of the given columns, in their order. With A
  // the products of P and b theirs with the child, leaving out column j leaves r + (A^-1 b)_j^2 /
  // (A^-1)_jj of the child, and (A^-1)_jj times the determinant.
  struct Reduced {
    Eigen::ArrayXd left, determinant;
  };
  Reduced reduce() const;

  double log_determinant() const { return log_determinant_; } // of the products of `given`
  double left() const { return left_[child_]; }               // r
  double left_beside(Eigen::Index u) const {                  // r - c^2 / s
    return left_[child_] - shared_[u] * shared_[u] / left_[u];
  }
  double left_of(Eigen::Index u) const { return left_[u]; } // s

  // Have the figures of the child digits enough, and those of this column? Some 16 digits, less
  // those of the share of a squared length that must be left of each column.
  bool exact_to(double share) const {
    return exact_ && least_share_ > share && left() > share * length_[child_];
  }
  bool exact() const { return exact_to(kShare); }
  bool exact(Eigen::Index u) const {
    return exact_ && left_[u] > kShare * length_[u] && left_beside(u) > kShare * length_[child_];
  }

private:
  static constexpr double kShare = 1e-6;

  Eigen::Index child_ = 0;
  bool exact_ = true;
  double least_share_ = 1; // left of a given column by those before it
  double log_determinant_ = 0;
  Eigen::ArrayXd length_, left_, shared_; // squared lengths; products with the child
  Eigen::MatrixXd rows_;                  // of Cholesky's factor, a column per given column
  Eigen::MatrixXd family_;                // the products of the given columns and the child
};

} // namespace optbn
