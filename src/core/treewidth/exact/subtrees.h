// Subtrees of k-trees, and which of them can be in a network better than a given one.
//
// A subtree is given by a separator, k nodes S of one bag, and the nodes C below it: those that S
// separates from the root of the k-tree. The number of subtrees, binom(n, k) 2^(n - k), makes a
// search over all k-trees expensive, but most of them can be pruned: the largest gains of C below S
// and of the other nodes above, both without a bound on the width (separated_gains.h), sum to less
// than the gain of a known network. The better that network, and the less the bound on the width
// costs, the fewer subtrees remain: often one in a thousand.
#pragma once

#include "core/base/host.h"
#include "core/treewidth/exact/separated_gains.h"

#include <cstddef>
#include <limits>
#include <vector>

namespace optbn {

struct Subtree {
  NodeMask separator, nodes;
  // outside[A * orders + r]: an upper bound on the gain outside the subtree if its separator is in
  // order r and A, a mask over it, are the members whose families are assigned to the subtree;
  // minus infinity when that is too little, whatever the subtree gains.
  const float *outside;
};

class PromisingSubtrees {
public:
  struct Options {
    unsigned root; // a node that is in no subtree
    double cutoff; // only networks that gain more are searched
    double total;  // no network gains more
    double memory_limit = std::numeric_limits<double>::infinity(); // bytes
  };

  // gains: of gains_among_all(). Uses the threads of the watch's host, advancing by one unit for
  // each separator; when the watch stops, subtrees are missing. Throws MemoryLimit, with a forecast
  // of the bytes needed, when the subtrees and their entries in a SubtreeTable may take more than
  // the limit.
  PromisingSubtrees(const std::vector<float> &gains, unsigned nodes, unsigned k,
                    const Options &options, Watch &watch);
  PromisingSubtrees(const PromisingSubtrees &) = delete; // subtrees point to outside_
  PromisingSubtrees &operator=(const PromisingSubtrees &) = delete;

  // By the number of nodes, from 0 to n - k - 1; those of a separator in ascending order.
  const std::vector<std::vector<Subtree>> &of_size() const { return of_size_; }
  double size() const;
  std::size_t orders() const { return orders_; } // of a separator

private:
  std::vector<std::vector<Subtree>> of_size_;
  std::vector<std::vector<float>> outside_; // by separator
  std::size_t orders_;
};

} // namespace optbn
