// TreeDecomposition: a tree of bags that covers a graph.
//
// Every node and both ends of every edge are in some bag, and the bags that contain a node are
// connected in the tree. The width, the size of the largest bag less one, bounds the tree-width of
// the graph, and a decomposition is a proof of that bound that covers() checks.
#pragma once

#include "core/graph/undirected.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

struct TreeDecomposition {
  std::vector<std::vector<Node>> bags; // members ascending
  // bag -> its parent, an earlier bag; a root (one for each connected component, or one in all) is
  // its own parent.
  std::vector<std::uint32_t> parent;

  std::size_t size() const { return bags.size(); }
  unsigned width() const; // 0 when there are no edges, and no nodes
};

// Is it a decomposition of this graph? The three conditions, checked one by one.
bool covers(const TreeDecomposition &tree, const UndirectedGraph &graph);

// The decomposition by eliminating the nodes in this order: a node's bag is the node and the
// neighbours that it has when it is eliminated, which are then joined with one another. Bags that
// are subsets of others are left out.
TreeDecomposition decompose(const UndirectedGraph &graph, const std::vector<Node> &order);

// An order whose bags are no larger than these: leaves of the tree first.
std::vector<Node> elimination_order(const TreeDecomposition &tree);

} // namespace optbn
