#include "core/dag/graph.h"

#include "core/base/invariant.h"

#include <algorithm>
#include <deque>

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

namespace {

// Those nodes, parents before children, that are on no cycle and below none.
std::vector<Node> nodes_in_order(const Graph &graph) {
  std::vector<std::vector<Node>> children(graph.size());
  std::vector<std::size_t> missing(graph.size());
  std::vector<Node> order;
  for (Node v = 0; v < graph.size(); ++v) {
    missing[v] = graph[v].size();
    if (missing[v] == 0)
      order.push_back(v);
    for (const Node u : graph[v])
      children[u].push_back(v);
  }
  for (std::size_t next = 0; next < order.size(); ++next)
    for (const Node v : children[order[next]])
      if (--missing[v] == 0)
        order.push_back(v);
  return order;
}

} // namespace

bool is_acyclic(const Graph &graph) { return nodes_in_order(graph).size() == graph.size(); }

std::vector<Node> topological_order(const Graph &graph) {
  std::vector<Node> order = nodes_in_order(graph);
  OPTBN_INVARIANT(order.size() == graph.size(), "the graph of a network is acyclic");
  return order;
}

std::vector<bool> ancestors_of(const Graph &graph, Node v) {
  std::vector<bool> reached(graph.size(), false);
  std::vector<Node> pending{v};
  reached[v] = true;
  while (!pending.empty()) {
    const Node w = pending.back();
    pending.pop_back();
    for (const Node u : graph[w])
      if (!reached[u]) {
        reached[u] = true;
        pending.push_back(u);
      }
  }
  return reached;
}

std::vector<bool> descendants_of(const Graph &graph, Node v) {
  std::vector<bool> below(graph.size(), false);
  below[v] = true;
  for (const Node w : topological_order(graph))
    below[w] =
        below[w] || std::any_of(graph[w].begin(), graph[w].end(), [&](Node u) { return below[u]; });
  return below;
}

std::vector<Node> directed_path(const Graph &graph, Node from, Node to) {
  const Node none = static_cast<Node>(graph.size());
  std::vector<Node> next(graph.size(), none); // on the way to `to`
  std::deque<Node> pending{to};
  while (!pending.empty() && next[from] == none) {
    const Node v = pending.front();
    pending.pop_front();
    for (const Node u : graph[v])
      if (u != to && next[u] == none) {
        next[u] = v;
        pending.push_back(u);
      }
  }
  std::vector<Node> path;
  if (next[from] == none)
    return path;
  for (Node v = from; v != to; v = next[v])
    path.push_back(v);
  path.push_back(to);
  return path;
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
