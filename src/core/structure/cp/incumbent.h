// Incumbent: the best network of a search and the bound on all others, in exact costs.
//
// Tells the task whenever one of them gets better. Constant time, but for a better network.
#pragma once

#include "core/base/invariant.h"
#include "core/structure/bounds/exact_costs.h"
#include "core/structure/prover.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace optbn {

template <unsigned Words> class Incumbent {
public:
  // Begins with the network that the task has. `costs`: of the task's problem.
  Incumbent(const ProofTask &task, const CostProblem<Words> &costs)
      : task_(task), costs_(costs), best_(task.start) {
    for (Node v = 0; v < costs.size(); ++v)
      cost_ += costs.domains[v].cost[best_.choice[v]];
    gap_ = costs.cost(std::min(task.gap, costs.units(cost_)));
    task_cutoff_ = costs.cutoff(task.cutoff);
  }

  // Networks that cost as much or more are of no interest.
  Cost cutoff() const { return std::min(cost_ - gap_, task_cutoff_); }

  void accept(std::vector<std::uint32_t> choice, Cost cost) {
    OPTBN_INVARIANT(cost < cost_ && cost >= lower_bound_,
                    "a better network costs less than the best, and no less than the bound");
    cost_ = cost;
    best_.choice = std::move(choice);
    best_.score = 0;
    for (Node v = 0; v < task_.problem.size(); ++v)
      best_.score += task_.problem.domains[v].score[best_.choice[v]];
    report();
  }

  void raise_lower_bound(Cost to) {
    if (to <= lower_bound_)
      return;
    OPTBN_INVARIANT(to <= cost_, "the bound stays at or below what the best network costs");
    lower_bound_ = to;
    report();
  }

  void write_to(Proof &proof) const {
    proof.best = best_;
    proof.proved = lower_bound_ >= cost_;
    proof.bound = bound_on_score();
  }

private:
  void report() const { task_.report(best_.score, bound_on_score()); }

  double bound_on_score() const {
    return lower_bound_ >= cost_ ? best_.score : std::max(best_.score, costs_.score(lower_bound_));
  }

  const ProofTask &task_;
  const CostProblem<Words> &costs_;
  Network best_;
  Cost cost_ = 0, lower_bound_ = -1; // of best_; no network costs less
  Cost gap_, task_cutoff_;           // task_cutoff_: from the task's cutoff on the score
};

} // namespace optbn
