#include "core/dag/conditions.h"

#include <algorithm>

namespace optbn {

namespace {

std::vector<Test> forbidden_path(const Graph &graph, const Ancestry &forbidden) {
  const std::vector<Node> path = directed_path(graph, forbidden.from, forbidden.to);
  std::vector<Test> tests;
  for (std::size_t i = 1; i < path.size(); ++i)
    tests.push_back(takes(path[i], path[i - 1]));
  return tests;
}

std::vector<Test> missing_path(const Graph &graph, const Ancestry &required) {
  const std::vector<bool> ancestor = ancestors_of(graph, required.to);
  std::vector<Test> tests;
  if (ancestor[required.from])
    return tests;
  for (Node v = 0; v < graph.size(); ++v)
    if (ancestor[v])
      tests.push_back({v, [ancestor](const Node *first, const Node *last) {
                         return std::all_of(first, last, [&](Node u) { return ancestor[u]; });
                       }});
  return tests;
}

std::vector<Test> no_smaller_set(const Graph &graph) {
  std::vector<Test> tests;
  for (Node v = 0; v < graph.size(); ++v)
    if (!graph[v].empty())
      tests.push_back(takes_at_least(v, graph[v].size()));
  return tests;
}

bool has_parent(const Graph &graph, Node v, Node u) {
  return std::binary_search(graph[v].begin(), graph[v].end(), u);
}

} // namespace

bool obey_outright(const Conditions &conditions, Region &region) {
  for (const Ancestry &path : conditions.ancestry) {
    const bool allowed = path.required ? region.keep(takes(path.from, path.to), false) &&
                                             region.keep(takes_at_least(path.to, 1), true)
                                       : region.keep(takes(path.to, path.from), false);
    if (!allowed)
      return false;
  }
  return true;
}

std::vector<Test> broken_tests(const Conditions &conditions, const Region &region,
                               const Graph &graph) {
  for (const auto &[a, b] : region.adjacent())
    if (!has_parent(graph, a, b) && !has_parent(graph, b, a))
      return {lacks(a, b), lacks(b, a)};
  for (const Ancestry &path : conditions.ancestry) {
    std::vector<Test> tests =
        path.required ? missing_path(graph, path) : forbidden_path(graph, path);
    if (!tests.empty())
      return tests;
  }
  if (static_cast<double>(arc_count(graph)) > conditions.max_arcs)
    return no_smaller_set(graph);
  return {};
}

} // namespace optbn
