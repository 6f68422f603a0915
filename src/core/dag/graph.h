// The graph of a network: who are whose parents, ancestors, neighbours.
#pragma once

#include "core/dag/search.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace optbn {

using Graph = std::vector<std::vector<Node>>; // node -> its parents, ascending

Graph graph_of(const ParentSets &sets, const Network &network);

std::size_t arc_count(const Graph &graph);

bool is_acyclic(const Graph &graph);

// The nodes, parents before children; the graph is acyclic.
std::vector<Node> topological_order(const Graph &graph);

// Node -> may it be reached from `v` going backwards? `v` itself is in.
std::vector<bool> ancestors_of(const Graph &graph, Node v);

// The nodes that `v` is an ancestor of, `v` itself among them.
std::vector<bool> descendants_of(const Graph &graph, Node v);

// The nodes of a shortest directed path, both ends in; empty when there is none.
std::vector<Node> directed_path(const Graph &graph, Node from, Node to);

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
