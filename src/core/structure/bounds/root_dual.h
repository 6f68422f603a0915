// Root dual: multipliers near the optimum of the linear relaxation of structure search.
//
// The relaxation gives every node weights over its sets, adding up to 1, that satisfy the
// inequalities of dual.h. There are far too many of these to write down, and too many sets. Rounds
// therefore alternate between approaching the optimum of the active inequalities and sets
// (primal_dual.h) and seeking inequalities that the weights violate (cluster_separation.h,
// group_cuts.h) and sets of small reduced cost: cutting planes and column generation. A greedy
// ascent (dual_ascent.h) provides the first clusters. The result is a dual in whole numbers, whose
// bound is computed from it and so is exact, however inexact the rounds are.
//
// Rounds can be stopped and continued later, so that a search may spend as much on its bound as its
// tree turns out to need. Deterministic: random choices come from a stream of its own. Not
// thread-safe.
#pragma once

#include "core/base/host.h"
#include "core/structure/bounds/dual.h"

#include <memory>

namespace optbn {

template <unsigned Words> class RootDual {
public:
  // problem: every node has at least one set. warm: a dual to begin with, whose bound is never
  // lost; may be empty. upper: the cost of a network; a bound that reaches it ends the rounds.
  // work_limit: the last round is the one in which the work done exceeds it, in sets examined.
  RootDual(const CostProblem<Words> &problem, Dual<Words> warm, Cost upper, Watch &watch,
           double work_limit = std::numeric_limits<double>::infinity());
  ~RootDual();

  // Does so many more rounds; true as long as further ones seem to pay. The dual is valid whenever
  // the watch stops.
  bool improve(unsigned rounds);

  const Dual<Words> &dual() const;
  Cost bound() const;  // bound_of(problem, dual()); kNoCost when the problem admits no network
  double work() const; // done so far, in sets examined

private:
  class Relaxation;
  std::unique_ptr<Relaxation> relaxation_;
};

} // namespace optbn
