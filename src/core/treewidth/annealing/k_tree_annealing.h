// Local search over k-trees: a very good network of bounded tree-width at any size, without a
// proof.
//
// A tournament of runs of simulated annealing (k_tree_annealer.h). Many contestants grow k-trees of
// their own and are annealed from a high temperature, for a short time. The better half of them is
// annealed again, each for twice as long, from half the temperature; and so on until one is left.
// All rounds take the same time, and no contestant ever becomes worse. So the structure of the
// whole k-tree, which small changes hardly find, is selected, and its details are improved where
// that is worth the time. The next tournament has twice as many steps, other k-trees to begin with,
// and the best one so far joins its second round. The last one uses the rest of the time, if that
// is known; with little time it has fewer contestants. At the end the best network within the best
// k-tree is found (k_tree_dp.h).
//
// Every contestant owns its random stream, and of equally good ones the first wins: a result that is
// limited by steps alone does not depend on the number of threads. Natural logs, larger is better.
#pragma once

#include "core/structure/search.h"
#include "core/treewidth/k_tree.h"
#include "core/treewidth/within/bag_sets.h"

#include <limits>
#include <vector>

namespace optbn {

constexpr unsigned kLargestSearchWidth = kLargestBag - 1;

struct KTreeAnnealingOptions {
  unsigned patience = 3;   // so many tournaments in a row without an improvement end the search
  double iterations = 1e9; // steps of all contestants, at most
  double seconds = std::numeric_limits<double>::infinity(); // that the watch will allow
  double target = std::numeric_limits<double>::infinity();  // a score that cannot be exceeded
  KTree start; // with which the first contestant begins, or none
};

struct KTreeAnnealingResult {
  KTree tree;
  Network network; // empty when no k-tree with a network was found
  double steps = 0;
  std::vector<Improvement> improvements; // each better than those before it
};

// k is at most kLargestSearchWidth and the number of nodes less one. With a limit of time, and only
// then, patience is endless. A watch that stops, even beforehand, still leaves a network where the
// first k-tree has one.
KTreeAnnealingResult k_tree_annealing(const ParentSets &candidates, unsigned k,
                                      const KTreeAnnealingOptions &options, Watch &watch);

} // namespace optbn
