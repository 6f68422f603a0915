// Elimination orders: in which order to take the nodes out of a graph, so that little is joined.
//
// To eliminate a node joins its neighbours with one another and takes it out; it leaves a bag, the
// node with the neighbours that it had then. The width of an order is the size of its largest bag
// less one, and the least width of all orders is the tree-width of the graph. Exact inference works
// on tables over the bags: their cells, the products of the levels of a bag's nodes, are what it
// costs in time and in memory. Both are hard to minimise (Arnborg, Corneil & Proskurowski 1987, doi
// 10.1137/0608024); the orders found here are good, not proved.
//
// Natural logs. `log_levels`: by node, the log of its number of levels; empty when all have equally
// many, which then count as two.
#pragma once

#include "core/base/host.h"
#include "core/base/random.h"
#include "core/graph/tree_decomposition.h"
#include "core/graph/undirected.h"

#include <vector>

namespace optbn {

enum class EliminationGoal {
  width, // as small a width as possible; of equal ones fewer cells
  cells  // as few cells as possible, all bags taken together
};

struct EliminationCost {
  unsigned width = 0;
  double log_cells = 0; // of all bags that lie in no other
};

EliminationCost cost_of(const TreeDecomposition &tree, const std::vector<double> &log_levels);

// By more than the rounding of sums?
bool is_less(const EliminationCost &a, const EliminationCost &b, EliminationGoal goal);

// A rough count of the operations that made a decomposition by elimination: the sum of the cubes of
// its bags' sizes. Searches limit themselves by it, so that dense graphs do not hold them up and
// results do not depend on the machine.
double elimination_work(const TreeDecomposition &tree);

struct Elimination {
  std::vector<Node> order;
  EliminationCost cost;
};

// The best order found: by greedy rules with random ties (greedy_order.h), then improved region by
// region (reordering.h). Depends on the stream alone, unless the watch stops: that cuts it short,
// and leaves an order all the same. Milliseconds for fifty nodes, half a second for a thousand.
Elimination best_elimination_order(const UndirectedGraph &graph,
                                   const std::vector<double> &log_levels, EliminationGoal goal,
                                   Random &random, Watch &watch);

} // namespace optbn
