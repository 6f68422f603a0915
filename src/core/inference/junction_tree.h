// JunctionTree: a discrete network compiled for exact queries.
//
// Contains what all queries use and none changes: the clique tree, the tables of the network with
// their variables in the order of elimination, and for every clique a plan: the strides of the
// factors along the variables of its table. A plan depends on the number of levels of each member
// *in this query* (an observed node has one), so cliques with evidence get plans of their own; all
// others use the plans made here. Immutable once built, and so safe to share between threads; a
// Propagation runs the queries.
#pragma once

#include "core/inference/clique_tree.h"
#include "core/inference/discrete_network.h"
#include "core/inference/table_strides.h"

#include <cstdint>
#include <vector>

namespace optbn {

struct CliquePlan {
  std::vector<std::size_t> extent; // by member: its number of levels
  std::size_t split = 0;           // so many members, the first, make a block
  std::size_t block = 1;           // cells of a block
  std::size_t cells = 1;
  std::size_t separator_cells = 1;
  TableStrides separator;
  std::vector<TableStrides> families;  // as Clique::families
  std::vector<TableStrides> children;  // over the separators of Clique::children
  std::vector<TableStrides> marginals; // over the nodes whose smallest clique this is

  std::size_t blocks() const { return cells / block; }
  void set_strides(const std::vector<std::size_t> &stride, // by member
                   TableStrides &strides) const {
    strides.set(extent.data(), stride.data(), extent.size(), split);
  }
};

class JunctionTree {
public:
  // The node is in `family`; one level more is `stride` cells further in the table of the family.
  struct Appearance {
    Node family;
    std::size_t stride;
  };

  // Throws Error when the decomposition does not fit the network, or a table does not fit its
  // family.
  JunctionTree(DiscreteNetwork network, const TreeDecomposition &decomposition);

  Node size() const { return network_.size(); }
  unsigned levels(Node v) const { return network_.levels[v]; }
  const std::vector<Node> &parents(Node v) const { return network_.parents[v]; }
  const std::vector<double> &table(Node v) const { return network_.tables[v]; } // reordered
  const std::vector<Appearance> &appearances(Node v) const { return appearances_[v]; }
  const CliqueTree &tree() const { return tree_; }

  // The nodes whose marginals are computed from a clique, their smallest.
  const std::vector<Node> &marginal_nodes(std::size_t clique) const {
    return marginal_nodes_[clique];
  }

  // A lower bound on the positive cells of a clique's table, by the tables of its families alone.
  double smallest_product(std::size_t clique) const { return smallest_product_[clique]; }

  // The plan when every node has all its levels.
  const CliquePlan &plan(std::size_t clique) const { return plans_[clique]; }

  // The plan when node v has extent[v] levels.
  void make_plan(std::size_t clique, const std::vector<std::size_t> &extent,
                 CliquePlan &plan) const;

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
  std::vector<std::vector<Node>> marginal_nodes_;
  std::vector<Strides> strides_;
  std::vector<double> smallest_product_;
  std::vector<CliquePlan> plans_;
};

} // namespace optbn
