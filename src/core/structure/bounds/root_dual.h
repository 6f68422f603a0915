// Root dual: multipliers near the optimum of the linear relaxation of structure search.
//
// The relaxation gives every node weights over its sets, adding up to 1, that satisfy the
// inequalities of dual.h. Those are far too many to write down, and so are the sets: rounds
// alternate between walking towards the optimum of the inequalities and sets at hand
// (primal_dual.h) and looking for inequalities that the weights violate (cluster_separation.h,
// group_cuts.h) and sets whose reduced costs are small. A greedy ascent (dual_ascent.h) provides
// the first clusters. What remains is a dual in whole numbers; its bound, computed again, is exact
// whatever happened on the way.
//
// The walk can be halted and go on later, so that a search may spend on its bound what its tree
// turns out to need. Deterministic: random choices come from a stream of its own. Not thread-safe.
#pragma once

#include "core/base/host.h"
#include "core/structure/bounds/dual.h"

#include <memory>

namespace optbn {

template <unsigned Words> class RootDual {
public:
  // problem: every node has at least one set. warm: a dual to begin with, whose bound is never
  // lost; may be empty. upper: the cost of a network; a bound that reaches it ends the walk.
  // work_limit: rounds end with the one that takes the work done beyond it, in sets looked at.
  RootDual(const CostProblem<Words> &problem, Dual<Words> warm, Cost upper, Watch &watch,
           double work_limit = std::numeric_limits<double>::infinity());
  ~RootDual();

  // Goes on for so many rounds; true as long as more seem to pay. Whenever the watch stops, what
  // there is is valid.
  bool improve(unsigned rounds);

  const Dual<Words> &dual() const;
  Cost bound() const;  // bound_of(problem, dual()); kNoCost when the problem admits no network
  double work() const; // done so far, in sets looked at

private:
  class Relaxation;
  std::unique_ptr<Relaxation> relaxation_;
};

} // namespace optbn
