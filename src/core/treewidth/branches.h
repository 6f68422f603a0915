// Branches of k-trees, and which of them can be part of a network better than a given one.
//
// A branch is what hangs below a separator, k nodes S that lie in one bag: the nodes C that are
// separated by S from the root of the k-tree. The number of branches, binom(n, k) 2^(n - k), is
// what makes a search over all k-trees expensive, and most of them are hopeless: what C can gain
// below S and what the others can gain above, both without a bound on the width
// (separated_gains.h), falls short of a network that is known. The better that network, and the
// less the bound on the width costs, the fewer branches are left: often one in a thousand.
#pragma once

#include "core/base/host.h"
#include "core/treewidth/separated_gains.h"

#include <cstddef>
#include <vector>

namespace optbn {

struct Branch {
  NodeMask separator, nodes;
  std::size_t room = 0; // where its numbers begin in PromisingBranches::room
};

struct PromisingBranches {
  std::vector<std::vector<Branch>> of_size; // by the number of nodes
  // room[branch.room + A * orders + r]: the most that is gained outside the branch if its separator
  // stands in order r and A, a mask over it, are the members that take their parents within the
  // branch; minus infinity when that is too little, whatever the branch gains. A bound: never too
  // small.
  std::vector<float> room;
  std::size_t orders = 0;

  double size() const;
};

// The branches without the node `root`, and not of all nodes but the separator, that may be part of
// a network that gains more than `floor`. `total`: at least what all nodes together gain. Uses the
// threads of the watch's host, advancing by one unit a separator; when the watch stops, branches
// are missing. Throws MemoryLimit when they take more than so many bytes, in all, with a forecast
// of what they would take.
PromisingBranches promising_branches(const std::vector<float> &gains, unsigned nodes, unsigned k,
                                     unsigned root, double floor, double total, double memory_limit,
                                     Watch &watch);

} // namespace optbn
