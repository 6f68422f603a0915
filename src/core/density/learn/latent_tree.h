// Latent trees: hidden Chow-Liu trees, HCLT (Liu & Van den Broeck 2021).
//
// Every variable of a Chow-Liu tree gets a hidden parent with a number of states, and the hidden
// nodes take over the edges of the tree: a tree density over hidden nodes, with the variables as
// leaves. Its tables are fitted by expectation-maximisation.
//
// At first hidden nodes mostly agree with their parents, so that their states are clusters of rows;
// learning makes them different. (Without this bias learning ends in much worse local optima.) The
// first steps learn from batches of rows: counts are a moving average with a decreasing rate
// (stepwise EM, Liang & Klein 2009). Some twenty of these achieve as much as a hundred of the steps
// after them, which learn from all rows at once; patience applies to the latter.
//
// Levels that are missing are summed out, as hidden nodes are.
//
// A step takes O(rows times variables times states^2), in single precision (tree_block.h), in
// parallel on the host's threads; the result does not depend on how many.
#pragma once

#include "core/base/host.h"
#include "core/density/density.h"
#include "core/density/learn/mixture_em.h"
#include "core/density/learn/training_rows.h"

namespace optbn {

struct LatentTreeSettings {
  unsigned states = 16;    // of every hidden node
  double smoothing = 0.02; // pseudo-count of every cell in the maximisation step
  Steps steps;
};

// As learn_mixture(), with one component, without cuts; so has the mixture to start from. The
// log-likelihood of the training rows at a step is that before the step changed the tables.
LearnedMixture learn_latent_tree(const TrainingRows &rows, const TrainingRows *validation,
                                 const LatentTreeSettings &settings, const DensityMixture *start,
                                 Watch &watch);

} // namespace optbn
