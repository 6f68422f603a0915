// NetworkConstraints: constraints on a network as a whole, which no node's candidate sets can
// express.
//
// A search meets them by branching on subproblems (subproblem.h) whose best network violates them.
//   A required path from a to b: a comes before b. Where the path is missing, one possible path is
//   chosen, and the networks are divided by which of its arcs is the first that they lack.
//   A forbidden path from a to b: a network has none exactly if an arc from b to a closes no cycle,
//   so that b could come before a. Of several such arcs each may close no cycle, but all of them
//   together may: a network in which b -> a closes a cycle only with those required before has a
//   path from a to the tail of the first of them on the cycle, and one to b from the head of the
//   last. (Proof in network_constraints.cpp.)
//   At most so many arcs: where there are more, some node must have a smaller set.
#pragma once

#include "core/structure/constraints/subproblem_bound.h"

#include <limits>
#include <optional>
#include <vector>

namespace optbn {

// A directed path from one node to another must exist, or must not.
struct PathConstraint {
  Node from, to;
  bool required;
};

struct NetworkConstraints {
  std::vector<PathConstraint> paths;
  double max_arcs = std::numeric_limits<double>::infinity();

  bool limit_arcs() const { return max_arcs < std::numeric_limits<double>::infinity(); }
  bool empty() const { return paths.empty() && !limit_arcs(); }
};

bool satisfies(const NetworkConstraints &constraints, const Graph &graph);

// The subproblem of all networks, without sets that violate a constraint whatever the other nodes'
// sets; none if nothing is left.
std::optional<Subproblem> root_subproblem(const NetworkConstraints &constraints,
                                          const ParentSets &sets);

// Branches on a subproblem of which this network violates a constraint or a requirement of the
// subproblem: the children contain all networks that violate none and that the subproblem covers
// (the lemma in network_constraints.cpp). They do not contain this one, or have its path in
// forbidden_by_arcs, so that the next branching excludes it. False when it violates none. `bound`:
// of a subproblem that contains this one.
bool branch_where_violated(const NetworkConstraints &constraints, const Subproblem &subproblem,
                           const Graph &graph, const SubproblemBound &bound,
                           std::vector<Subproblem> &children);

// Subproblems in which a small change to the network repairs what it violates. They need not
// contain all networks, and may overlap. None when nothing is violated.
std::vector<Subproblem> repairs(const NetworkConstraints &constraints, const Subproblem &subproblem,
                                const Graph &graph, const SubproblemBound &bound);

} // namespace optbn
