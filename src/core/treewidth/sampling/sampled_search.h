// Sampling k-trees for the best network of bounded tree-width: the learner of Nie et al. 2016.
//
// Algorithm 4 of the paper: draw a k-tree, improve it by a value that needs no network, find the
// best network within it, and return the best of all. Each part has several variants:
//   sampling  a Dandelion code, uniform or distance-preferable (k_tree_sampling.h);
//   refine    not at all, by a climb over codes (code_climb.h), or without codes by k-trees that
//             grow from a clique around some random nodes (k_tree_a_star.h);
//   guide     the objective of climbs and growth: from the data (I-score; mutual information), or
//             from the local scores alone (pseudo-score S_l; the sets that insertions allow);
//   inner     the network within a k-tree: the best (k_tree_dp.h), or by sampled orders
//             (sampled_orders.h).
// No network within a k-tree scores more than the k-tree's S_l. One whose S_l is not above the
// score of the best network so far is therefore dropped at once, without loss.
//
// Where there is one k-tree only (k = 0 or k = n - 1), it is searched once. The method is included
// for comparison; k_tree_annealing.h finds better networks in the same time.
//
// Every chain owns its random stream and its best; the best chain wins, ties to the first. For a
// given number of samples the result does not depend on the number of threads. Natural logs, larger
// is better.
#pragma once

#include "core/treewidth/annealing/k_tree_annealing.h"
#include "core/treewidth/codes/code_climb.h"
#include "core/treewidth/mutual_information.h"

#include <cstddef>
#include <limits>

namespace optbn {

struct SampledSearchOptions {
  enum class Sampling { uniform, distance } sampling = Sampling::distance;
  enum class Refine { none, hill_climb, probabilistic, a_star } refine = Refine::probabilistic;
  enum class Guide { informative, pseudo } guide = Guide::informative;
  enum class Inner { exact, sampled_orders } inner = Inner::exact;
  double bandwidth = 0;                           // of distance-preferable draws; 0: the usual
  Temperature temperature = Temperature::usual(); // of the probabilistic climb
  std::size_t beam = 20;                          // of A*: k-trees expanded per round
  unsigned orders = 100;                          // sampled within a k-tree
  double samples = 1e9;                           // k-trees of all chains together, at most
  unsigned chains = 2;                            // one at least
  double target = std::numeric_limits<double>::infinity(); // a score that cannot be exceeded
};

// k is at most the number of nodes less one, for the exact inner search also kLargestDpWidth.
// `information` is about the same nodes. The watch, whose total the caller sets, advances by one
// unit for each sample. A watch that stops, even beforehand, still leaves a network where the inner
// search finds one in the first k-tree. The result's steps are the k-trees that were drawn.
KTreeAnnealingResult sampled_search(const ParentSets &candidates,
                                    const MutualInformation &information, unsigned k,
                                    const SampledSearchOptions &options, Watch &watch);

} // namespace optbn
