#include "core/graph/width_reduction.h"

#include <algorithm>
#include <utility>

namespace optbn {

namespace {

constexpr Node kNone = static_cast<Node>(-1);

// Two nodes of the set that are not joined, none of them `spared`; kNone twice when there are none.
std::pair<Node, Node> gap_in(const std::vector<Node> &nodes, const MinorGraph &graph,
                             Node spared = kNone) {
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (nodes[i] != spared && nodes[j] != spared && !graph.joined(nodes[i], nodes[j]))
        return {nodes[i], nodes[j]};
  return {kNone, kNone};
}

// Eliminates v if it is simplicial, or almost and of few enough neighbours.
bool eliminate_safely(Node v, MinorGraph &graph, LowerBound &bound) {
  const std::vector<Node> around = graph.neighbours(v);
  const auto [a, b] = gap_in(around, graph);
  if (a == kNone) {
    if (around.size() > bound.width) {
      std::vector<Node> clique = around;
      clique.push_back(v);
      bound = {static_cast<unsigned>(around.size()), graph.minor(clique), false};
    }
    graph.remove(v);
    return true;
  }
  if (around.size() > bound.width)
    return false;
  for (const Node odd : {a, b})
    if (gap_in(around, graph, odd).first == kNone) {
      graph.contract(v, odd);
      return true;
    }
  return false;
}

} // namespace

void reduce(MinorGraph &graph, LowerBound &bound, std::vector<Node> &order) {
  std::vector<Node> waiting = graph.nodes();
  std::vector<bool> waits(graph.capacity(), true);
  while (!waiting.empty()) {
    const Node v = waiting.back();
    waiting.pop_back();
    waits[v] = false;
    if (!graph.has(v))
      continue;
    const unsigned before = bound.width;
    const std::vector<Node> around = graph.neighbours(v);
    if (!eliminate_safely(v, graph, bound))
      continue;
    order.push_back(v);
    for (const Node w : bound.width > before ? graph.nodes() : around)
      if (!waits[w]) {
        waits[w] = true;
        waiting.push_back(w);
      }
  }
}

} // namespace optbn
