// Contraction degeneracy: a lower bound on the tree-width from a minor whose nodes all have many
// neighbours (minor.h).
//
// The largest least degree of a minor is hard to find. The heuristic MMD+ with the strategy least-c
// (Bodlaender, Wolle & Koster 2006, doi 10.7155/jgaa.00117) contracts a node of least degree into
// the neighbour with which it has the fewest neighbours in common, so that the fewest edges are
// lost, and repeats this until no node is left; the best minor of the sequence counts. Ties are
// broken at random.
#pragma once

#include "core/base/host.h"
#include "core/base/random.h"
#include "core/graph/minor.h"

namespace optbn {

// Raises the bound where a minor of `graph` does. Ends early when the watch stops.
void raise_by_contraction(MinorGraph graph, LowerBound &bound, Random &random, Watch &watch);

} // namespace optbn
