// WeightedMinor: a small minor of the graph that a fractional network gives weights.
//
// Minors (graph/minor.h) show why a graph is wide, and few of their nodes are enough to do so. The
// weights of fractional networks are less than 1, so that each contracted pair costs what it lacks
// of 1: pairs of weight near 1 are contracted. As by the rule least-c of contraction degeneracy
// (graph/contraction.h), a node of least weight goes into the neighbour with which it has least
// weight in common; random terms make the minors differ.
#pragma once

#include "core/base/random.h"
#include "core/treewidth/cuts/pair_weights.h"

#include <vector>

namespace optbn {

struct WeightedMinor {
  unsigned nodes = 0;
  std::vector<double> weight; // by pair of its nodes (heaviest_graph.h): the heaviest of all pairs
  std::vector<Witness> witness; // between the nodes that were contracted into the two, and of that
  std::vector<Witness> contracted; // a tree for each of its nodes
  double lacking = 0;              // how much the contracted pairs lack of weight 1, in all
};

// Distinct minors of so many nodes, or as many as there are, from so many sequences of contractions.
// (What a smaller minor of the same weights violates, this one violates too.)
std::vector<WeightedMinor> weighted_minors(const PairWeights &weights, unsigned nodes,
                                           unsigned sequences, Random &random);

// Distinct induced subgraphs, nothing contracted, of so many nodes, or as many as have weight
// towards one another: each grown from one of so many pairs at random by the node of most weight
// towards it.
std::vector<WeightedMinor> close_subgraphs(const PairWeights &weights, unsigned nodes,
                                           unsigned pairs, Random &random);

} // namespace optbn
