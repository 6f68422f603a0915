// Reordering: makes a tree decomposition better, region by region.
//
// A *region* is a connected part of the tree, a few bags. Seen from outside, only the members that
// it shares with neighbouring bags matter: any decomposition of the region's nodes in which each of
// these separators lies in a bag can take its place. So the region's nodes are ordered again, their
// graph being what the whole graph joins and the separators as cliques; an order that costs no more
// is taken. A greedy rule that goes astray among a thousand nodes is nearly always right about
// thirty. The idea is that of large neighbourhood search (Shaw 1998, doi 10.1007/3-540-49481-2_30)
// and of SAT-based local improvement (Fichte, Lodha & Szeider 2017, doi
// 10.1007/978-3-319-66263-3_25).
#pragma once

#include "core/base/host.h"
#include "core/base/random.h"
#include "core/graph/elimination.h"

#include <vector>

namespace optbn {

// Reorders random regions until that has not paid for a while, for a few thousand steps at most, or
// until the watch stops.
TreeDecomposition reorder_regions(const UndirectedGraph &graph,
                                  const std::vector<double> &log_levels, EliminationGoal goal,
                                  TreeDecomposition tree, Random &random, Watch &watch);

} // namespace optbn
