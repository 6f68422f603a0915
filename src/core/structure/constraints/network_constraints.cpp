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

Test with_parent_among(Node v, const std::vector<bool> &nodes) {
  return {v, [nodes](const Node *first, const Node *last) {
            return std::any_of(first, last, [&](Node u) { return nodes[u]; });
          }};
}

std::vector<Test> no_smaller_set(const Graph &graph) {
  std::vector<Test> tests;
  for (Node v = 0; v < graph.size(); ++v)
    if (!graph[v].empty())
      tests.push_back(with_at_least(v, graph[v].size()));
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
    arcs.push_back(with_parent(path[i], path[i - 1]));
  return arcs;
}

// Children with the networks that lack one of the path's arcs, and a child with those that have
// all.
void branch_on_missing_path(Subproblem subproblem, const std::vector<Node> &path,
                            std::vector<Subproblem> &children) {
  if (!path.empty() && branch(subproblem, arcs_of(path), children))
    children.push_back(std::move(subproblem));
}

void require_reaches(Subproblem &subproblem, Node from, Node to) {
  if (from != to)
    subproblem.require_path(from, to);
}

void branch_on_forbidden_path(const Subproblem &subproblem, const Graph &graph, const Pair &path,
                              std::vector<Subproblem> &children) {
  if (among(subproblem.forbidden_by_arcs, path)) {
    branch_on_failure(subproblem, arcs_of(directed_path(graph, path.first, path.second)), children);
    return;
  }
  for (const Pair &first : subproblem.forbidden_by_order)
    for (const Pair &last : subproblem.forbidden_by_order) {
      Subproblem by_arcs = subproblem;
      by_arcs.forbidden_by_arcs.push_back(path);
      require_reaches(by_arcs, path.first, first.second);
      require_reaches(by_arcs, last.first, path.second);
      if (first != last && first.first != last.second)
        by_arcs.require_order(first.first, last.second);
      children.push_back(std::move(by_arcs));
    }
  Subproblem by_order = subproblem;
  by_order.forbidden_by_order.push_back(path);
  by_order.require_order(path.second, path.first);
  children.push_back(std::move(by_order));
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
      subproblem.require_path(path.from, path.to);
    const bool allowed = path.required ? subproblem.keep(with_parent(path.from, path.to), false) &&
                                             subproblem.keep(with_at_least(path.to, 1), true)
                                       : subproblem.keep(with_parent(path.to, path.from), false);
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
      branch_on_failure(subproblem, {without_parent(a, b), without_parent(b, a)}, children);
      return true;
    }
  for (const PathConstraint &path : constraints.paths)
    if (!path.required && has_path(graph, path.from, path.to)) {
      branch_on_forbidden_path(subproblem, graph, {path.from, path.to}, children);
      return true;
    }
  for (const Pair &path : subproblem.paths())
    if (!has_path(graph, path.first, path.second)) {
      branch_on_missing_path(subproblem, bound.shortest_path(subproblem, path.first, path.second),
                             children);
      return true;
    }
  if (!too_many_arcs(constraints, graph))
    return false;
  branch_on_failure(subproblem, no_smaller_set(graph), children);
  return true;
}

std::vector<Subproblem> repairs(const NetworkConstraints &constraints, const Subproblem &subproblem,
                                const Graph &graph, const SubproblemBound &bound) {
  Subproblem with_paths = subproblem; // with the required paths that there are
  for (const PathConstraint &path : constraints.paths)
    if (path.required)
      for (const Test &arc : arcs_of(directed_path(graph, path.from, path.to)))
        with_paths.keep(arc, true);
  std::vector<Subproblem> subproblems;
  const auto add_child = [&](const std::vector<Test> &tests, bool outcome) {
    Subproblem child = with_paths;
    if (std::all_of(tests.begin(), tests.end(),
                    [&](const Test &test) { return child.keep(test, outcome); }))
      subproblems.push_back(std::move(child));
  };
  for (const PathConstraint &path : constraints.paths) {
    if (has_path(graph, path.from, path.to) == path.required)
      continue;
    if (path.required) {
      const std::vector<Node> nodes = bound.shortest_path(subproblem, path.from, path.to);
      if (!nodes.empty())
        add_child(arcs_of(nodes), true);
      const std::vector<bool> ancestors = ancestors_of(graph, path.to),
                              descendants = descendants_of(graph, path.from);
      for (Node v = 0; v < graph.size(); ++v)
        if (ancestors[v])
          add_child({with_parent_among(v, descendants)}, true);
    } else {
      subproblems.push_back(with_paths);
      subproblems.back().require_order(path.to, path.from);
    }
    return subproblems;
  }
  if (too_many_arcs(constraints, graph))
    for (const Test &test : no_smaller_set(graph))
      add_child({test}, false);
  return subproblems;
}

} // namespace optbn
