// Reductions that keep the tree-width: a graph made smaller before a search.
//
// A node whose d neighbours are all joined (*simplicial*) may be eliminated first: the tree-width
// is the larger one of d and that of the rest. So may a node whose neighbours but one are all
// joined (*almost simplicial*), provided that the tree-width is known to be at least d (Bodlaender,
// Koster & van den Eijkhof 2005, doi 10.1111/j.1467-8640.2005.00274.x). Eliminating the latter
// means to contract it into that one neighbour, so that the rest is a minor of the graph, and a
// lower bound for the rest holds for the whole graph.
#pragma once

#include "core/graph/minor.h"

#include <vector>

namespace optbn {

// Eliminates nodes while that is safe, and appends them to `order`. A simplicial node with more
// neighbours than the bound raises it: they form a clique.
void reduce(MinorGraph &graph, LowerBound &bound, std::vector<Node> &order);

} // namespace optbn
