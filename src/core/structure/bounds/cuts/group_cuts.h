// Group cuts: inequalities over the choices of a few nodes that a fractional network violates.
//
// Within a group of g nodes a fractional network gives every node weights over its patterns, the
// parents it has inside the group. The acyclic choices of patterns span a polytope; the recurrence
// over the 2^g subsets minimises any linear function over it. When the weights lie outside, the
// line to the nearest point of the polytope is normal to a hyperplane that separates them; the
// nearest point is found by the pairwise Frank-Wolfe method (Lacoste-Julien & Jaggi 2015,
// arXiv:1511.05932). The hyperplane is then lowered onto the polytope, a node at a time: every
// coefficient falls to the least with which the inequality still holds, so that most cuts end as
// facets. Pure.
#pragma once

#include "core/base/random.h"
#include "core/structure/bounds/cuts/cluster_separation.h"

#include <vector>

namespace optbn {

// The coefficients of every acyclic choice add up to at least 1.
struct GroupCut {
  std::vector<Node> nodes;         // ascending
  std::vector<double> coefficient; // laid out as in GroupInequality
  double violation = 0;            // 1 less the left-hand side of the fractional network
};

// Groups of `size` nodes that are close to one another: grown from random nodes, each next member
// drawn the likelier the more weight the network puts on arcs between it and the group.
template <unsigned Words>
std::vector<std::vector<Node>> close_groups(const FractionalNetwork<Words> &network, unsigned size,
                                            unsigned wanted, Random &random);

// A cut of this group that the network violates by more than `least`, or one without nodes. The
// problem shows which patterns a node can have at all.
template <unsigned Words>
GroupCut violated_cut(const CostProblem<Words> &problem, const FractionalNetwork<Words> &network,
                      const std::vector<Node> &group, double least);

} // namespace optbn
