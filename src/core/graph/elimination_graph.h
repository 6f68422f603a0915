// EliminationGraph: a graph whose nodes are eliminated one by one, and what the next would cost.
//
// To eliminate a node joins its neighbours with one another and takes it out. The pairs that this
// would newly join, the node's *fill*, are known of every node at any time: an elimination changes
// them at its neighbours and at common neighbours of newly joined pairs only, and there by what can
// be counted. Fill is counted as it is and weighted: a pair counts the product of the two nodes'
// levels (Kjaerulff 1990, weighted fill), in whole numbers, so that nothing is lost by adding and
// subtracting.
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
  // Natural log of the number of joint states of the node and its neighbours.
  double log_cells(Node v) const;

  // Nodes whose neighbours or fill this changed, each once, the eliminated one not among them.
  const std::vector<Node> &eliminate(Node v);

private:
  void join(Node a, Node b);
  void part(Node a, Node v, const std::vector<Node> &around);
  void touch(Node v);

  UndirectedGraph graph_;
  std::vector<double> log_levels_;
  std::vector<std::uint64_t> levels_, fill_, weighted_fill_;
  std::vector<Node> touched_, missing_;
  std::vector<bool> is_touched_;
};

} // namespace optbn
