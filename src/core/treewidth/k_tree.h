// KTree: a maximal graph of tree-width k, as a tree of bags.
//
// A clique of k + 1 nodes is a k-tree, and so is a k-tree with one more node that is joined to the
// k nodes of a clique in it (Nie et al. 2016, definition 3). As a tree decomposition: n - k bags of
// k + 1 nodes; every bag but the first shares k nodes with its parent, its *separator*, and
// introduces one. A network with every family in a bag has tree-width at most k; where k exceeds
// n - 1 there is one bag, and nothing is bounded.
#pragma once

#include "core/base/errors.h"
#include "core/data/dataset.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace optbn {

struct KTree {
  Node nodes = 0;
  unsigned k = 0;                    // at most nodes - 1
  std::vector<Node> members;         // bag i at members[i (k + 1)], ascending
  std::vector<std::uint32_t> parent; // bag i -> an earlier bag; 0 for bag 0
  std::vector<Node> introduced; // the member of bag i that is not in its parent; of bag 0 the first

  std::size_t bags() const { return parent.size(); }
  unsigned bag_size() const { return k + 1; }
  const Node *bag(std::size_t i) const { return members.data() + i * bag_size(); }
  const Node *bag_end(std::size_t i) const { return bag(i) + bag_size(); }
};

// Is it a k-tree in the form described above? Checked from scratch, in O(n k).
bool well_formed(const KTree &tree);

// Is every family (node and parents, parents[v] ascending) in a bag?
bool covers(const KTree &tree, const std::vector<std::vector<Node>> &parents);

// The position of a member in its bag; and the position, in the parent of `child`, of the one
// member that `child` lacks.
unsigned position_in_bag(const KTree &tree, std::size_t bag, Node member);
unsigned omitted_position(const KTree &tree, std::size_t child);

// Pairs of joined nodes, the smaller first, ascending.
std::vector<std::pair<Node, Node>> edges(const KTree &tree);

// A perfect elimination order: nodes that later bags introduce go first.
std::vector<Node> elimination_order(const KTree &tree);

// Edges do not form a k-tree: when nodes with k neighbours, all joined with one another, are
// removed one by one, these nodes remain; they are more than k + 1 or no clique, and none can be
// removed.
struct NotKTree : Error {
  explicit NotKTree(std::vector<Node> nodes) : Error("not a k-tree"), blocked(std::move(nodes)) {}
  std::vector<Node> blocked; // ascending
};

// The k-tree with these edges (each node pair once, in any order), in a form that depends on the
// edges alone. Throws NotKTree when they do not form one, Error when they are not edges over these
// nodes.
KTree k_tree_of(Node nodes, unsigned k, const std::vector<std::pair<Node, Node>> &edges);

} // namespace optbn
