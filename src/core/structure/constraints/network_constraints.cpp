#include "core/structure/constraints/network_constraints.h"

#include <algorithm>

namespace optbn {

namespace {

using Pair = Subproblem::Pair;

bool has_path(const Graph &graph, Node from, Node to) { return ancestors_of(graph, to)[from]; }

bool has_parent(const Graph &graph, Node v, Node u) {
  return std::binary_search(graph[v].begin(), graph[v].end(), u);
}

bool too_many_arcs(const NetworkConstraints &constraints, const Graph &graph) {
  return static_cast<double>(arc_count(graph)) > constraints.max_arcs;
}

bool among(const std::vector<Pair> &pairs, const Pair &pair) {
  return std::find(pairs.begin(), pairs.end(), pair) != pairs.end();
}

Test takes_from(Node v, const std::vector<bool> &nodes) {
  return {v, [nodes](const Node *first, const Node *last) {
            return std::any_of(first, last, [&](Node u) { return nodes[u]; });
          }};
}

std::vector<Test> no_smaller_set(const Graph &graph) {
  std::vector<Test> tests;
  for (Node v = 0; v < graph.size(); ++v)
    if (!graph[v].empty())
      tests.push_back(takes_at_least(v, graph[v].size()));
  return tests;
}

// The children in which at least one test fails.
void branch_on_failure(Subproblem subproblem, const std::vector<Test> &tests,
                       std::vector<Subproblem> &children) {
  branch(subproblem, tests, children);
}

std::vector<Test> arcs_of(const std::vector<Node> &path) {
  std::vector<Test> arcs;
  for (std::size_t i = 1; i < path.size(); ++i)
    arcs.push_back(takes(path[i], path[i - 1]));
  return arcs;
}

// Networks that lack one of the path's arcs, and those that have it whole.
void branch_along(Subproblem subproblem, const std::vector<Node> &path,
                  std::vector<Subproblem> &children) {
  if (!path.empty() && branch(subproblem, arcs_of(path), children))
    children.push_back(std::move(subproblem));
}

void demand_way(Subproblem &subproblem, Node from, Node to) {
  if (from != to)
    subproblem.demand_path(from, to);
}

void branch_on_forbidden_path(const Subproblem &subproblem, const Graph &graph, const Pair &path,
                              std::vector<Subproblem> &children) {
  if (among(subproblem.open, path)) {
    branch_on_failure(subproblem, arcs_of(directed_path(graph, path.first, path.second)), children);
    return;
  }
  for (const Pair &first : subproblem.enforced)
    for (const Pair &last : subproblem.enforced) {
      Subproblem clash = subproblem;
      clash.open.push_back(path);
      demand_way(clash, path.first, first.second);
      demand_way(clash, last.first, path.second);
      if (first != last && first.first != last.second)
        clash.demand_order(first.first, last.second);
      children.push_back(std::move(clash));
    }
  Subproblem enforced = subproblem;
  enforced.enforced.push_back(path);
  enforced.demand_order(path.second, path.first);
  children.push_back(std::move(enforced));
}

} // namespace

bool satisfies(const NetworkConstraints &constraints, const Graph &graph) {
  return !too_many_arcs(constraints, graph) &&
         std::all_of(constraints.paths.begin(), constraints.paths.end(),
                     [&](const PathConstraint &path) {
                       return has_path(graph, path.from, path.to) == path.required;
                     });
}

std::optional<Subproblem> root_subproblem(const NetworkConstraints &constraints,
                                          const ParentSets &sets) {
  Subproblem subproblem(sets);
  for (const PathConstraint &path : constraints.paths) {
    if (path.required)
      subproblem.demand_path(path.from, path.to);
    const bool allowed = path.required ? subproblem.keep(takes(path.from, path.to), false) &&
                                             subproblem.keep(takes_at_least(path.to, 1), true)
                                       : subproblem.keep(takes(path.to, path.from), false);
    if (!allowed)
      return std::nullopt;
  }
  return subproblem;
}

bool branch_where_violated(const NetworkConstraints &constraints, const Subproblem &subproblem,
                           const Graph &graph, const SubproblemBound &bound,
                           std::vector<Subproblem> &children) {
  for (const auto &[a, b] : subproblem.adjacent())
    if (!has_parent(graph, a, b) && !has_parent(graph, b, a)) {
      branch_on_failure(subproblem, {lacks(a, b), lacks(b, a)}, children);
      return true;
    }
  for (const PathConstraint &path : constraints.paths)
    if (!path.required && has_path(graph, path.from, path.to)) {
      branch_on_forbidden_path(subproblem, graph, {path.from, path.to}, children);
      return true;
    }
  for (const Pair &path : subproblem.paths())
    if (!has_path(graph, path.first, path.second)) {
      branch_along(subproblem, bound.cheapest_path(subproblem, path.first, path.second), children);
      return true;
    }
  if (!too_many_arcs(constraints, graph))
    return false;
  branch_on_failure(subproblem, no_smaller_set(graph), children);
  return true;
}

std::vector<Subproblem> repairs(const NetworkConstraints &constraints, const Subproblem &subproblem,
                                const Graph &graph, const SubproblemBound &bound) {
  Subproblem held = subproblem; // with the required paths that there are
  for (const PathConstraint &path : constraints.paths)
    if (path.required)
      for (const Test &arc : arcs_of(directed_path(graph, path.from, path.to)))
        held.keep(arc, true);
  std::vector<Subproblem> subproblems;
  const auto keep = [&](const std::vector<Test> &tests, bool answer) {
    Subproblem child = held;
    if (std::all_of(tests.begin(), tests.end(),
                    [&](const Test &test) { return child.keep(test, answer); }))
      subproblems.push_back(std::move(child));
  };
  for (const PathConstraint &path : constraints.paths) {
    if (has_path(graph, path.from, path.to) == path.required)
      continue;
    if (path.required) {
      const std::vector<Node> nodes = bound.cheapest_path(subproblem, path.from, path.to);
      if (!nodes.empty())
        keep(arcs_of(nodes), true);
      const std::vector<bool> above = ancestors_of(graph, path.to),
                              below = descendants_of(graph, path.from);
      for (Node v = 0; v < graph.size(); ++v)
        if (above[v])
          keep({takes_from(v, below)}, true);
    } else {
      subproblems.push_back(held);
      subproblems.back().demand_order(path.to, path.from);
    }
    return subproblems;
  }
  if (too_many_arcs(constraints, graph))
    for (const Test &test : no_smaller_set(graph))
      keep({test}, false);
  return subproblems;
}

} // namespace optbn
