#include "core/inference/discrete_network.h"

#include "core/base/errors.h"
#include "core/graph/directed.h"

#include <algorithm>
#include <cmath>

namespace optbn {

void check(const DiscreteNetwork &network) {
  const std::size_t nodes = network.levels.size();
  require_sound(network.parents.size() == nodes && network.tables.size() == nodes,
                "its parts speak of different numbers of nodes");
  for (std::size_t v = 0; v < nodes; ++v) {
    std::vector<Node> parents = network.parents[v];
    std::sort(parents.begin(), parents.end());
    require_sound(std::adjacent_find(parents.begin(), parents.end()) == parents.end() &&
                      (parents.empty() || parents.back() < nodes),
                  "a parent is no node, or is there twice");
    double cells = network.levels[v];
    for (const Node parent : parents)
      cells *= network.levels[parent];
    require_sound(network.levels[v] > 0 && cells == network.tables[v].size(),
                  "a table has another size than its node's and parents' levels make");
    for (const double p : network.tables[v])
      require_sound(p >= 0 && std::isfinite(p), "a probability is missing, negative or infinite");
  }
  require_sound(is_acyclic(network.parents), "its arcs have a cycle");
}

} // namespace optbn
