// Greedy elimination orders: each step eliminates the node of least cost.
//
// A rule defines the cost; no rule is best everywhere (Kjaerulff 1990, Triangulation of graphs,
// report R 90-09, Aalborg University). Ties are broken at random, and costs may be perturbed at
// random, so that several starts find different orders (Kask, Gelfand, Otten & Dechter 2011,
// Pushing the power of stochastic greedy ordering schemes, AAAI 25). Takes the time of the
// eliminations, see elimination_graph.h, and of a heap. Not thread-safe.
#pragma once

#include "core/base/host.h"
#include "core/base/random.h"
#include "core/graph/elimination_graph.h"

#include <vector>

namespace optbn {

enum class GreedyRule {
  fill,          // fewest pairs of neighbours to be joined
  weighted_fill, // the same, a pair counting the product of their levels
  degree,        // fewest neighbours
  cells          // fewest joint states of the node and its neighbours
};

constexpr GreedyRule kGreedyRules[] = {GreedyRule::fill, GreedyRule::weighted_fill,
                                       GreedyRule::degree, GreedyRule::cells};

// `noise`: costs are multiplied by random numbers from 1 to 1 + noise. When the watch stops, the
// nodes that are left follow in the order of their numbers.
std::vector<Node> greedy_order(EliminationGraph graph, GreedyRule rule, double noise,
                               Random &random, Watch &watch);

} // namespace optbn
