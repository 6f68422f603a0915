// Minors: graphs made from a graph by contracting and deleting, and what they prove about its
// tree-width.
//
// Contracting an edge merges its two ends into one node, which is joined to the neighbours of both.
// Contracting and deleting never raise the tree-width, and a graph in which every node has at least
// d neighbours has tree-width d or more, because the first node of any elimination order has all of
// them. So a minor of least degree d is a proof, easily checked, that the tree-width is at least d
// (contraction degeneracy: Bodlaender, Wolle & Koster 2006, doi 10.7155/jgaa.00117).
#pragma once

#include "core/graph/undirected.h"

#include <cstddef>
#include <vector>

namespace optbn {

// The nodes of a minor as those of the graph that were contracted into them: disjoint connected
// sets, ascending; two are joined when an edge of the graph leads from one to the other.
using Minor = std::vector<std::vector<Node>>;

// The least degree of the minor, and so a lower bound on the tree-width of the graph; checked from
// scratch, 0 when `minor` is no minor of the graph.
unsigned least_degree(const Minor &minor, const UndirectedGraph &graph);

// A lower bound on the tree-width of a graph, and its proof.
struct LowerBound {
  unsigned width = 0;
  Minor minor;           // its least degree is `width`,
  bool searched = false; // or less, and a search has proved that the tree-width is not less
};

// A graph that is reduced to a minor step by step. Nodes keep their numbers; nodes that are
// contracted into others or deleted are no longer present. Not thread-safe.
class MinorGraph {
public:
  explicit MinorGraph(const UndirectedGraph &graph);

  // Nodes that are left, ascending.
  std::vector<Node> nodes() const;
  std::size_t size() const { return size_; }      // how many are left
  Node capacity() const { return graph_.size(); } // numbers are below this
  bool has(Node v) const { return present_[v]; }
  const std::vector<Node> &neighbours(Node v) const { return graph_.neighbours[v]; }
  unsigned degree(Node v) const { return static_cast<unsigned>(neighbours(v).size()); }
  bool joined(Node a, Node b) const;

  void remove(Node v);
  void contract(Node v, Node into); // the two are joined; v is removed

  std::vector<std::vector<Node>> components() const; // members ascending

  // For ascending nodes that are left: the minor that they induce, as sets of nodes of the original
  // graph; and the same minor as a graph, numbered in the order of `nodes`.
  Minor minor(const std::vector<Node> &nodes) const;
  UndirectedGraph graph(const std::vector<Node> &nodes) const;

private:
  UndirectedGraph graph_;
  std::vector<bool> present_;
  std::size_t size_;
  Minor merged_; // by node
};

} // namespace optbn
