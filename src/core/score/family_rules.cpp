#include "core/score/family_rules.h"

#include <algorithm>

namespace optbn {

bool allows(const FamilyRules &rules, const LocalScore &score, Node child,
            const std::vector<Node> &parents) {
  const std::vector<Node> &required = rules.required[child], &forbidden = rules.forbidden[child];
  return parents.size() <= rules.max_parents[child] &&
         std::includes(parents.begin(), parents.end(), required.begin(), required.end()) &&
         std::none_of(parents.begin(), parents.end(), [&](Node u) {
           return u == child || !score.admits(child, u) ||
                  std::find(forbidden.begin(), forbidden.end(), u) != forbidden.end();
         });
}

} // namespace optbn
