// Ensembles: cutset networks learned from resampled rows, or with random cuts from the same rows.
//
// Bootstrap samples are weights, how often each row was drawn; the data are not copied. Components
// are learned in parallel on the host's threads, and do not depend on how many.
#pragma once

#include "core/base/host.h"
#include "core/density/cuts/cutset_learning.h"
#include "core/density/density.h"
#include "core/density/learn/mixture_weights.h"
#include "core/density/learn/training_rows.h"

#include <vector>

namespace optbn {

struct EnsembleSettings {
  unsigned components = 40;
  bool bootstrap = true; // each learns from as many rows drawn with replacement
  CutsetSettings cutset;
};

// The i-th component draws from the random stream of seed i. Networks of the entropy rule are
// pruned if there are `pruning` rows (CNetP). When the watch stops, returns the components that are
// finished, which may be none. The watch, whose total the caller sets, advances for each of them as
// in learn_cutset().
std::vector<CutsetNetwork> learn_ensemble(const TrainingRows &rows, const TrainingRows *pruning,
                                          const EnsembleSettings &settings, Watch &watch);

} // namespace optbn
