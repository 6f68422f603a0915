// Local search over k-trees: a very good network of bounded tree-width at any size, without a
// proof.
//
// Simulated annealing (Kirkpatrick, Gelatt & Vecchi 1983, doi 10.1126/science.220.4598.671) over
// k-trees with an order of their nodes, by the small changes of ordered_k_tree.h and, now and then,
// by removing a part of the k-tree and growing it again (k_tree_growth.h). A change with a loss is
// accepted with probability exp(-loss / temperature). The temperature begins where many changes are
// accepted, and falls; then follows a reheating. Every reheating cycle is longer than the one
// before, and begins with another k-tree after a cycle without an improvement. The last cycle uses
// the rest of the time, if that is known. At the end the best network within the best k-tree is
// found (k_tree_dp.h).
//
// Every chain owns its random stream and the best chain wins, ties to the first: a result that is
// limited by steps alone does not depend on the number of threads. Natural logs, larger is better.
#pragma once

#include "core/structure/search.h"
#include "core/treewidth/k_tree.h"
#include "core/treewidth/within/bag_sets.h"

#include <chrono>
#include <limits>
#include <vector>

namespace optbn {

constexpr unsigned kLargestSearchWidth = kLargestBag - 1;

struct KTreeAnnealingOptions {
  unsigned chains = 2;     // each with a random stream of its own
  unsigned patience = 4;   // a chain ends after so many cycles in a row without an improvement
  double iterations = 1e9; // steps of a chain, at most
  double seconds = std::numeric_limits<double>::infinity(); // that the watch will allow
  double target = std::numeric_limits<double>::infinity();  // a score that cannot be exceeded
  std::vector<KTree> start; // one for each chain to begin with; other chains grow their own
};

struct KTreeAnnealingResult {
  KTree tree;
  Network network; // empty when no k-tree with a network was found
  double steps = 0;
  std::vector<Improvement> improvements; // each better than those before it
};

// k is at most kLargestSearchWidth and the number of nodes less one. A watch that stops, even
// beforehand, still leaves a network where the first k-tree has one.
KTreeAnnealingResult k_tree_annealing(const ParentSets &candidates, unsigned k,
                                      const KTreeAnnealingOptions &options, Watch &watch);

} // namespace optbn
