#include "core/graph/directed.h"

#include "core/base/invariant.h"

#include <algorithm>
#include <deque>

namespace optbn {

namespace {

// The nodes that are neither on a cycle nor descendants of one, parents before children.
std::vector<Node> nodes_in_order(const Graph &graph) {
  std::vector<std::vector<Node>> children(graph.size());
  std::vector<std::size_t> parents_left(graph.size());
  std::vector<Node> order;
  for (Node v = 0; v < graph.size(); ++v) {
    parents_left[v] = graph[v].size();
    if (parents_left[v] == 0)
      order.push_back(v);
    for (const Node u : graph[v])
      children[u].push_back(v);
  }
  for (std::size_t next = 0; next < order.size(); ++next)
    for (const Node v : children[order[next]])
      if (--parents_left[v] == 0)
        order.push_back(v);
  return order;
}

} // namespace

bool is_acyclic(const Graph &graph) { return nodes_in_order(graph).size() == graph.size(); }

std::vector<Node> topological_order(const Graph &graph) {
  std::vector<Node> order = nodes_in_order(graph);
  OPTBN_INVARIANT(order.size() == graph.size(), "the graph is acyclic");
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

} // namespace optbn
