// Densities of discrete variables that answer every query in time linear in their size.
//
// All are mixtures of cutset networks. A TreeDensity is a directed forest with a table at every
// node: a Chow-Liu tree if every node is a variable, a hidden Chow-Liu tree if some nodes are
// hidden and summed out. A CutsetNetwork (Rahman, Kothalkar & Gogate 2014; Di Mauro, Vergari &
// Esposito 2015, definition 1) is an OR tree: inner nodes are cuts, each on a variable, and leaves
// are tree densities over the variables that are not cut on the path from the root; without a cut
// it is a tree density. A DensityMixture is a weighted sum of cutset networks; a single one has
// weight 1.
//
//   log P(row) = log sum_c weight_c prod_{cuts on the path} weight prod_{nodes} P(node | parent)
//
// Natural logarithms. Plain data, immutable once learned, and so safe to share between threads.
#pragma once

#include "core/data/dataset.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

struct TreeDensity {
  static constexpr Node kHidden = 0xffff;
  static constexpr std::uint32_t kRoot = 0xffffffff;

  struct TreeNode {
    Node variable = kHidden;
    std::uint16_t levels = 0;
    std::uint32_t parent = kRoot; // its index among the nodes
    std::size_t table = 0;        // where its table begins in `tables`
  };

  std::vector<TreeNode> nodes; // parents before their children
  std::vector<double> tables;  // by node: P(node | parent), the node's level fastest

  // The number of distributions in the table of a node: one for each level of its parent.
  std::size_t blocks(const TreeNode &node) const {
    return node.parent == kRoot ? 1 : nodes[node.parent].levels;
  }

  // P(node = level | parent = parent_level); a root has parent level 0.
  double probability(const TreeNode &node, unsigned level, unsigned parent_level) const {
    return tables[node.table + std::size_t{parent_level} * node.levels + level];
  }

  // Adds a node with memory for its table, and returns its index.
  std::uint32_t add(Node variable, unsigned levels, std::uint32_t parent) {
    nodes.push_back({variable, static_cast<std::uint16_t>(levels), parent, tables.size()});
    tables.resize(tables.size() + blocks(nodes.back()) * levels);
    return static_cast<std::uint32_t>(nodes.size() - 1);
  }
};

struct CutsetNetwork {
  static constexpr Node kLeaf = 0xffff;

  // A node of the OR tree. The children of a cut are consecutive, one for each level of the
  // variable.
  struct CutNode {
    Node cut = kLeaf;        // the variable, or kLeaf
    std::uint32_t first = 0; // the child of level 0; at a leaf, its number in `leaves`
    double weight = 1;       // probability of this branch, given its parent
  };

  std::vector<CutNode> nodes; // the root first; every node before its children
  std::vector<TreeDensity> leaves;
};

struct DensityMixture {
  std::vector<unsigned> levels; // by variable
  std::vector<double> weights;  // by component; they sum to 1
  std::vector<CutsetNetwork> components;

  Node size() const { return static_cast<Node>(levels.size()); }
};

// Free parameters: of tables and of cuts, and the weights of a mixture.
double parameters(const CutsetNetwork &network);
double parameters(const DensityMixture &mixture);

// Throws MalformedModel unless the model has the form that is described above: for models from
// outside the core. Takes time linear in the size of the model.
void check(const DensityMixture &mixture);

// A cutset network without a cut.
CutsetNetwork uncut(TreeDensity tree);

} // namespace optbn
