// Bounds on many subproblems from one dual: its constant term, plus the least reduced cost among
// the sets that a subproblem leaves each node (dual.h), plus a lower bound on the cost of its
// required paths.
//
// The length of an arc u -> v is the least reduced cost of a set of v with u in it, less the least
// of any set of v. A network with a path costs more by the lengths of its arcs, and so at least by
// the length of a shortest path. Further paths are measured by what the first leaves of the
// lengths: with shortest distances d, cut off at the path's end, the first needs at most the
// largest d(v) - d(u) of the lengths of all arcs into v.
//
// Exact as the dual's own bound is. Immutable, so thread-safe.
#pragma once

#include "core/structure/bounds/exact_costs.h"
#include "core/structure/constraints/subproblem.h"
#include "core/structure/prover.h"

#include <vector>

namespace optbn {

class SubproblemBound {
public:
  // For the children of a subproblem, each arc priced. With more than kTreeNodes nodes the bound is
  // infinite.
  SubproblemBound(const ParentSets &sets, const Subproblem &whole, const Multipliers &multipliers,
                  double arc_price);

  // No network of a child, its score less the price of its arcs, has more. Linear in its sets.
  double operator()(const Subproblem &subproblem) const;

  // The nodes of a shortest path, both ends included; empty exactly when no sets allow any. Where
  // there are no reduced costs, a path of the fewest arcs.
  std::vector<Node> shortest_path(const Subproblem &subproblem, Node from, Node to) const;

private:
  // Lengths of arcs by parent, for each node; kNoCost where no set has the parent.
  using ArcLengths = std::vector<std::vector<Cost>>;

  template <unsigned Words>
  void compute_reduced_costs(const Problem &problem, const Multipliers &multipliers);
  Cost least(const Subproblem &subproblem, Node v) const;
  ArcLengths arc_lengths(const Subproblem &subproblem) const;
  Cost length_of_paths(const Subproblem &subproblem) const;

  const ParentSets &sets_;
  std::vector<std::vector<Cost>> reduced_; // by node and set
  Cost constant_term_ = 0;
  double ideal_ = 0; // score at cost 0
  int bits_ = 0;
};

} // namespace optbn
