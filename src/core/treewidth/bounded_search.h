// The best network of bounded tree-width, as far as it can be proved.
//
// First the unbounded search: the best network over sets of up to k parents, whatever its width
// (solve.h), scores at least as much as any of tree-width k. If its width is at most k it is the
// result, with a proof; otherwise its score is a bound, and the first k-tree is built around its
// graph. Then problems of few nodes are solved by the exact search over all k-trees (global_dp.h).
// With larger ones local search (k_tree_annealing.h) alternates with branch and cut on the width
// (cuts/width_proof.h), which excludes more the better the network that it begins with, and lowers
// the bound, or finds and proves the best network: where time is limited, a short local search comes
// first; a long one follows in any case, which ends when it reaches the bound.
//
// A search that continues an earlier one starts from its network and bound, begins local search
// with its k-tree, and omits the unbounded search if that was solved.
//
// Sampling (sampled_search.h) runs alone instead, as in its paper, with no other bound than the
// best sets of all nodes. Within one given k-tree only the network is searched (k_tree_dp.h,
// sampled_orders.h): its bound is that of the k-tree, S_l (informative_score.h), unless the network
// is proved to be the best one.
//
// Natural logs, larger is better. Without a time limit the result does not depend on the number of
// threads, except where the unbounded search, which has a time limit of its own, ends without a
// proof.
#pragma once

#include "core/structure/search.h"
#include "core/treewidth/k_tree.h"
#include "core/treewidth/sampling/sampled_search.h"

#include <vector>

namespace optbn {

enum class BoundedMethod {
  automatic, // the unbounded optimum; then the exact search, or local search where it takes long
  exact,     // the exact search, however long it takes
  local,     // local search, never the exact one
  sample,    // sampling alone
  within     // the k-tree `start` and no other, by the method of `sampling.inner`
};

struct BoundedOptions {
  BoundedMethod method = BoundedMethod::automatic;
  double gap = 0; // the search may end once bound - score is at most this
  double memory_limit = std::numeric_limits<double>::infinity(); // bytes that tables may take
  double seconds = std::numeric_limits<double>::infinity();      // that the watch will allow
  double effort = std::numeric_limits<double>::infinity();       // seconds of work, about
  // Steps of local search, or k-trees to sample, at most.
  double iterations = 1e9;
  SampledSearchOptions sampling;
  MutualInformation information; // for sampling that is guided by it
  // Of an earlier search, or none: its k-tree, where local search begins; a network within that; a
  // bound on all networks of this width; and whether the unbounded search was solved.
  KTree start;
  Network known;
  double bound = std::numeric_limits<double>::infinity();
  bool unbounded_solved = false;
};

struct BoundedResult : AnytimeResult { // choice: index into ParentSets::nodes[v]
  KTree tree;                          // covers the network
  enum class Engine {
    unbounded,
    exact,
    local,
    sample,
    within,
    cuts,                        // branch and cut on the width
    earlier                      // the search that this one continues
  } engine = Engine::unbounded;  // that found the network, or proved it
  double nodes = 0, subsets = 0; // of the unbounded search, as in SearchResult
  double subtrees = 0;           // of the exact search, that its bounds did not prune
  double steps = 0;              // k-trees that local search has made, or that were sampled
  // Of the unbounded search, on networks of any width.
  double unbounded = std::numeric_limits<double>::infinity(); // none scores more
  bool unbounded_proved = false;                              // and one scores as much
};

// k is at most the number of nodes less one, and that of `start` for the method "within". Throws as
// solve() does, MemoryLimit where an exact method is requested that does not fit into memory;
// Infeasible without nodes when no network of the tree-width was found. A watch that stops, even
// beforehand, still leaves a network if there is one; otherwise TimeLimitReached or Interrupted is
// thrown.
BoundedResult bounded_search(const ParentSets &sets, unsigned k, const BoundedOptions &options,
                             Watch &watch);

} // namespace optbn
