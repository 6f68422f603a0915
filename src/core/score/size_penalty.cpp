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

void SizePenalty::extend(std::vector<Extensions> &batch, Watch &watch) {
  base_->extend(batch, watch);
  for (Extensions &family : batch) {
    const double penalty =
        std::log(binomial(nodes_ - 1, static_cast<unsigned>(family.parents.size() + 1)));
    for (double &score : family.score)
      score -= penalty;
  }
}

} // namespace optbn
