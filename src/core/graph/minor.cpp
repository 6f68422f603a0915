#include "core/graph/minor.h"

#include "core/base/ascending.h"

#include <algorithm>
#include <utility>

namespace optbn {

namespace {

constexpr std::size_t kNoSet = static_cast<std::size_t>(-1);

bool is_connected(const std::vector<Node> &nodes, const UndirectedGraph &graph) {
  std::vector<Node> reached{nodes.front()}, pending = reached;
  while (!pending.empty()) {
    const Node v = pending.back();
    pending.pop_back();
    for (const Node w : graph.neighbours[v])
      if (std::binary_search(nodes.begin(), nodes.end(), w) &&
          std::find(reached.begin(), reached.end(), w) == reached.end()) {
        reached.push_back(w);
        pending.push_back(w);
      }
  }
  return reached.size() == nodes.size();
}

} // namespace

unsigned least_degree(const Minor &minor, const UndirectedGraph &graph) {
  std::vector<std::size_t> set_of(graph.size(), kNoSet);
  for (std::size_t i = 0; i < minor.size(); ++i) {
    if (minor[i].empty() || !std::is_sorted(minor[i].begin(), minor[i].end()))
      return 0;
    for (const Node v : minor[i]) {
      if (v >= graph.size() || set_of[v] != kNoSet)
        return 0;
      set_of[v] = i;
    }
    if (!is_connected(minor[i], graph))
      return 0;
  }
  std::size_t least = minor.empty() ? 0 : minor.size() - 1;
  for (std::size_t i = 0; i < minor.size(); ++i) {
    std::vector<std::size_t> around;
    for (const Node v : minor[i])
      for (const Node w : graph.neighbours[v])
        if (set_of[w] != kNoSet && set_of[w] != i)
          around.push_back(set_of[w]);
    std::sort(around.begin(), around.end());
    const auto end = std::unique(around.begin(), around.end());
    least = std::min(least, static_cast<std::size_t>(end - around.begin()));
  }
  return static_cast<unsigned>(least);
}

MinorGraph::MinorGraph(const UndirectedGraph &graph)
    : graph_(graph), present_(graph.size(), true), size_(graph.size()), merged_(graph.size()) {
  for (Node v = 0; v < graph.size(); ++v)
    merged_[v] = {v};
}

std::vector<Node> MinorGraph::nodes() const {
  std::vector<Node> result;
  for (Node v = 0; v < graph_.size(); ++v)
    if (present_[v])
      result.push_back(v);
  return result;
}

std::vector<std::vector<Node>> MinorGraph::components() const {
  std::vector<std::vector<Node>> result;
  std::vector<bool> visited(capacity());
  for (const Node start : nodes()) {
    if (visited[start])
      continue;
    visited[start] = true;
    std::vector<Node> component{start};
    for (std::size_t next = 0; next < component.size(); ++next)
      for (const Node w : neighbours(component[next]))
        if (!visited[w]) {
          visited[w] = true;
          component.push_back(w);
        }
    std::sort(component.begin(), component.end());
    result.push_back(std::move(component));
  }
  return result;
}

bool MinorGraph::joined(Node a, Node b) const {
  const std::vector<Node> &fewer = degree(a) < degree(b) ? neighbours(a) : neighbours(b);
  return std::binary_search(fewer.begin(), fewer.end(), degree(a) < degree(b) ? b : a);
}

void MinorGraph::remove(Node v) {
  for (const Node w : neighbours(v))
    erase(graph_.neighbours[w], v);
  graph_.neighbours[v].clear();
  present_[v] = false;
  --size_;
}

void MinorGraph::contract(Node v, Node into) {
  const std::vector<Node> around = neighbours(v);
  remove(v);
  for (const Node w : around)
    if (w != into) {
      insert(graph_.neighbours[w], into);
      insert(graph_.neighbours[into], w);
    }
  merged_[into].insert(merged_[into].end(), merged_[v].begin(), merged_[v].end());
}

Minor MinorGraph::minor(const std::vector<Node> &nodes) const {
  Minor result;
  for (const Node v : nodes) {
    result.push_back(merged_[v]);
    std::sort(result.back().begin(), result.back().end());
  }
  return result;
}

UndirectedGraph MinorGraph::graph(const std::vector<Node> &nodes) const {
  const Node absent = static_cast<Node>(-1);
  std::vector<Node> number(capacity(), absent);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    number[nodes[i]] = static_cast<Node>(i);
  UndirectedGraph result;
  for (const Node v : nodes) {
    result.neighbours.emplace_back();
    for (const Node w : neighbours(v))
      if (number[w] != absent)
        result.neighbours.back().push_back(number[w]);
  }
  return result;
}

} // namespace optbn
