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

// Lemma: branching on a forbidden path loses no network that meets the constraints.
//
// Definitions. Let G be a network, taken as the set of its arcs. G avoids (a, b) if a does not
// reach b by arcs of G. For a subproblem S let
//   E(S) be the arcs b' -> a' of the pairs (a', b') in S.forbidden_by_order;
//   Q(S) be all arcs of S.order(): those of E(S), from -> to for every required path of S, and the
//        arcs that (2) below has added.
// S contains G if G has its sets from those of S, has the required paths and adjacencies of S, and
// G + Q(S) is acyclic. S covers G if it contains G and the tail of every arc of Q(S) reaches its
// head by arcs of G + E(S); so the same nodes reach each other in G + Q(S) as in G + E(S).
//
// Claim. Let G avoid (a, b), let S cover G, and let (a, b) be in neither list of S. Then at least
// one of these children covers G:
//   (1) S with (a, b) in forbidden_by_order, which adds b -> a to E and Q;
//   (2) for some pairs first = (a1, b1) and last = (a2, b2) in S.forbidden_by_order: S with (a, b)
//       in forbidden_by_arcs, required paths from a to b1 and from a2 to b, and the arc a1 -> b2 in
//       Q where first and last differ; a requirement from a node to itself is left out.
//
// Proof. If G + Q(S) + (b -> a) is acyclic, (1) contains G and covers it, as the only new arc is in
// E. Otherwise a reaches b in G + Q(S), so there is a path from a to b in G + E(S). It uses an arc
// of E(S), because G avoids (a, b). Let b1 -> a1 be the first of these on the path and b2 -> a2 the
// last. Then G alone has paths from a to b1 and from a2 to b, and where the two arcs differ, a1
// reaches b2 in G + E(S). These paths are what (2) requires. Its new arcs in Q, which are a -> b1,
// a2 -> b and a1 -> b2, join nodes of which the first reaches the second in G + E(S) already. So
// G + Q stays acyclic, and (2) covers G.
//
// Where (a, b) is in S.forbidden_by_arcs, the children are those in which an arc of the path found
// is missing; G avoids (a, b), so it lacks one. Where (a, b) is in S.forbidden_by_order, no network
// in S has a path from a to b, so S is not branched on for it. No other branching changes E or Q,
// so each child that contains G covers it. The root's Q consists of from -> to of required paths,
// so it covers every G that meets the constraints. By induction such a G is in a subproblem of the
// search until it is found or pruned by a bound. The search ends: every branching removes candidate
// sets, requires an adjacency, or adds one of finitely many pairs to a list.
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
