// CliqueTree: a tree decomposition prepared for inference (a rooted junction tree, Lauritzen &
// Spiegelhalter 1988, doi 10.1111/j.2517-6161.1988.tb01721.x).
//
// A bag becomes a clique whose members are in an order of elimination, the same in all cliques:
// first the *residual*, the members that are not in its parent, then the separator to its parent.
// Tables have their first variable fastest, so the cells of a table that belong to one cell of the
// separator are contiguous, and the cells of a message to the parent are sums over contiguous
// cells. Every family (node and parents) is assigned to the smallest clique that contains it. The
// cliques of other connected components are attached to the first clique by empty separators, so
// that there is one root.
#pragma once

#include "core/graph/tree_decomposition.h"
#include "core/inference/discrete_network.h"

#include <cstdint>
#include <vector>

namespace optbn {

struct Clique {
  std::vector<Node> members; // in the order of elimination
  std::size_t residual = 0;  // so many of them, the first, are not in the parent
  std::uint32_t parent = 0;  // an earlier clique; the root, clique 0, is its own parent
  std::vector<std::uint32_t> children;
  std::vector<Node> families; // whose tables are multiplied in here

  std::size_t separator() const { return members.size() - residual; }
};

struct CliqueTree {
  std::vector<Clique> cliques;                        // parents before children
  std::vector<std::vector<std::uint32_t>> cliques_of; // by node: the cliques that it is a member of
  std::vector<std::uint32_t> top; // by node: that of its cliques which is an ancestor of all others
  std::vector<std::uint32_t> smallest; // by node: that of its cliques which has the fewest cells
  std::vector<double> cells;           // by clique
  double total_cells = 0;
  std::size_t width = 0; // members of the largest clique, less one

  std::size_t size() const { return cliques.size(); }
};

// Throws Error when a node or a family is in no bag.
CliqueTree make_clique_tree(const std::vector<unsigned> &levels,
                            const std::vector<std::vector<Node>> &parents,
                            const TreeDecomposition &decomposition);

} // namespace optbn
