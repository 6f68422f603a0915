// SizePenalty: adds to any score a structure prior that is uniform over the sizes of parent sets.
//
// Talvitie, Eggeling & Koivisto (2018), section 3.2, after Friedman & Koller (2003): of the n - 1
// candidates, a set of size d has prior probability proportional to 1 / binom(n - 1, d), and so
//     score(v, P) = base score(v, P) - log binom(n - 1, |P|)
// Bounds of the base score stay bounds, as the penalty is never negative.
#pragma once

#include "core/score/local_score.h"

namespace optbn {

class SizePenalty final : public LocalScore {
public:
  SizePenalty(std::unique_ptr<LocalScore> base, Node nodes);

  void score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) override;
  void extend(std::vector<Extensions> &batch, Watch &watch) override;
  bool extends_fast() const override { return base_->extends_fast(); }
  Sharing sharing() const override { return base_->sharing(); }
  bool admits(Node child, Node parent) const override { return base_->admits(child, parent); }
  double bound(Node child, const Node *parents, unsigned size) const override {
    return base_->bound(child, parents, size);
  }

private:
  const std::unique_ptr<LocalScore> base_;
  const Node nodes_;
};

} // namespace optbn
