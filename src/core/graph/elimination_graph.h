// EliminationGraph: a graph whose nodes are eliminated one by one, and the costs of the next step.
//
// Eliminating a node joins its neighbours with one another and removes the node. The number of
// pairs that this would newly join, the *fill* of the node, is maintained for every node: an
// elimination changes it only for the neighbours of the node and for common neighbours of newly
// joined pairs, and there by amounts that are counted. Fill is counted plain and weighted: in
// weighted fill a pair counts the product of the two nodes' numbers of levels (Kjaerulff 1990), in
// whole numbers, so that adding and subtracting are exact.
//
// An elimination of a node of degree d with f pairs to join takes O((d + f) D) for neighbours of
// degree D. Not thread-safe.
#pragma once

#include "core/graph/undirected.h"

#include <cstdint>
#include <vector>

namespace optbn {

class EliminationGraph {
public:
  // log_levels: natural log of each node's number of levels.
  EliminationGraph(const UndirectedGraph &graph, const std::vector<double> &log_levels);

  Node size() const { return graph_.size(); }
  const std::vector<Node> &neighbours(Node v) const { return graph_.neighbours[v]; }
  unsigned degree(Node v) const { return static_cast<unsigned>(neighbours(v).size()); }
  std::uint64_t fill(Node v) const { return fill_[v]; }
  std::uint64_t weighted_fill(Node v) const { return weighted_fill_[v]; }
  // Natural log of the number of joint states of the node and its neighbours, the cells of its bag.
  double log_cells(Node v) const;

  // Returns the nodes whose neighbours or fill changed, each once, without the eliminated node.
  const std::vector<Node> &eliminate(Node v);

private:
  void join(Node a, Node b);
  void disconnect(Node a, Node v, const std::vector<Node> &around);
  void mark_changed(Node v);

  UndirectedGraph graph_;
  std::vector<double> log_levels_;
  std::vector<std::uint64_t> levels_, fill_, weighted_fill_;
  std::vector<Node> changed_, missing_;
  std::vector<bool> is_changed_;
};

} // namespace optbn
