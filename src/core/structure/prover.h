// The task and the result of an exact search over one component of a problem, whatever its method.
//
// cp_search() (ELSA) and tree_search() (search over orders, branch and cut) both start from a network
// that local search found and end with a proof, or with the best network and the best bound so far.
// Natural logs, larger is better.
#pragma once

#include "core/base/host.h"
#include "core/structure/bounds/exact_costs.h"
#include "core/structure/domains.h"
#include "core/structure/proof/proof_log.h"
#include "core/structure/search.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

namespace optbn {

// The most nodes of a problem that a tree search accepts.
constexpr Node kTreeNodes = 1024;

struct ProofTask {
  const Problem &problem; // at most kTreeNodes nodes, with at least one acyclic choice
  Network start;          // a network of the problem: choice[v] indexes problem.domains[v]
  Multipliers warm{};     // of an earlier search over the same problem, or none
  double gap = 0;         // stop once bound - score is at most this
  double cutoff =
      -std::numeric_limits<double>::infinity(); // networks that score less are of no interest
  double memory_limit = std::numeric_limits<double>::infinity(); // bytes
  double node_limit = std::numeric_limits<double>::infinity();   // of the search tree, about
  double work_limit = std::numeric_limits<double>::infinity();   // in sets examined
  // Subproblems of branch and cut of more sets than this are not searched over orders.
  double most_by_orders = std::numeric_limits<double>::infinity();
  int cost_bits = kCostBits;  // that no sum of costs exceeds
  ProofText *proof = nullptr; // or where the proof is written
  // Called whenever the score or the bound gets better, from any thread, one call at a time.
  std::function<void(double score, double bound)> report = [](double, double) {};
};

// Workers of a search: a limit of work must end it in the same place on any number of threads.
inline unsigned workers_of(const ProofTask &task, const Watch &watch) {
  return std::isfinite(task.work_limit) ? 1 : std::max(1u, watch.host().threads);
}

struct Proof {
  Network best;
  double bound = std::numeric_limits<double>::infinity();
  bool proved = false; // no network of the problem scores more than best, up to the quanta of
                       // exact_costs.h; false when the bound ends at the cutoff
  std::int64_t least_cost = 0;   // the bound in quanta of exact_costs.h; 0 if it is not counted so
  double nodes = 0;              // of the search tree
  bool branched_on_arcs = false; // by branch and cut, at least in part
  Multipliers root{};            // whose bound can be recomputed; empty if there are none
};

} // namespace optbn
