// The Bayesian Gaussian score of Geiger & Heckerman (2002, doi 10.1214/aos/1035844981), with the
// corrections of Kuipers, Moffa & Heckerman (2014, doi 10.1214/14-AOS1217).
//
// The marginal likelihood of the columns Y (l of them, of n in all) under a normal-Wishart prior
// with mean nu (weight mu) and w degrees of freedom, precision matrix T = t I,
// t = mu (w - n - 1)/(mu + 1):
//     log p(Y) = -l N/2 log pi + l/2 log(mu / (N + mu))
//                + log Γ_l((N + w - n + l)/2) - log Γ_l((w - n + l)/2)
//                + (w - n + l)/2 log|T_YY| - (N + w - n + l)/2 log|R_YY|
// with R = T + S + N mu/(N + mu) (mean - nu)(mean - nu)', S the centred cross products, and the
// multivariate gamma Γ_l without its power of pi, which cancels. The score of a family is
// log p(v and parents) - log p(parents). It is score-equivalent.
//
// R is the cross product of the stacked rows of data and prior, so its determinants are products of
// the lengths of their orthogonalised columns (ColumnFactor); for rows of a source, R is
// factorised.
//
// Cost: O(n l^2) per family. Thread-safe after construction.
#pragma once

#include "core/score/gaussian/column_factor.h"
#include "core/score/local_score.h"

namespace optbn {

class BgeScore final : public LocalScore {
public:
  BgeScore(const Dataset &data, double mu, double w, const std::vector<double> &nu);

  void score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) override;
  std::vector<double> score_nearly(const FamilyBatch &batch, Watch &watch) override;
  void extend(std::vector<Extensions> &batch, Watch &watch) override;
  void reduce(std::vector<Reductions> &batch, Watch &watch) override;
  bool extends_fast() const override { return true; }

private:
  // Scores the additions with these numbers, which need more digits than cross products have.
  void extend_by_lengths(Extensions &family, const std::vector<Eigen::Index> &parents,
                         const std::vector<std::size_t> &number,
                         const std::vector<Eigen::Index> &added) const;
  // Computes R, which score() does not need. False when the watch stops.
  bool compute_products(Watch &watch);
  // From log|R| of the parents and of the family.
  double family_score(std::size_t size, double parents, double family) const;

  double rows_;
  double freedom_;               // w - n
  ColumnFactor posterior_;       // of a matrix whose cross product is R
  Eigen::MatrixXd products_;     // R, once it is needed
  std::vector<double> constant_; // the terms of log p(Y) that depend on l alone
};

} // namespace optbn
