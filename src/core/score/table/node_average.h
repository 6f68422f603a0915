// NodeAverage ("nal", "pnal"): the mean log-likelihood of a table over the rows in which the family
// is known (Balov 2013; Bodewes & Scutari 2021).
//
// With counts n_ijk of the n rows that know the child and all parents, of N rows in all,
//     score(v given P) = sum of n_ijk log(n_ijk / n_ij) / n - k (r - 1) q / N.
// Larger sets of parents are known in other rows, whose mean may be anything up to 0: what is left
// as a bound is the penalty. A family that no row knows scores -infinity, and so do its supersets.
//
// Cost of a batch: one count per distinct joint set, and one of the parents for each child with
// holes (observed_columns.h).
#pragma once

#include "core/base/n_log_n.h"
#include "core/data/observed_columns.h"
#include "core/data/set_counter.h"
#include "core/score/local_score.h"

#include <memory>

namespace optbn {

class NodeAverage final : public LocalScore {
public:
  // k: of all rows, per parameter.
  NodeAverage(const Dataset &data, double k);

  void score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) override;
  Sharing sharing() const override { return Sharing::joint_sets; }
  double bound(Node child, const Node *parents, unsigned size) const override;

private:
  double cells(const Node *set, unsigned size) const;
  double penalty(Node child, double parent_cells) const;

  const ObservedColumns columns_;
  const std::unique_ptr<SetCounter> counter_;
  const double penalty_; // per parameter
  const NLogN n_log_n_;
};

} // namespace optbn
