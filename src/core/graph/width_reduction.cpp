#include "core/graph/width_reduction.h"

#include <algorithm>
#include <utility>

namespace optbn {

namespace {

// Two nodes of the set that are not joined, neither of them `except`; kNoNode twice when there are
// none.
std::pair<Node, Node> unjoined_pair(const std::vector<Node> &nodes, const MinorGraph &graph,
                                    Node except = kNoNode) {
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (nodes[i] != except && nodes[j] != except && !graph.joined(nodes[i], nodes[j]))
        return {nodes[i], nodes[j]};
  return {kNoNode, kNoNode};
}

// Eliminates v if it is simplicial, or almost and of few enough neighbours.
bool eliminate_safely(Node v, MinorGraph &graph, LowerBound &bound) {
  const std::vector<Node> around = graph.neighbours(v);
  const auto [a, b] = unjoined_pair(around, graph);
  if (a == kNoNode) {
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
  for (const Node into : {a, b})
    if (unjoined_pair(around, graph, into).first == kNoNode) {
      graph.contract(v, into);
      return true;
    }
  return false;
}

} // namespace

void reduce(MinorGraph &graph, LowerBound &bound, std::vector<Node> &order) {
  std::vector<Node> pending = graph.nodes();
  std::vector<bool> is_queued(graph.capacity(), true);
  while (!pending.empty()) {
    const Node v = pending.back();
    pending.pop_back();
    is_queued[v] = false;
    if (!graph.has(v))
      continue;
    const unsigned before = bound.width;
    const std::vector<Node> around = graph.neighbours(v);
    if (!eliminate_safely(v, graph, bound))
      continue;
    order.push_back(v);
    for (const Node w : bound.width > before ? graph.nodes() : around)
      if (!is_queued[w]) {
        is_queued[w] = true;
        pending.push_back(w);
      }
  }
}

} // namespace optbn
