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

// Tarjan's algorithm (1972, doi 10.1137/0201010) without recursion. It searches from children to
// parents, so a component is complete after every component that its arcs may come from.
class StrongComponents {
public:
  explicit StrongComponents(const Graph &parents)
      : parents_(parents), index_(parents.size(), kUnseen), lowlink_(parents.size()),
        next_arc_(parents.size(), 0), on_stack_(parents.size(), false) {
    for (Node v = 0; v < parents.size(); ++v)
      if (index_[v] == kUnseen)
        search_from(v);
  }

  std::vector<std::vector<Node>> release() { return std::move(components_); }

private:
  static constexpr std::uint32_t kUnseen = UINT32_MAX;

  void search_from(Node root) {
    push(root);
    while (!path_.empty()) {
      const Node v = path_.back();
      if (next_arc_[v] < parents_[v].size()) {
        const Node u = parents_[v][next_arc_[v]++];
        if (index_[u] == kUnseen)
          push(u);
        else if (on_stack_[u])
          lowlink_[v] = std::min(lowlink_[v], index_[u]);
      } else {
        path_.pop_back();
        if (!path_.empty())
          lowlink_[path_.back()] = std::min(lowlink_[path_.back()], lowlink_[v]);
        if (lowlink_[v] == index_[v])
          pop_component(v);
      }
    }
  }

  void push(Node v) {
    index_[v] = lowlink_[v] = count_++;
    path_.push_back(v);
    stack_.push_back(v);
    on_stack_[v] = true;
  }

  void pop_component(Node root) {
    const auto first = std::find(stack_.rbegin(), stack_.rend(), root).base() - 1;
    std::vector<Node> component(first, stack_.end());
    stack_.erase(first, stack_.end());
    for (const Node v : component)
      on_stack_[v] = false;
    std::sort(component.begin(), component.end());
    components_.push_back(std::move(component));
  }

  const Graph &parents_;
  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> index_, lowlink_;
  std::vector<std::size_t> next_arc_;
  std::vector<bool> on_stack_;
  std::vector<Node> path_, stack_;
  std::vector<std::vector<Node>> components_;
};

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

std::vector<std::vector<Node>> strong_components(const Graph &graph) {
  return StrongComponents(graph).release();
}

} // namespace optbn
