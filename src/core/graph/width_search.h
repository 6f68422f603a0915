// Is the tree-width at most k? Positive-instance driven search (Tamaki 2019, doi
// 10.1007/s10878-018-0353-z; the algorithm below is a variant of it).
//
// A connected set C of nodes with its neighbours N(C), its border, is *feasible* when the graph of
// C and its border, the border a clique, has tree-width at most k: then it may hang below a bag
// that holds the border. The search grows feasible sets from smaller ones, and so meets only sets
// that are feasible, which are few where all sets with small borders would be far too many.
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

constexpr Node kWidthSearchNodes = 512; // more are not begun

// Of a connected graph of at least one node. Stops when the watch does, or when it would take more
// than so many bytes.
WidthSearch search_width(const UndirectedGraph &graph, unsigned k, double memory_limit,
                         Watch &watch);

} // namespace optbn
