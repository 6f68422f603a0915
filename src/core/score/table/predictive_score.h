// PredictiveScore ("pred-loglik"): the log-likelihood of new rows, under tables that the data gave.
//
// With n_ijk data rows and m_ijk new rows of level k in configuration j of the parents,
//     score(v given P) = sum of m_ijk log((n_ijk + iss / (r q)) / (n_ij + iss / q)),
// where r counts declared levels of v, and q declared joint levels of P. With iss = 0 these are the
// parameters of maximum likelihood; new rows of an event that no data row has then score -infinity.
//
// The cells of a superset of P are parts of those of P, so an event that no data row has stays one.
// With iss = 0 every superset scores -infinity, too. Otherwise the probability a / (n_ij + r a),
// a = iss / (r q), is at most 1 / r for each of these new rows, and 1 for the others: the bound.
// (That no tables make the new rows more likely than those fitted to them, given all other columns,
// is true, but excluded no set in trials.)
//
// Cost of a parent set: one pass over the rows for itself and one for each child.
#pragma once

#include "core/score/local_score.h"

namespace optbn {

// The rows of data, and then new ones. Weights are those of the data.
struct PooledRows {
  Dataset rows;
  std::size_t first_new = 0;

  PooledRows(const Dataset &data, const Dataset &newdata);
};

class PredictiveScore final : public LocalScore {
public:
  PredictiveScore(std::shared_ptr<const PooledRows> pooled, double iss)
      : pooled_(std::move(pooled)), iss_(iss) {}

  void score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) override;

private:
  const std::shared_ptr<const PooledRows> pooled_;
  const double iss_;
};

} // namespace optbn
