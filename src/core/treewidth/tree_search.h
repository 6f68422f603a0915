// Local search over k-trees: a very good network of bounded tree-width at any size, without a
// proof.
//
// One step takes a k-tree apart and puts it together again: a connected part of its bags stays, the
// other nodes come back one by one (k_tree_growth.h), and the best network within the new k-tree
// (bag_step.h) decides; it is accepted if it is not worse. The messages of subtrees that did not
// change are remembered, so that a step costs little more than what it changed. When steps stop
// paying, the chain starts afresh or from its best.
//
// Every chain owns its random stream and the best chain wins, ties to the first: the result does
// not depend on the number of threads. Natural logs, larger is better.
#pragma once

#include "core/dag/search.h"
#include "core/treewidth/bag_scores.h"
#include "core/treewidth/k_tree.h"

#include <chrono>
#include <vector>

namespace optbn {

struct TreeSearchOptions {
  unsigned chains = 2;     // independent chains, each with a random stream of its own
  unsigned restarts = 20;  // of a chain, without a gain, before it ends
  double iterations = 1e9; // steps of a chain, at most
  double target = std::numeric_limits<double>::infinity(); // a score that cannot be exceeded
  std::vector<KTree> start; // k-trees to begin with, besides those that are grown
};

struct TreeSearchResult {
  KTree tree;
  Network network; // empty when no k-tree was found that admits one
  double steps = 0;
  struct Improvement {
    std::chrono::steady_clock::time_point when;
    double score;
  };
  std::vector<Improvement> improvements; // each better than those before it
};

// k is at most kLargestDpWidth and the number of nodes less one. A watch that stops, even
// beforehand, still leaves a network where the first k-tree has one.
TreeSearchResult tree_search(const ParentSets &candidates, unsigned k,
                             const TreeSearchOptions &options, Watch &watch);

} // namespace optbn
