// Is the tree-width at most k? Positive-instance driven search (Tamaki 2019, doi
// 10.1007/s10878-018-0353-z; the algorithm below is a variant of it).
//
// A connected set C of nodes with its neighbours N(C), its border, is *feasible* when the graph of
// C and its border, the border made a clique, has tree-width at most k: then a subtree of bags for
// C can be attached below a bag that contains the border. The search builds feasible sets from
// smaller ones, so it enumerates feasible sets only; there are few of these where all sets with
// small borders would be far too many.
#pragma once

#include "core/base/host.h"
#include "core/graph/undirected.h"

#include <vector>

namespace optbn {

enum class WidthAnswer { yes, no, stopped };

struct WidthSearch {
  WidthAnswer answer = WidthAnswer::stopped;
  std::vector<Node> order; // of width at most k, when the answer is yes
};

constexpr Node kWidthSearchNodes = 512; // no search with more nodes

// For a connected graph of at least one node. Stops when the watch does, or when it would take more
// bytes than the memory limit.
WidthSearch search_width(const UndirectedGraph &graph, unsigned k, double memory_limit,
                         Watch &watch);

} // namespace optbn
