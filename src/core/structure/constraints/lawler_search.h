// Lawler search: for the best network under constraints on the network as a whole, and for the k
// best networks.
//
// The networks are divided into subproblems (subproblem.h) that solve() solves one by one, that of
// the highest bound first, so that networks are found in order. When a subproblem's best network
// violates a constraint, the children leave out the cause; when it is the next best network, the
// children leave out that network, or its Markov class. So constraints cost nothing where the best
// networks meet them, and much where hundreds of networks violate them.
//
// "At most m arcs" also has a multiplier, whose best value is found first (arc_pricing.h). A network
// to return should the search be stopped is found by repair before that (diving.h).
#pragma once

#include "core/structure/constraints/network_constraints.h"
#include "core/structure/search.h"

#include <vector>

namespace optbn {

// solve() under constraints: the options have the same meaning, and the same exceptions are thrown;
// Infeasible names no nodes when it is the constraints that cannot be met. A watch that stops
// before a network is found that meets them leaves `network` empty.
SearchResult solve_under(const ParentSets &sets, const NetworkConstraints &constraints,
                         const SearchOptions &options, Watch &watch);

struct Ranking {
  std::vector<Network> networks; // best first
  bool complete = false;         // as many as were requested, or as there are
  double nodes = 0, subsets = 0; // as in SearchResult
};

// The k best networks under the constraints; with `classes` the best of each of k Markov classes. A
// ranking that a watch stops is not complete, but each of its networks is the next best. Nothing is
// assumed about dominated sets: to rank all networks, the candidate sets must still include them.
Ranking rank_networks(const ParentSets &sets, const NetworkConstraints &constraints,
                      const SearchOptions &options, unsigned k, bool classes, Watch &watch);

} // namespace optbn
