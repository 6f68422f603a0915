#include "core/score/foreign_score.h"

#include <algorithm>
#include <chrono>

namespace optbn {

void ForeignScore::score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) {
  result.score.assign(batch.size(), -kInfinity);
  result.superset_bound.assign(batch.size(), kInfinity);
  for (std::size_t first = 0; first < batch.size() && !watch.stopped();) {
    const std::size_t last = std::min(first + block_, batch.size());
    FamilyBatch block;
    block.parents = batch.parents;
    for (std::size_t i = first; i < last; ++i)
      block.add(batch.child[i], batch.parents_of(i));
    const auto begun = std::chrono::steady_clock::now();
    const FamilyScores found = ask_(block);
    std::copy(found.score.begin(), found.score.end(), result.score.begin() + first);
    std::copy(found.superset_bound.begin(), found.superset_bound.end(),
              result.superset_bound.begin() + first);
    watch.advance(block.size());
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
    const double pace = static_cast<double>(block.size()) / std::max(taken.count(), 1e-6);
    block_ = std::clamp<std::size_t>(static_cast<std::size_t>(pace * seconds_), 1, 4 * block_);
    first = last;
  }
}

} // namespace optbn
