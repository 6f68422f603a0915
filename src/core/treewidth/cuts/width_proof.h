// WidthProof: a bound on all networks of tree-width at most k that is better than the optimum of any
// width, by branch and cut.
//
// The relaxation of structure search (structure/bounds/relaxation.h) is cut off where its weights
// make a graph that is too wide (width_cuts.h), and then branched on arcs (branch_and_cut.h). The
// bound is exact, as without these limits: multipliers become whole numbers, and the bound is
// computed from them. A search to the end proves the best network.
//
// It pays where the optimum of any width is nearly narrow enough, so that few pairs must go: the
// more the width costs, the more alternatives there are, and the weaker the relaxation. Natural
// logs, larger is better.
#pragma once

#include "core/structure/search.h"

#include <limits>

namespace optbn {

// Is there a proof to seek for so many nodes?
bool width_proof_exists(Node nodes, unsigned k);

struct WidthProofOptions {
  Network start;    // a network of tree-width at most k
  Multipliers warm; // of a search that was not limited, or none
  // No network of this width scores more. Where the root's bound is not as good, the width costs
  // less than the relaxation is weak: nothing is branched on.
  double bound = std::numeric_limits<double>::infinity();
  double gap = 0; // the search may end once bound - score is at most this
  double memory_limit = std::numeric_limits<double>::infinity(); // bytes
  double seconds = std::numeric_limits<double>::infinity(); // the work of so many, about, is enough
};

struct WidthProof {
  Network best; // the start, or a better one
  double bound = std::numeric_limits<double>::infinity();
  bool proved = false; // that no network of this width scores more
  double nodes = 0;    // of the search tree
};

// Runs on the host's threads, or on one where the work is limited. Score and bound of a proof that
// is finished, or ended by that limit, do not depend on how many.
WidthProof prove_width(const ParentSets &sets, unsigned k, const WidthProofOptions &options,
                       Watch &watch);

} // namespace optbn
