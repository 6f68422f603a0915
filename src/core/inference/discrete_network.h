// DiscreteNetwork: a Bayesian network whose nodes all have finitely many levels.
#pragma once

#include "core/data/dataset.h"

#include <vector>

namespace optbn {

struct DiscreteNetwork {
  std::vector<unsigned> levels;            // by node, at least 1
  std::vector<std::vector<Node>> parents;  // by node, in any order
  std::vector<std::vector<double>> tables; // by node: P(node | parents), the node fastest, then
                                           // its parents in the order given

  Node size() const { return static_cast<Node>(levels.size()); }
};

// Throws MalformedModel unless the network is as the comments above say and acyclic: for networks
// from outside the core.
void check(const DiscreteNetwork &network);

} // namespace optbn
