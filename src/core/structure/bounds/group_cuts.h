// Group cuts: charges on the choices of a few nodes that a fractional network underpays.
//
// Within a group of g nodes a fractional network gives every node weights over its patterns, the
// parents it takes inside the group. The acyclic choices of patterns span a polytope whose best
// charge on any point is found by the recurrence over the 2^g subsets. When the weights lie
// outside, the line to the nearest point of the polytope is normal to a hyperplane that separates
// them; the nearest point is found by the pairwise Frank-Wolfe method (Lacoste-Julien & Jaggi 2015,
// arXiv:1511.05932). The hyperplane is then pushed down onto the polytope, a node at a time:
// every charge falls to the least that keeps the promise, so that most cuts end as facets. Pure.
#pragma once

#include "core/base/random.h"
#include "core/structure/bounds/cluster_separation.h"

#include <vector>

namespace optbn {

// The charges of every acyclic choice add up to at least 1.
struct GroupCut {
  std::vector<Node> nodes;    // ascending
  std::vector<double> charge; // laid out as in GroupInequality
  double violation = 0;       // 1 less what the fractional network pays
};

// Groups of `size` nodes that are close to one another: grown from random nodes, each next member
// drawn the likelier the more weight the network puts on arcs between it and the group.
template <unsigned Words>
std::vector<std::vector<Node>> close_groups(const FractionalNetwork<Words> &network, unsigned size,
                                            unsigned wanted, Random &random);

// A cut of this group that the network violates by more than `least`, or one without nodes. The
// problem tells which patterns a node can have at all.
template <unsigned Words>
GroupCut violated_cut(const CostProblem<Words> &problem, const FractionalNetwork<Words> &network,
                      const std::vector<Node> &group, double least);

} // namespace optbn
