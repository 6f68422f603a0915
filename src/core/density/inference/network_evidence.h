// Queries of one cutset network with one set of evidence.
//
// The path from the root to a leaf fixes the variables that are cut on it, and the leaf's tree
// gives the others: given evidence, a network is a mixture of its leaves that are possible. Time
// linear in the size of these. `levels` are those of all variables.
#pragma once

#include "core/density/density.h"
#include "core/density/inference/level_weights.h"

#include <vector>

namespace optbn {

// By node: log P(evidence and the path to the node) for leaves; minus infinity for cuts.
std::vector<double> leaf_logs(const CutsetNetwork &network, const std::vector<unsigned> &levels,
                              const LevelWeights &evidence);

struct Posterior {
  double log_probability = kLogZero; // of the evidence
  std::vector<double> cells;         // marginals of all variables; none for impossible evidence
};
Posterior posterior(const CutsetNetwork &network, const std::vector<unsigned> &levels,
                    const LevelWeights &evidence);

// The state with the largest probability, times the weights of the evidence, together with the best
// levels of hidden nodes; in a tie, one of the first leaf. Empty if none is possible.
Row best_row(const CutsetNetwork &network, const std::vector<unsigned> &levels,
             const LevelWeights &evidence);

// Sets the levels of the variables that are cut on the path to a node.
void set_cut_levels(const CutsetNetwork &network, const std::vector<unsigned> &levels,
                    std::size_t node, std::uint16_t *row);

} // namespace optbn
