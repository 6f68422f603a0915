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

// Throws MalformedModel unless the network is what the comments above say, acyclic too: for
// networks that come from outside.
void check(const DiscreteNetwork &network);

} // namespace optbn
