// The best network within a k-tree, by dynamic programming over its bags.
//
// Messages go from the leaves to the root, as bag_step.h explains, and the best network comes back
// from the root down. Always optimal; natural logs, larger is better. Time and memory are linear in
// the number of bags and grow like (k + 1)! 3^k: milliseconds up to k = 5.
#pragma once

#include "core/dag/search.h"
#include "core/treewidth/bag_scores.h"
#include "core/treewidth/k_tree.h"

namespace optbn {

// Largest k that the dynamic programming can index.
constexpr unsigned kLargestDpWidth = 8;

// Bytes that k_tree_dp() allocates at most.
double k_tree_dp_bytes(Node nodes, unsigned k);

// `sets` is the prefix tree of `candidates`, with sets of up to tree.k parents at least. The
// network is empty when the watch stops first, and when none within the k-tree takes candidate sets
// alone.
Network k_tree_dp(const KTree &tree, const ParentSets &candidates, const SetTrie &sets,
                  Watch &watch);

} // namespace optbn
