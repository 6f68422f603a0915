#include "core/graph/undirected.h"

#include <algorithm>

namespace optbn {

namespace {

void sort_once(std::vector<Node> &nodes) {
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

} // namespace

UndirectedGraph moral_graph(const std::vector<std::vector<Node>> &parents) {
  UndirectedGraph graph;
  graph.neighbours.resize(parents.size());
  const auto join = [&](Node a, Node b) {
    graph.neighbours[a].push_back(b);
    graph.neighbours[b].push_back(a);
  };
  for (Node v = 0; v < graph.size(); ++v)
    for (std::size_t i = 0; i < parents[v].size(); ++i) {
      join(v, parents[v][i]);
      for (std::size_t j = 0; j < i; ++j)
        join(parents[v][j], parents[v][i]);
    }
  for (std::vector<Node> &nodes : graph.neighbours)
    sort_once(nodes);
  return graph;
}

} // namespace optbn
