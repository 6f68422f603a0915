// The best network of bounded tree-width, as far as it can be proved.
//
// First of all the bound is left aside: the best network over sets of up to k parents, whatever its
// width (solve.h), scores at least as much as any of tree-width k. If its width is at most k it is
// the answer, with a proof; otherwise it is a bound, and a graph that the first k-tree is built
// around. Then few nodes go to the exact search over all k-trees (global_dp.h), many to local
// search (k_tree_annealing.h), which ends at that bound at the latest.
//
// A search that goes on from an earlier one keeps that one's network and bound, begins local search
// with its k-tree, and leaves the first part out where nothing is open in it.
//
// Sampling (sampled_search.h) goes by itself instead, as in its paper, and has no other bound than
// the best sets of all nodes. Within one given k-tree there is nothing to search for but the
// network (k_tree_dp.h, sampled_orders.h): its bound is that of the k-tree, S_l
// (informative_score.h), unless the network is the best one.
//
// Natural logs, larger is better. Without a time limit the result does not depend on the number of
// threads, but for what the first part, which has a limit of its own, does not settle.
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
  within     // the k-tree `start` and no other, by what `sampling.inner` says
};

struct BoundedOptions {
  BoundedMethod method = BoundedMethod::automatic;
  double gap = 0; // the search may end once bound - score is at most this
  double memory_limit = std::numeric_limits<double>::infinity(); // bytes that tables may take
  double seconds = std::numeric_limits<double>::infinity();      // that the watch will allow
  // Steps of each chain of local search, or k-trees to sample, at most.
  double iterations = 1e9;
  SampledSearchOptions sampling;
  MutualInformation information; // for sampling that is guided by it
  // Of an earlier search, or none: its k-tree, where local search begins; a network within that;
  // what no network of this width exceeds; and whether it settled the first part.
  KTree start;
  Network known;
  double ceiling = std::numeric_limits<double>::infinity();
  bool unbounded_settled = false;
};

struct BoundedResult : AnytimeResult { // choice: index into ParentSets::nodes[v]
  KTree tree;                          // covers the network
  enum class Engine {
    unbounded,
    exact,
    local,
    sample,
    within,
    earlier                      // the search that this one goes on from
  } engine = Engine::unbounded;  // that found the network, or proved it
  double nodes = 0, subsets = 0; // of the first part, as in SearchResult
  double subtrees = 0;           // of the exact search, that its bounds did not exclude
  double steps = 0;              // k-trees that local search has made, or that were sampled
  // What the first part knows of networks of any width.
  double unbounded = std::numeric_limits<double>::infinity(); // none scores more
  bool unbounded_proved = false;                              // and one scores as much
};

// k is at most the number of nodes less one, and that of `start` for the method "within". Throws as
// solve() does, MemoryLimit where an exact method is demanded and cannot be done; Infeasible names
// no nodes when no network was found that keeps to the tree-width. A watch that stops, even
// beforehand, still leaves what there is; only when that is nothing, TimeLimitReached or
// Interrupted is thrown.
BoundedResult bounded_search(const ParentSets &sets, unsigned k, const BoundedOptions &options,
                             Watch &watch);

} // namespace optbn
