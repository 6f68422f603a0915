// Root dual: multipliers near the optimum of the linear relaxation of structure search.
//
// Rounds alternate between approaching the optimum of the relaxation's present rows and columns
// (relaxation.h) and seeking inequalities that the weights violate and sets of small reduced cost:
// cutting planes and column generation. A greedy ascent (dual_ascent.h) provides the first
// clusters. The result is a dual in whole numbers, whose bound is computed from it and so is exact,
// however inexact the rounds are.
//
// Rounds can be stopped and continued later, so that a search may spend as much on its bound as its
// tree turns out to need. Deterministic: random choices come from a stream of its own. Not
// thread-safe.
#pragma once

#include "core/base/host.h"
#include "core/structure/bounds/relaxation.h"

#include <memory>

namespace optbn {

template <unsigned Words> class RootDual {
public:
  // problem: every node has at least one set. warm: a dual to begin with, whose bound is never
  // lost; may be empty. upper: the cost of a network; a bound that reaches it ends the rounds.
  // work_limit: the last round is the one in which the work done exceeds it, in sets examined.
  // limits: as of Relaxation; the dual's bound then holds for networks that they admit.
  RootDual(const CostProblem<Words> &problem, Dual<Words> warm, Cost upper, Watch &watch,
           double work_limit = std::numeric_limits<double>::infinity(),
           const LimitSource<Words> *limits = nullptr);
  ~RootDual();

  // Does so many more rounds; true as long as further ones seem to pay. The dual is valid whenever
  // the watch stops.
  bool improve(unsigned rounds);

  const Dual<Words> &dual() const;
  Cost bound() const;  // bound_of(problem, dual()); kNoCost when the problem admits no network
  double work() const; // done so far, in sets examined
  const Relaxation<Words> &relaxation() const; // as the last round left it

private:
  class Rounds;
  std::unique_ptr<Rounds> rounds_;
};

} // namespace optbn
