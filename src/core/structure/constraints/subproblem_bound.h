// Bounds on many subproblems from one dual: what its inequalities promise, plus the least reduced
// cost among the sets that a subproblem leaves each node (dual.h), plus what its demanded paths
// cost at least.
//
// The toll of an arc u -> v is what the cheapest set of v with u in it costs more than the cheapest
// set of v, in reduced costs. A network with a path pays the tolls along it, hence at least the
// length of a shortest path. Further paths count by what the first leaves of the tolls: in the
// shortest distances d, cut off at the path's end, the first needs of all tolls into v no more than
// the largest d(v) - d(u).
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
  // For the children of a subproblem, each arc priced. Of more than kTreeNodes nodes nothing is
  // said.
  SubproblemBound(const ParentSets &sets, const Subproblem &whole, const Multipliers &multipliers,
                  double arc_price);

  // No network of a child scores more, the price of its arcs taken off. Linear in its sets.
  double operator()(const Subproblem &subproblem) const;

  // The nodes of a path of least tolls, both ends in; empty when no sets allow any.
  std::vector<Node> cheapest_path(const Subproblem &subproblem, Node from, Node to) const;

private:
  // Tolls of arcs by parent, for each node; kNoCost where no set has the parent.
  using Tolls = std::vector<std::vector<Cost>>;

  template <unsigned Words> void price(const Problem &problem, const Multipliers &multipliers);
  Cost least(const Subproblem &subproblem, Node v) const;
  Tolls tolls(const Subproblem &subproblem) const;
  Cost cost_of_paths(const Subproblem &subproblem) const;

  const ParentSets &sets_;
  std::vector<std::vector<Cost>> reduced_; // by node and set
  Cost promised_ = 0;
  double ideal_ = 0; // score at cost 0
  int bits_ = 0;
};

} // namespace optbn
