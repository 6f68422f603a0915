// Constraints on the families of every node, whatever the score.
#pragma once

#include "core/score/local_score.h"

#include <vector>

namespace optbn {

struct FamilyRules {
  std::vector<unsigned> max_parents;        // per node
  std::vector<std::vector<Node>> required;  // per node, ascending: in every family
  std::vector<std::vector<Node>> forbidden; // per node: in no family
};

bool allows(const FamilyRules &rules, const LocalScore &score, Node child,
            const std::vector<Node> &parents);

} // namespace optbn
