#include "core/score/mixed_families.h"

namespace optbn {

void MixedFamilies::add(Node child, const Node *first, const Node *last) {
  const auto parents = static_cast<unsigned>(last - first);
  Level &level = levels_[parents];
  level.families.parents = parents;
  level.families.add(child, first);
  level.number.push_back(size_++);
}

std::vector<double> MixedFamilies::score(LocalScore &score, Watch &watch) const {
  std::vector<double> result(size_);
  for (const auto &[parents, level] : levels_) {
    FamilyScores scores;
    score.score(level.families, watch, scores);
    if (watch.stopped())
      break;
    for (std::size_t i = 0; i < level.number.size(); ++i)
      result[level.number[i]] = scores.score[i];
  }
  return result;
}

} // namespace optbn
