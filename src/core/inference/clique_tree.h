// CliqueTree: a tree decomposition made ready for inference (a rooted junction tree, Lauritzen &
// Spiegelhalter 1988, doi 10.1111/j.2517-6161.1988.tb01721.x).
//
// A bag becomes a clique whose members stand in an order of elimination, the same in all cliques:
// first those that its parent lacks, its *own*, then the separator that it shares with its parent.
// Tables have their first variable fastest, so the cells of a table that belong to one cell of the
// separator lie side by side, and a message to the parent is sums over neighbours. Every family
// (node and parents) is given to the smallest clique that holds it. Components that do not hang
// together are tied to the first clique by empty separators, so that there is one root.
#pragma once

#include "core/graph/tree_decomposition.h"
#include "core/inference/discrete_network.h"

#include <cstdint>
#include <vector>

namespace optbn {

struct Clique {
  std::vector<Node> members; // in the order of elimination
  std::size_t own = 0;       // so many of them, the first, are not in the parent
  std::uint32_t parent = 0;  // comes earlier; the root, clique 0, is its own
  std::vector<std::uint32_t> children;
  std::vector<Node> families; // whose tables are multiplied in here

  std::size_t separator() const { return members.size() - own; }
};

struct CliqueTree {
  std::vector<Clique> cliques;                     // parents before children
  std::vector<std::vector<std::uint32_t>> holders; // by node: the cliques that it is a member of
  std::vector<std::uint32_t> top;      // by node: the holder that is an ancestor of all others
  std::vector<std::uint32_t> smallest; // by node: the holder with the fewest cells
  std::vector<double> cells;           // by clique
  double total_cells = 0;
  std::size_t width = 0; // members of the largest clique, less one

  std::size_t size() const { return cliques.size(); }
};

// Throws Error when the tree holds a node nowhere or a family in no bag.
CliqueTree make_clique_tree(const std::vector<unsigned> &levels,
                            const std::vector<std::vector<Node>> &parents,
                            const TreeDecomposition &decomposition);

} // namespace optbn
