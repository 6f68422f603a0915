// Subtrees of k-trees, and which of them can be part of a network better than a given one.
//
// A subtree is what hangs below a separator, k nodes S that lie in one bag: the nodes C that are
// separated by S from the root of the k-tree. The number of subtrees, binom(n, k) 2^(n - k), is
// what makes a search over all k-trees expensive, and most of them are hopeless: what C can gain
// below S and what the others can gain above, both without a bound on the width
// (separated_gains.h), falls short of a network that is known. The better that network, and the
// less the bound on the width costs, the fewer subtrees are left: often one in a thousand.
#pragma once

#include "core/base/host.h"
#include "core/treewidth/exact/separated_gains.h"

#include <cstddef>
#include <limits>
#include <vector>

namespace optbn {

struct Subtree {
  NodeMask separator, nodes;
  // room[A * orders + r]: the most that is gained outside the subtree if its separator stands in
  // order r and A, a mask over it, are the members that take their parents within the subtree;
  // minus infinity when that is too little, whatever the subtree gains. A bound: never too small.
  const float *room;
};

class PromisingBranches {
public:
  struct Terms {
    unsigned root; // a node that is in no subtree
    double floor;  // a network that is better gains more
    double total;  // no network gains more
    double memory_limit = std::numeric_limits<double>::infinity(); // bytes
  };

  // gains: of gains_among_all(). Uses the threads of the watch's host, advancing by one unit a
  // separator; when the watch stops, subtrees are missing. Throws MemoryLimit when the subtrees,
  // with what subtree_dp.h makes of them, may take more than the limit; it forecasts what that is.
  PromisingBranches(const std::vector<float> &gains, unsigned nodes, unsigned k, const Terms &terms,
                    Watch &watch);
  PromisingBranches(const PromisingBranches &) = delete; // subtrees point to their room
  PromisingBranches &operator=(const PromisingBranches &) = delete;

  // By the number of nodes, from 0 to n - k - 1; those of a separator in ascending order.
  const std::vector<std::vector<Subtree>> &of_size() const { return of_size_; }
  double size() const;
  std::size_t orders() const { return orders_; } // of a separator

private:
  std::vector<std::vector<Subtree>> of_size_;
  std::vector<std::vector<float>> rooms_; // by separator
  std::size_t orders_;
};

} // namespace optbn
