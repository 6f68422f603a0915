#include "core/score/size_penalty.h"

#include "core/base/binomial.h"

#include <cmath>

namespace optbn {

SizePenalty::SizePenalty(std::unique_ptr<LocalScore> base, Node nodes)
    : base_(std::move(base)), nodes_(nodes) {}

void SizePenalty::score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) {
  base_->score(batch, watch, result);
  const double penalty = std::log(binomial(nodes_ - 1, batch.parents));
  for (double &score : result.score)
    score -= penalty;
}

} // namespace optbn
