#include "core/structure/graph.h"

#include <algorithm>

namespace optbn {

Graph graph_of(const ParentSets &sets, const Network &network) {
  Graph graph(sets.size());
  for (Node v = 0; v < sets.size(); ++v) {
    const CandidateSets &candidates = sets.nodes[v];
    graph[v].assign(candidates.begin_of(network.choice[v]), candidates.end_of(network.choice[v]));
  }
  return graph;
}

std::size_t arc_count(const Graph &graph) {
  std::size_t arcs = 0;
  for (const std::vector<Node> &parents : graph)
    arcs += parents.size();
  return arcs;
}

MarkovClass::MarkovClass(const Graph &graph) : neighbours(graph), colliding_parents(graph.size()) {
  for (Node v = 0; v < graph.size(); ++v)
    for (const Node u : graph[v])
      neighbours[u].push_back(v);
  for (std::vector<Node> &nodes : neighbours)
    std::sort(nodes.begin(), nodes.end());
  for (Node v = 0; v < graph.size(); ++v)
    for (const Node a : graph[v])
      for (const Node b : graph[v])
        if (a < b && !adjacent(a, b))
          colliding_parents[v].push_back({a, b});
}

bool MarkovClass::adjacent(Node a, Node b) const {
  return std::binary_search(neighbours[a].begin(), neighbours[a].end(), b);
}

Graph MarkovClass::signature() const {
  Graph signature = neighbours;
  for (const auto &pairs : colliding_parents) {
    signature.emplace_back();
    for (const auto &[a, b] : pairs) {
      signature.back().push_back(a);
      signature.back().push_back(b);
    }
  }
  return signature;
}

} // namespace optbn
