#include "core/score/mixed_families.h"

namespace optbn {

void MixedFamilies::add(Node child, const Node *first, const Node *last) {
  const auto parents = static_cast<unsigned>(last - first);
  Level &level = levels_[parents];
  level.families.parents = parents;
  level.families.add(child, first);
  level.number.push_back(size_++);
}

template <class Score>
std::vector<double> MixedFamilies::by_level(Score score, Watch &watch) const {
  std::vector<double> result(size_);
  for (const auto &[parents, level] : levels_) {
    const std::vector<double> scores = score(level.families);
    if (watch.stopped())
      break;
    for (std::size_t i = 0; i < level.number.size(); ++i)
      result[level.number[i]] = scores[i];
  }
  return result;
}

std::vector<double> MixedFamilies::score(LocalScore &score, Watch &watch) const {
  FamilyScores scores;
  const auto level = [&](const FamilyBatch &families) -> const std::vector<double> & {
    score.score(families, watch, scores);
    return scores.score;
  };
  return by_level(level, watch);
}

std::vector<double> MixedFamilies::score_nearly(LocalScore &score, Watch &watch) const {
  const auto level = [&](const FamilyBatch &families) {
    return score.score_nearly(families, watch);
  };
  return by_level(level, watch);
}

} // namespace optbn
