// Separation: clusters that a fractional network violates.
//
// A relaxation of structure search gives each node not one set but weights over its sets. A cluster
// C with threshold k (see dual.h) is violated when the members' sets with fewer than k parents in C
// weigh less than k in all. To find the most violated is NP-hard (Cussens et al. 2017, doi
// 10.1613/jair.5203, for k = 1), so clusters are grown and trimmed by local search, one node in or
// out at a time, from the sets in use; the effect of every such move is read off in one pass over
// the weights. Large clusters are grown from what is left of all nodes when those that fit best
// before the others are taken out. Pure functions.
#pragma once

#include "core/base/host.h"
#include "core/structure/bounds/dual.h"

#include <vector>

namespace optbn {

template <unsigned Words> struct FractionalNetwork {
  struct Share {
    BitSet<Words> set;
    double weight;
  };
  std::vector<std::vector<Share>> shares; // of every node: weights > 0 that add up to about 1

  Node size() const { return static_cast<Node>(shares.size()); }
};

template <unsigned Words> struct ViolatedCluster {
  Cluster<Words> cluster;
  double violation; // k less what the members' charged sets weigh
};

// Distinct clusters violated by more than `least`, the most violated first; those found so far when
// the watch stops. More effort (0, 1, ...) climbs further over clusters that are not violated,
// and any looks for large ones.
// `work` grows by the shares that are looked at.
template <unsigned Words>
std::vector<ViolatedCluster<Words>> violated_clusters(const FractionalNetwork<Words> &network,
                                                      double least, unsigned effort, Watch &watch,
                                                      double &work);

} // namespace optbn
