// The tree-width of a graph: exactly, or between two bounds, each with its proof.
//
// An elimination order (elimination.h) proves the upper bound; a minor (minor.h), or a complete
// search (width_search.h), proves the lower bound. The graph is reduced first (width_reduction.h)
// and bounded from both sides by heuristics; where these leave a gap, the search decides whether
// the width of the rest is at most the lower bound. If not, the lower bound rises by one.
//
// Deciding this is NP-hard. Most networks in practice of up to some hundred nodes and a width of up
// to ten take seconds or less; a search that is stopped early leaves valid bounds. Not thread-safe.
#pragma once

#include "core/base/host.h"
#include "core/base/random.h"
#include "core/graph/minor.h"
#include "core/graph/undirected.h"

#include <vector>

namespace optbn {

struct TreeWidth {
  LowerBound lower;
  unsigned upper = 0;
  std::vector<Node> order; // an elimination order of width `upper`
};

// memory_limit: bytes that the search may take, about. Depends on the random stream alone, unless
// the watch stops. The watch's total is the gap that the heuristics leave.
TreeWidth tree_width(const UndirectedGraph &graph, double memory_limit, Random &random,
                     Watch &watch);

} // namespace optbn
