// Greedy elimination orders: always the node next that is cheapest now.
//
// What is cheap, a rule says; no rule is best everywhere (Kjaerulff 1990, Triangulation of graphs,
// report R 90-09, Aalborg University). Ties are broken at random, and the rules may be blurred, so
// that several starts find different orders (Kask, Gelfand, Otten & Dechter 2011, Pushing the power
// of stochastic greedy ordering schemes, AAAI 25). Costs what the eliminations cost, see
// elimination_graph.h, and a heap. Not thread-safe.
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

// `blur`: what a rule counts is multiplied by random numbers from 1 to 1 + blur. When the watch
// stops, the nodes that are left follow as they are numbered.
std::vector<Node> greedy_order(EliminationGraph graph, GreedyRule rule, double blur, Random &random,
                               Watch &watch);

} // namespace optbn
