// The best network of tree-width at most k, over all k-trees, with its proof: for some 15 to 20
// nodes.
//
// In three steps. Local search over k-trees (k_tree_annealing.h) finds a good network. Bounds that
// are exact but for the width exclude most subtrees that a better network could have (subtrees.h).
// Dynamic programming over the subtrees that are left finds the best network that is better
// (subtree_dp.h), or none, and so the first was optimal.
//
// Optimal to the rounding of sums: bounds are rounded, but always upwards, and gains are summed in
// double precision. The second step takes about e k! 2^n binom(n, k) n / 2 operations, whatever
// the scores. The third depends on how many subtrees are left: in theory it takes (k + 1)! 3^n, in
// practice less than the second. Natural logs, larger is better.
#pragma once

#include "core/structure/search.h"
#include "core/treewidth/k_tree.h"

#include <limits>
#include <vector>

namespace optbn {

// Largest problem that can be indexed.
constexpr Node kGlobalDpNodes = 24;

// Bytes that are taken whatever the scores; subtrees that the bounds cannot exclude come on top.
double global_dp_bytes(Node nodes, unsigned k, unsigned threads);

// Steps that are taken whatever the scores, unless the ceiling is met: some 5e9 a second and thread
// with vector instructions. What the subtrees that are left take comes on top.
double global_dp_steps(Node nodes, unsigned k);

struct GlobalDpOptions {
  double memory_limit = std::numeric_limits<double>::infinity(); // bytes
  // No network of any width scores more, as far as is known.
  double ceiling = std::numeric_limits<double>::infinity();
  std::vector<KTree> start; // k-trees to begin with, besides one that is grown
};

struct GlobalDpResult {
  KTree tree;
  Network network; // empty when there is none that takes candidate sets alone, or none was found
  bool proved = false; // that no network of this width scores more, up to the rounding of sums
  double subtrees = 0; // that the bounds did not exclude
  double kept = 0;     // of these, subtrees that turned out to be good enough
};

// k up to kLargestDpWidth; one above n - 1 counts as n - 1, which bounds nothing. A watch that
// stops leaves the network found until then. Throws MemoryLimit, before the tables are made, or
// as soon as too many subtrees are left; Error for more than kGlobalDpNodes nodes.
GlobalDpResult global_dp(const ParentSets &candidates, unsigned k, const GlobalDpOptions &options,
                         Watch &watch);

} // namespace optbn
