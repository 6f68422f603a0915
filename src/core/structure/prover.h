// What an exact search over one component of a problem takes and gives, whichever way it walks.
//
// cp_search (ELSA) and order_search (Lagrangian) both start from a network that local search found
// and end with a proof, or with the best network and the best bound so far. Natural logs, larger is
// better.
#pragma once

#include "core/base/host.h"
#include "core/structure/domains.h"
#include "core/structure/search.h"

#include <functional>
#include <limits>

namespace optbn {

// The most nodes that a tree search takes.
constexpr Node kTreeNodes = 1024;

struct ProofTask {
  const Problem &problem; // at most kTreeNodes nodes, with at least one acyclic choice
  Network start;          // a network of the problem: choice[v] indexes problem.domains[v]
  Multipliers warm{};     // of an earlier search over the same problem, or none
  double gap = 0;         // stop once bound - score is at most this
  double floor = -std::numeric_limits<double>::infinity(); // what scores less is of no interest
  double memory_limit = std::numeric_limits<double>::infinity(); // bytes
  double node_limit = std::numeric_limits<double>::infinity();   // of the search tree, about
  double work_limit = std::numeric_limits<double>::infinity();   // in sets looked at
  // Called whenever the score or the bound gets better, from whichever thread, one call at a time.
  std::function<void(double score, double bound)> report = [](double, double) {};
};

struct Proof {
  Network best;
  double bound = std::numeric_limits<double>::infinity();
  bool proved = false; // no network of the problem scores more than best, up to the quanta of
                       // exact_costs.h; not so when the bound ends at the floor
  double nodes = 0;    // of the search tree
  Multipliers root{};  // whose bound anyone can recompute; empty if there are none
};

} // namespace optbn
