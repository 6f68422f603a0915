// Searches that the best choice of sets does not answer: under constraints on the network as a
// whole, and after more than the best network.
//
// The networks are cut into subproblems (subproblem.h) that solve() searches one by one, that of
// the highest bound first, so that what is found comes in order. When a subproblem's best network
// breaks a constraint, the subproblem is cut so that no child holds what was wrong with it; after a
// network that is an answer, so that no child holds that network, or its Markov class.
// NetworkConstraints therefore cost nothing where they are met anyway, and much where hundreds of
// networks break them.
//
// "At most m arcs" has a price besides, as in any Lagrangian relaxation (Fisher 1981, doi
// 10.1287/mnsc.27.1.1): no network with at most m arcs scores more than m times the price plus the
// best of scores less the price of the arcs. The price that proves most is found first.
#pragma once

#include "core/structure/constraints/network_constraints.h"
#include "core/structure/search.h"

#include <vector>

namespace optbn {

// solve() under constraints: the options have the same meaning, and the same is thrown; Infeasible
// names no nodes when it is the constraints that cannot be met. A watch that stops before a network
// is found that meets them leaves `network` empty.
SearchResult solve_under(const ParentSets &sets, const NetworkConstraints &constraints,
                         const SearchOptions &options, Watch &watch);

struct Ranking {
  std::vector<Network> networks; // best first
  bool complete = false;         // as many as were asked for, or as there are
  double nodes = 0, subsets = 0; // as in SearchResult
};

// The k best networks under the constraints; with `classes` the best of each of k Markov classes.
// What a watch stops is not complete; each of its networks is the next best all the same. Nothing
// is assumed about dominated sets: to rank all networks, the candidate sets must still hold them.
Ranking rank_networks(const ParentSets &sets, const NetworkConstraints &constraints,
                      const SearchOptions &options, unsigned k, bool classes, Watch &watch);

} // namespace optbn
