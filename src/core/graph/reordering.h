// Reordering: improves a tree decomposition region by region.
//
// A *region* is a connected part of the tree, a few bags. The rest of the tree depends only on the
// separators between the region and the neighbouring bags: any decomposition of the region's nodes
// in which each of these separators is in a bag can replace the region. So the region's nodes are
// ordered again, in the subgraph that they induce with each separator made a clique; an order that
// costs no more is accepted. A greedy rule that fails on a thousand nodes is nearly always right
// for thirty. The idea is that of large neighbourhood search (Shaw 1998, doi
// 10.1007/3-540-49481-2_30) and of SAT-based local improvement (Fichte, Lodha & Szeider 2017, doi
// 10.1007/978-3-319-66263-3_25).
#pragma once

#include "core/base/host.h"
#include "core/base/random.h"
#include "core/graph/elimination.h"

#include <vector>

namespace optbn {

// Reorders random regions until there has been no improvement for a while, for a few thousand steps
// at most, or until the watch stops.
TreeDecomposition reorder_regions(const UndirectedGraph &graph,
                                  const std::vector<double> &log_levels, EliminationGoal goal,
                                  TreeDecomposition tree, Random &random, Watch &watch);

} // namespace optbn
