// JunctionTree: a discrete network compiled for exact queries.
//
// Holds what all queries share and none changes: the clique tree, the tables of the network with
// their variables in the order of elimination, and for every clique a plan, the strides by which
// the factors lie over its table. A plan depends on how many levels each member has *for this
// query* (an observed node has one), so cliques that evidence reaches get plans of their own; all
// others use the ones made here. Immutable once built, and so safe to share between threads;
// queries are put to a Propagation.
#pragma once

#include "core/inference/clique_tree.h"
#include "core/inference/discrete_network.h"
#include "core/inference/table_strides.h"

#include <cstdint>
#include <vector>

namespace optbn {

struct CliquePlan {
  std::vector<std::size_t> extent; // by member: how many levels it has
  std::size_t split = 0;           // so many members, the first, make a block
  std::size_t block = 1;           // cells of a block
  std::size_t cells = 1;
  std::size_t separator_cells = 1;
  TableStrides separator;
  std::vector<TableStrides> families;  // as Clique::families
  std::vector<TableStrides> children;  // over the separators of Clique::children
  std::vector<TableStrides> marginals; // over the nodes whose smallest clique this is

  std::size_t blocks() const { return cells / block; }
  void lay(const std::vector<std::size_t> &stride,
           TableStrides &strides) const { // stride by member
    strides.lay(extent.data(), stride.data(), extent.size(), split);
  }
};

class JunctionTree {
public:
  // The table of `family` moves by `stride` when the node's level rises by one.
  struct Appearance {
    Node family;
    std::size_t stride;
  };

  // Throws Error when the decomposition does not fit the network, or a table not its family.
  JunctionTree(DiscreteNetwork network, const TreeDecomposition &decomposition);

  Node size() const { return network_.size(); }
  unsigned levels(Node v) const { return network_.levels[v]; }
  const std::vector<Node> &parents(Node v) const { return network_.parents[v]; }
  const std::vector<double> &table(Node v) const { return network_.tables[v]; } // reordered
  const std::vector<Appearance> &appearances(Node v) const { return appearances_[v]; }
  const CliqueTree &tree() const { return tree_; }

  // The nodes whose marginals are read off a clique.
  const std::vector<Node> &homes(std::size_t clique) const { return homes_[clique]; }

  // A number that no cell of a clique is below, unless it is 0, by the clique's tables alone.
  double smallest_product(std::size_t clique) const { return smallest_product_[clique]; }

  // The plan when every node has all its levels.
  const CliquePlan &plan(std::size_t clique) const { return plans_[clique]; }

  // The plan when node v has extent[v] levels.
  void lay(std::size_t clique, const std::vector<std::size_t> &extent, CliquePlan &plan) const;

  // log P of a row that has a level for every node.
  double log_probability(const std::vector<std::uint16_t> &row) const;

private:
  // By member of a clique, for one factor each.
  struct Strides {
    std::vector<std::vector<std::size_t>> families; // in their tables
    std::vector<std::vector<char>> children;        // is the member in the child's separator?
  };

  void reorder_table(Node v, const std::vector<std::uint32_t> &rank);
  Strides strides_of(const Clique &clique) const;

  DiscreteNetwork network_;
  CliqueTree tree_;
  std::vector<std::vector<Appearance>> appearances_;
  std::vector<std::vector<Node>> homes_;
  std::vector<Strides> strides_;
  std::vector<double> smallest_product_;
  std::vector<CliquePlan> plans_;
};

} // namespace optbn
