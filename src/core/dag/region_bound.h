// Bounds on many regions from one dual: what its inequalities promise, plus the least reduced cost
// among the sets that a region leaves each node (dual.h). Exact as the dual's own bound is.
#pragma once

#include "core/dag/exact_costs.h"
#include "core/dag/prover.h"
#include "core/dag/region.h"

#include <vector>

namespace optbn {

class RegionBound {
public:
  // For the sets with each arc priced; multipliers on at most kTreeNodes nodes, perhaps none.
  RegionBound(const ParentSets &sets, const Multipliers &multipliers, double arc_price);

  // No network of the region scores more, the price of its arcs taken off. Linear in its sets.
  double operator()(const Region &region) const;

private:
  template <unsigned Words> void price(const Problem &problem, const Multipliers &multipliers);

  std::vector<std::vector<Cost>> reduced_; // by node and set
  Cost promised_ = 0;
  double ideal_ = 0; // score at cost 0
  int bits_ = 0;
};

} // namespace optbn
