// NetworkConstraints: demands on a network as a whole, which no node's candidate sets can express.
//
// A search meets them by cutting subproblems (subproblem.h) where a best network breaks them.
//   A path from a to b that must be: a stands before b. Where the path is missing, one way to make
//   it is taken, and the networks are told apart by which of its arcs is the first that they lack.
//   A path from a to b that must not be: exactly then could b stand before a, an arc from b to a
//   closing no cycle. Of several such arcs each may be possible, though not all at once: a network
//   that the arc b -> a would make cyclic only with those demanded before has a path from a to
//   where the first of them begins, and one to b from where the last of them ends.
//   At most so many arcs: where there are more, some node must take a smaller set.
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

// The subproblem of all networks, less what breaks a constraint whatever the other nodes take; none
// if nothing is left.
std::optional<Subproblem> root_subproblem(const NetworkConstraints &constraints,
                                          const ParentSets &sets);

// Cuts a subproblem where one of its networks breaks a constraint or a demand of the subproblem:
// the children hold all others that do not. They do not hold this one, or say of its path that it
// is `open`, so that the next cut takes it out. False when it breaks none. `bound`: of a subproblem
// around this one.
bool branch_where_violated(const NetworkConstraints &constraints, const Subproblem &subproblem,
                           const Graph &graph, const SubproblemBound &bound,
                           std::vector<Subproblem> &children);

// Subproblems in which what is broken is repaired by a small change to the network. They need not
// hold all that is possible, and may overlap. None when nothing is broken.
std::vector<Subproblem> repairs(const NetworkConstraints &constraints, const Subproblem &subproblem,
                                const Graph &graph, const SubproblemBound &bound);

} // namespace optbn
