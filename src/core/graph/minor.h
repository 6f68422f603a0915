// Minors: what contracting and deleting leaves of a graph, and what that proves about tree-width.
//
// To contract an edge makes one node of its two ends, joined to whatever either was joined to.
// Contracting and deleting never raise the tree-width, and a graph in which every node has at least
// d neighbours has no smaller tree-width than d, for the first node of any elimination order has
// them all. So a minor of least degree d is a proof, which anybody can check, that the tree-width
// is at least d (contraction degeneracy: Bodlaender, Wolle & Koster 2006,
// doi 10.7155/jgaa.00117).
#pragma once

#include "core/graph/undirected.h"

#include <cstddef>
#include <vector>

namespace optbn {

// The nodes of a minor as those of the graph that were contracted into them: disjoint connected
// sets, ascending; two are joined when an edge of the graph leads from one to the other.
using Minor = std::vector<std::vector<Node>>;

// The least degree of the minor, and so a lower bound on the tree-width of the graph; checked from
// scratch, 0 when this is no minor of the graph.
unsigned least_degree(const Minor &minor, const UndirectedGraph &graph);

// A lower bound on the tree-width of a graph with its proof.
struct LowerBound {
  unsigned width = 0;
  Minor minor;           // of this least degree,
  bool searched = false; // or of less, and a search has found that the width is not less
};

// A graph on its way to a minor. Its nodes keep their numbers; those that are contracted into
// others, or deleted, are gone. Not thread-safe.
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
  void contract(Node v, Node into); // the two are joined; v goes

  std::vector<std::vector<Node>> components() const; // members ascending

  // Of nodes that are left, ascending, without all others: what was contracted into them; and the
  // graph that they make, numbered as they are listed.
  Minor minor(const std::vector<Node> &nodes) const;
  UndirectedGraph graph(const std::vector<Node> &nodes) const;

private:
  UndirectedGraph graph_;
  std::vector<bool> present_;
  std::size_t size_;
  Minor merged_; // by node
};

} // namespace optbn
