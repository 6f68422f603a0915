// Local search over k-trees: a very good network of bounded tree-width at any size, without a
// proof.
//
// Simulated annealing (Kirkpatrick, Gelatt & Vecchi 1983, doi 10.1126/science.220.4598.671) over
// k-trees with an order of their nodes, by the small changes of ordered_k_tree.h and, now and then,
// by one that takes a k-tree apart and lets a part of it grow again (k_tree_growth.h). A change
// that loses is taken with a chance that falls by a factor e for every so many nats. This
// temperature begins where many are taken, and falls; then it begins again, every cycle longer than
// the one before, and from another k-tree after one without a gain. The last cycle fits what is
// left of the time, if that is known. The best network within the best k-tree ends it
// (k_tree_dp.h).
//
// Every chain owns its random stream and the best chain wins, ties to the first: what is limited by
// steps alone does not depend on the number of threads. Natural logs, larger is better.
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
  unsigned patience = 4;   // cycles of a chain, one after the other, without a gain, before it ends
  double iterations = 1e9; // steps of a chain, at most
  double seconds = std::numeric_limits<double>::infinity(); // that the watch will allow
  double target = std::numeric_limits<double>::infinity();  // a score that cannot be exceeded
  std::vector<KTree> start; // k-trees to begin with: a chain each, others grow their own
};

struct KTreeAnnealingResult {
  KTree tree;
  Network network; // empty when no k-tree was found that admits one
  double steps = 0;
  std::vector<Improvement> improvements; // each better than those before it
};

// k is at most kLargestSearchWidth and the number of nodes less one. A watch that stops, even
// beforehand, still leaves a network where the first k-tree has one.
KTreeAnnealingResult k_tree_annealing(const ParentSets &candidates, unsigned k,
                                      const KTreeAnnealingOptions &options, Watch &watch);

} // namespace optbn
