// UndirectedGraph: adjacency lists; and the moral graph of a network.
//
// The moral graph joins every node with its parents, and its parents with one another, so that
// every family is a clique (Lauritzen & Spiegelhalter 1988, doi
// 10.1111/j.2517-6161.1988.tb01721.x). The cost of inference depends on this graph alone, by its
// tree-width.
#pragma once

#include "core/data/dataset.h"

#include <vector>

namespace optbn {

struct UndirectedGraph {
  std::vector<std::vector<Node>> neighbours; // by node, ascending

  Node size() const { return static_cast<Node>(neighbours.size()); }
};

// parents: node -> its parents, ascending.
UndirectedGraph moral_graph(const std::vector<std::vector<Node>> &parents);

} // namespace optbn
