#include "core/inference/discrete_network.h"

#include "core/base/errors.h"
#include "core/graph/directed.h"

#include <algorithm>
#include <cmath>

namespace optbn {

void check(const DiscreteNetwork &network) {
  const std::size_t nodes = network.levels.size();
  require_well_formed(network.parents.size() == nodes && network.tables.size() == nodes,
                      "its parts speak of different numbers of nodes");
  for (std::size_t v = 0; v < nodes; ++v) {
    std::vector<Node> parents = network.parents[v];
    std::sort(parents.begin(), parents.end());
    require_well_formed(std::adjacent_find(parents.begin(), parents.end()) == parents.end() &&
                            (parents.empty() || parents.back() < nodes),
                        "a parent is no node, or is there twice");
    double cells = network.levels[v];
    for (const Node parent : parents)
      cells *= network.levels[parent];
    require_well_formed(network.levels[v] > 0 && cells == network.tables[v].size(),
                        "a table has another size than its node's and parents' levels make");
    for (const double p : network.tables[v])
      require_well_formed(p >= 0 && std::isfinite(p),
                          "a probability is missing, negative or infinite");
  }
  require_well_formed(is_acyclic(network.parents), "its arcs have a cycle");
}

} // namespace optbn
