// The best network of tree-width at most k, over all k-trees, with its proof: for some 15 to 20
// nodes.
//
// In three steps. Local search over k-trees (k_tree_annealing.h) finds a good network. Bounds
// that are exact but for the width prune most subtrees that a better network could have
// (subtrees.h). Dynamic programming over the remaining subtrees finds the best network that is
// better (subtree_dp.h), or none, and then the first network is optimal.
//
// Optimal to the rounding of sums: bounds are rounded, but always upwards, and gains are summed in
// double precision. The second step takes about e k! 2^n binom(n, k) n / 2 operations, whatever the
// scores. The third depends on the number of remaining subtrees: in theory it takes (k + 1)! 3^n,
// in practice less than the second. Natural logs, larger is better.
#pragma once

#include "core/structure/search.h"
#include "core/treewidth/k_tree.h"

#include <limits>
#include <vector>

namespace optbn {

// Largest problem that can be indexed.
constexpr Node kGlobalDpNodes = 24;

// Bytes that are needed whatever the scores; the remaining subtrees need more.
double global_dp_bytes(Node nodes, unsigned k, unsigned threads);

// Steps that are needed whatever the scores, unless the bound is met: some 5e9 per second and
// thread with vector instructions. The remaining subtrees need more.
double global_dp_steps(Node nodes, unsigned k);

struct GlobalDpOptions {
  double memory_limit = std::numeric_limits<double>::infinity(); // bytes
  // A known bound: no network scores more.
  double bound = std::numeric_limits<double>::infinity();
  KTree start; // to begin with, besides those that are grown; or none
};

struct GlobalDpResult {
  KTree tree;
  Network network;      // empty when none consists of candidate sets alone, or none was found
  bool proved = false;  // that no network of this width scores more, up to the rounding of sums
  double subtrees = 0;  // that the bounds did not prune
  double tabulated = 0; // of these, subtrees that were not pruned after they were solved
};

// k up to kLargestDpWidth; one above n - 1 counts as n - 1, which bounds nothing. A watch that
// stops leaves the network found until then. Throws MemoryLimit, before the tables are made, or as
// soon as too many subtrees remain; Error for more than kGlobalDpNodes nodes.
GlobalDpResult global_dp(const ParentSets &candidates, unsigned k, const GlobalDpOptions &options,
                         Watch &watch);

} // namespace optbn
