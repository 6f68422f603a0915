// PredictiveRegression ("pred-loglik-g", "pred-loglik-cg"): the log-density of new rows, under
// linear regressions that were fitted to the data.
//
// Discrete parents split the rows, as in RegressionScore. With least squares on the g continuous
// parents of the N data rows of a configuration, M new rows in it, and S the sum of the squares of
// what the regression leaves of these,
//     log-density = -M/2 log(2 pi s^2) - S / (2 s^2),
// where the variance is bnlearn's: s^2 = RSS / (N - 1) without discrete parents, however many the
// others, and RSS / (N - g - 1) with them. A configuration of new rows with N <= g + 1, or without
// residual variance, has no density: -infinity. A parent that is collinear with those before it
// explains nothing, as in lm(). Discrete children are tables and go to PredictiveScore; they admit
// no continuous parent.
//
// With more parents a configuration has no more rows, and no fewer are needed; else nothing is known
// about supersets, as a fit may become as good as one likes.
//
// Cost of a parent set: O(N g^2) and O((N + M) g) for each child.
#pragma once

#include "core/score/table/predictive_score.h"

namespace optbn {

class PredictiveRegression final : public LocalScore {
public:
  PredictiveRegression(const Dataset &data, const Dataset &newdata, double iss);

  void score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) override;
  bool admits(Node child, Node parent) const override;

private:
  // Of families whose parents are the same.
  void score_regressions(const FamilyBatch &batch, const std::vector<std::size_t> &families,
                         FamilyScores &result) const;

  const std::shared_ptr<const PooledRows> pooled_;
  PredictiveScore tables_; // scores discrete children
};

} // namespace optbn
