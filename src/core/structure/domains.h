// Problem: the candidate sets of one search as bit masks, and Component: a strong component, which
// can be solved alone.
//
// A search tests billions of times which sets of a node are inside a set of predecessors, so it
// works on masks: bit u of a set is parent u, `words` 64-bit words a set (bit_set.h lists the
// widths). A problem whose possible-parent graph (u -> v when u is in some candidate set of v) has
// several strong components decomposes: no cycle crosses two components, so each is optimised alone
// with the parents outside it free, and the sum of the optima is the optimum (see split()).
#pragma once

#include "core/score/parent_sets.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

// The candidate sets of one node, best first.
struct Domain {
  std::vector<double> score;         // decreasing
  std::vector<std::uint64_t> mask;   // words per set, set i at mask[i * words]
  std::vector<std::uint32_t> origin; // index of the set in ParentSets::nodes[v]

  std::size_t size() const { return score.size(); }
};

struct Problem {
  unsigned words = 1;
  std::vector<Domain> domains;

  Node size() const { return static_cast<Node>(domains.size()); }

  // Is set i of node v inside `allowed` (words words)?
  bool inside(Node v, std::size_t i, const std::uint64_t *allowed) const {
    const std::uint64_t *set = domains[v].mask.data() + i * words;
    for (unsigned w = 0; w < words; ++w)
      if (set[w] & ~allowed[w])
        return false;
    return true;
  }
};

// All nodes and all sets, dominated ones too (which the k best networks may need).
Problem whole_problem(const ParentSets &sets);

// A strong component of the possible-parent graph: node i of `problem` is node nodes[i] of the
// whole. Its sets keep only the parents inside the component; sets that became dominated are
// dropped.
struct Component {
  std::vector<Node> nodes;
  Problem problem;
};

// The components of a problem, in an order in which every arc between two components points
// forward. Time linear in the size of the sets, apart from looking up the subsets of those that
// lost a parent.
std::vector<Component> split(const ParentSets &sets);

// The nodes that block each other: those outside the closure of all sets. None if some acyclic
// choice exists.
std::vector<Node> blocked_nodes(const ParentSets &sets);

// Throws Infeasible, naming them, if there are any.
void require_feasible(const ParentSets &sets);

} // namespace optbn
