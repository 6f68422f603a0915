// The best network of bounded tree-width, as far as it can be proved.
//
// First of all the bound is left aside: the best network over sets of up to k parents, whatever its
// width (solve.h), scores at least as much as any of tree-width k. If its width is at most k it is
// the answer, with a proof; otherwise it is a bound, and a graph that the first k-tree is built
// around. Then local search over k-trees (tree_search.h) goes up to that bound.
//
// Natural logs, larger is better. Without a time limit the result does not depend on the number of
// threads, but for what the first part, which has a limit of its own, does not settle.
#pragma once

#include "core/dag/search.h"
#include "core/treewidth/k_tree.h"

#include <vector>

namespace optbn {

struct BoundedOptions {
  double gap = 0; // the search may end once bound - score is at most this
  double memory_limit = std::numeric_limits<double>::infinity(); // bytes that tables may take
  double seconds = std::numeric_limits<double>::infinity();      // that the watch will allow
  unsigned chains = 2;                                           // of local search
};

struct BoundedResult {
  Network network; // choice: index into ParentSets::nodes[v]; empty if none was found
  KTree tree;      // covers it
  double bound = std::numeric_limits<double>::infinity();
  bool proved = false;
  enum class Engine { unbounded, local } engine = Engine::unbounded; // that found the network
  StopReason stop = StopReason::none; // why it ended early, if it did
  double nodes = 0, subsets = 0;      // of the first part, as in SearchResult
  double steps = 0;                   // k-trees that local search has put together
  std::vector<TracePoint> trace;
};

// k is at most the number of nodes less one. Throws as solve() does; Infeasible names no nodes when
// it is the tree-width that no network can keep to. A watch that stops, even beforehand, still
// leaves what there is.
BoundedResult bounded_search(const ParentSets &sets, unsigned k, const BoundedOptions &options,
                             Watch &watch);

} // namespace optbn
