// Separation: clusters that a fractional network violates.
//
// A relaxation of structure search gives each node not one set but weights over its sets. A cluster
// C with threshold k (see dual.h) is violated when the members' sets with fewer than k parents in C
// weigh less than k in all. To find the most violated one is NP-hard (Cussens et al. 2017, doi
// 10.1613/jair.5203, for k = 1), so a local search adds or removes one node at a time, beginning
// with the sets in use; one pass over the weights gives the effect of every such move. Large
// clusters are sought from what is left of all nodes when those that can best be ordered first are
// removed one after another. Pure functions.
#pragma once

#include "core/base/host.h"
#include "core/structure/bounds/dual.h"

#include <vector>

namespace optbn {

template <unsigned Words> struct FractionalNetwork {
  struct WeightedSet {
    BitSet<Words> set;
    double weight;
  };
  std::vector<std::vector<WeightedSet>>
      support; // of every node: weights > 0 that add up to about 1

  Node size() const { return static_cast<Node>(support.size()); }
};

template <unsigned Words> struct ViolatedCluster {
  Cluster<Words> cluster;
  double violation; // k less the weight of the members' sets that count
};

// Distinct clusters violated by more than `least`, the most violated first; those found so far when
// the watch stops. More effort (0, 1, ...) continues for longer over clusters that are not
// violated; an effort above 0 also seeks large ones. `work` grows by the number of weighted sets
// examined.
template <unsigned Words>
std::vector<ViolatedCluster<Words>> violated_clusters(const FractionalNetwork<Words> &network,
                                                      double least, unsigned effort, Watch &watch,
                                                      double &work);

} // namespace optbn
