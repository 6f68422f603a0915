// PairCut: an inequality over the pairs of a few nodes that holds in every graph of bounded
// tree-width, and that the weights of a minor violate.
//
// The edge sets of all graphs of tree-width k or less over m nodes span a polytope. Where the
// weights lie outside, the line from the nearest point of the polytope to the weights is normal to
// a hyperplane that separates them; the nearest point is found as for group cuts
// (structure/bounds/cuts/nearest_point.h), over heaviest graphs (heaviest_graph.h).
// Coefficients become small whole numbers, the right-hand side is that of the heaviest graph, and
// then every coefficient is raised as far as the right-hand side stays.
#pragma once

#include "core/treewidth/cuts/heaviest_graph.h"
#include "core/treewidth/cuts/weighted_minor.h"

#include <vector>

namespace optbn {

// The coefficients of the edges of any graph of tree-width k add up to `most` at most.
struct PairCut {
  std::vector<unsigned> coefficient; // by pair, as in heaviest_graph.h
  unsigned most = 0;
  double violation = 0; // the distance of the weights from the hyperplane

  // What a graph has beyond `most` if all pairs are edges.
  unsigned excess() const;
};

// A cut that is violated by more than `least`, what the contracted pairs lack included; or one
// without coefficients. `heaviest`: for as many nodes as the minor has.
PairCut violated_pair_cut(const WeightedMinor &minor, HeaviestGraph &heaviest, double least,
                          double &steps);

} // namespace optbn
