// Latent trees: hidden Chow-Liu trees, HCLT (Liu & Van den Broeck 2021).
//
// Every variable of a Chow-Liu tree gets a hidden parent with a number of states, and the hidden
// ones take over the edges of the tree: a tree density over hidden members, with the variables
// hanging from them. Its tables are fitted by expectation-maximisation.
//
// At first hidden members mostly agree with their parents, so that their states are clusters of
// rows; neighbours part as they learn. (From tables without this bias learning ends in much worse
// places.) The first steps learn from batches of rows: counts are a moving average, which forgets
// less and less (stepwise EM, Liang & Klein 2009). Some twenty of these come as far as a hundred of
// the steps that follow them, which learn from all rows at once; patience is for the latter.
//
// A step takes O(rows times variables times states^2), in single precision (tree_block.h), the rows
// distributed to the host's threads; what is learned does not depend on how many.
#pragma once

#include "core/base/host.h"
#include "core/density/density.h"
#include "core/density/learn/mixture_em.h"
#include "core/density/learn/training_rows.h"

namespace optbn {

struct LatentTreeSettings {
  unsigned states = 16;    // of every hidden member
  double smoothing = 0.02; // pseudo-count of every cell in the maximisation step
  Steps steps;
};

// As learn_mixture(): one component, without cuts; a mixture to go on from has one, too. What is
// said of the training rows by step is how likely they were when the step met them.
LearnedMixture learn_latent_tree(const TrainingRows &rows, const TrainingRows *validation,
                                 const LatentTreeSettings &settings, const DensityMixture *start,
                                 Watch &watch);

} // namespace optbn
