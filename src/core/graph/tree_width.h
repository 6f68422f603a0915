// The tree-width of a graph: exactly, or between two bounds, each with its proof.
//
// From above an elimination order proves it (elimination.h), from below a minor (minor.h), or that
// the search of width_search.h has looked at everything. The graph is reduced first
// (width_reduction.h), bounded from both sides by heuristics, and where they leave a gap the search
// asks of what remains: is the width at most the lower bound? A no raises it by one.
//
// To decide it is NP-hard. Most networks in practice of up to some hundred nodes and a width of up
// to ten take seconds or less; whatever is cut short leaves bounds that hold. Not thread-safe.
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

// The search may take so many bytes, about. Depends on the random stream alone, unless the watch
// stops. The watch's total is the gap that the heuristics leave.
TreeWidth tree_width(const UndirectedGraph &graph, double memory_limit, Random &random,
                     Watch &watch);

} // namespace optbn
