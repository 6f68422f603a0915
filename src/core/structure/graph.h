// The graph of a network, and what Markov equivalent networks have in common.
#pragma once

#include "core/graph/directed.h"
#include "core/structure/search.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace optbn {

Graph graph_of(const ParentSets &sets, const Network &network);

std::size_t arc_count(const Graph &graph);

// What Markov equivalent networks have in common, and no others: the adjacent pairs, and the
// v-structures a -> v <- b with a and b not adjacent (Verma & Pearl 1990, arXiv:1304.1108).
struct MarkovClass {
  std::vector<std::vector<Node>> neighbours;                         // by node, ascending
  std::vector<std::vector<std::pair<Node, Node>>> colliding_parents; // by node, ascending

  explicit MarkovClass(const Graph &graph);

  bool adjacent(Node a, Node b) const;

  // The same for equal classes only.
  Graph signature() const;
};

} // namespace optbn
