#include "core/inference/discrete_network.h"

#include "core/base/errors.h"

#include <algorithm>
#include <cmath>

namespace optbn {

namespace {

bool is_acyclic(const std::vector<std::vector<Node>> &parents) {
  std::vector<std::vector<Node>> children(parents.size());
  std::vector<std::size_t> waits_for(parents.size());
  std::vector<Node> free;
  for (std::size_t v = 0; v < parents.size(); ++v) {
    for (const Node parent : parents[v])
      children[parent].push_back(static_cast<Node>(v));
    waits_for[v] = parents[v].size();
    if (parents[v].empty())
      free.push_back(static_cast<Node>(v));
  }
  for (std::size_t i = 0; i < free.size(); ++i)
    for (const Node child : children[free[i]])
      if (--waits_for[child] == 0)
        free.push_back(child);
  return free.size() == parents.size();
}

} // namespace

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
