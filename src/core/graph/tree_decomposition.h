// TreeDecomposition: a graph laid over a tree of bags.
//
// Every node and both ends of every edge lie in some bag, and the bags that hold a node are
// connected in the tree. The width, the size of the largest bag less one, bounds the tree-width of
// the graph, and a decomposition is a proof of that bound that anybody can check: see covers().
#pragma once

#include "core/graph/undirected.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

struct TreeDecomposition {
  std::vector<std::vector<Node>> bags; // members ascending
  // bag -> the bag it hangs on, which comes earlier; a root (one per connected component, or one in
  // all) is its own parent.
  std::vector<std::uint32_t> parent;

  std::size_t size() const { return bags.size(); }
  unsigned width() const; // 0 when there are no edges, and no nodes
};

// Is it a decomposition of this graph? The three conditions, checked one by one.
bool covers(const TreeDecomposition &tree, const UndirectedGraph &graph);

// What eliminating the nodes in this order makes: a node's bag is itself and the neighbours it has
// when its turn comes, which are then joined with one another. Bags inside others are left out.
TreeDecomposition decompose(const UndirectedGraph &graph, const std::vector<Node> &order);

// An order that gives back bags no larger than these: leaves of the tree first.
std::vector<Node> elimination_order(const TreeDecomposition &tree);

} // namespace optbn
