// Elimination orders: in which order to eliminate the nodes of a graph, so that few edges are
// added.
//
// Eliminating a node joins its neighbours with one another and removes the node; its bag is the
// node with the neighbours that it had then. The width of an order is the size of its largest bag
// less one, and the least width of all orders is the tree-width of the graph. Exact inference works
// on tables over the bags: the number of their cells, for each bag the product of its nodes'
// numbers of levels, is its cost in time and in memory. Both width and cells are hard to minimise
// (Arnborg, Corneil & Proskurowski 1987, doi 10.1137/0608024); the orders found here are good,
// without proof.
//
// Natural logs. `log_levels`: by node, the log of its number of levels; empty when all nodes have
// the same number, which then counts as two.
#pragma once

#include "core/base/host.h"
#include "core/base/random.h"
#include "core/graph/tree_decomposition.h"
#include "core/graph/undirected.h"

#include <vector>

namespace optbn {

enum class EliminationGoal {
  width, // as small a width as possible; of equal ones fewer cells
  cells  // as few cells as possible, over all bags together
};

struct EliminationCost {
  unsigned width = 0;
  double log_cells = 0; // of all bags that are in no other bag
};

EliminationCost cost_of(const TreeDecomposition &tree, const std::vector<double> &log_levels);

// Is `a` less than `b` by more than the rounding of sums?
bool is_less(const EliminationCost &a, const EliminationCost &b, EliminationGoal goal);

// A rough count of the operations that made a decomposition by elimination: the sum of the cubes of
// its bags' sizes. Searches are limited by it, so that dense graphs do not delay them and results
// do not depend on the machine.
double elimination_work(const TreeDecomposition &tree);

// A search for an order ends after so much: about half a second.
constexpr double kMostEliminationWork = 3e8;

struct Elimination {
  std::vector<Node> order;
  EliminationCost cost;
};

// The best order found: by greedy rules with random ties (greedy_order.h), then improved region by
// region (reordering.h). Depends on the random stream alone, unless the watch stops: then the
// search ends early and still returns an order. Milliseconds for fifty nodes, half a second for a
// thousand.
Elimination best_elimination_order(const UndirectedGraph &graph,
                                   const std::vector<double> &log_levels, EliminationGoal goal,
                                   Random &random, Watch &watch);

} // namespace optbn
