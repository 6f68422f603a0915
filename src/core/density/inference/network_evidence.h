// One piece of evidence through one cutset network.
//
// The way from the root to a leaf fixes the variables that are cut on it, and the leaf's tree says
// the rest: given evidence, a network is a mixture of the leaves that the evidence lets one reach.
// Time linear in the size of these. `levels` are those of all variables.
#pragma once

#include "core/density/density.h"
#include "core/density/inference/level_weights.h"

#include <vector>

namespace optbn {

// By place: log P(evidence, and the way leads there), of leaves; minus infinity elsewhere.
std::vector<double> leaf_logs(const CutsetNetwork &network, const std::vector<unsigned> &levels,
                              const LevelWeights &evidence);

struct Posterior {
  double log_probability = kLogZero; // of the evidence
  std::vector<double> cells;         // marginals of all variables; none for impossible evidence
};
Posterior posterior(const CutsetNetwork &network, const std::vector<unsigned> &levels,
                    const LevelWeights &evidence);

// The state whose probability, times the weights of the evidence and together with the best levels
// of hidden members, is largest: of several one of the first leaf. Empty when none is possible.
Row best_row(const CutsetNetwork &network, const std::vector<unsigned> &levels,
             const LevelWeights &evidence);

// Sets the levels of the variables that are cut on the way to a place.
void follow_way(const CutsetNetwork &network, const std::vector<unsigned> &levels,
                std::size_t place, std::uint16_t *row);

} // namespace optbn
