// Mixtures by expectation-maximisation: MT, mixtures of Chow-Liu trees (Meila & Jordan 2000), and
// MCNet, mixtures of cutset networks (Rahman, Kothalkar & Gogate 2014).
//
// Each step weights every row by the responsibility of each component, and learns the component
// again from the weighted rows, components in parallel on the host's threads; the result does not
// depend on how many. Learning stops when the mean log-likelihood of the validation rows (of the
// training rows, if there are none) has not risen for a few steps, and the best step is returned.
// The watch advances by steps, of the largest number of steps.
//
// Where rows have missing levels, these are summed out of the responsibilities, and a tree is
// learned from the counts of pairs that it itself expects (expected_counts.h), a cutset network from
// completions of the rows by itself (row_completions.h). With trees the log-likelihood, with that of
// the imaginary rows of the prior, never falls for it.
#pragma once

#include "core/base/host.h"
#include "core/density/cuts/cutset_learning.h"
#include "core/density/density.h"
#include "core/density/learn/em_steps.h"
#include "core/density/learn/training_rows.h"

#include <vector>

namespace optbn {

struct MixtureSettings {
  unsigned components = 10;
  bool cuts = false;     // components are cutset networks, otherwise Chow-Liu trees
  bool hard = true;      // each row starts in one component, otherwise in all, by random shares
  unsigned starts = 1;   // the best of so many is returned
  CutsetSettings cutset; // of the components; its smoothing is also that of the trees
  Steps steps;
};

struct LearnedMixture {
  DensityMixture mixture;
  std::vector<double> training, validation; // mean log-likelihood by step, of the best start
  unsigned best_step = 0;                   // which step the mixture is, from 0
};

// `validation` may be null. `start`: a mixture to start from, which is step 0, or null. When the
// watch stops, the best mixture so far; throws Interrupted or TimeLimitReached when there is none
// yet.
LearnedMixture learn_mixture(const TrainingRows &rows, const TrainingRows *validation,
                             const MixtureSettings &settings, const DensityMixture *start,
                             Watch &watch);

// From given responsibilities: the first component's for all rows, then the second's.
LearnedMixture learn_mixture(const TrainingRows &rows, const TrainingRows *validation,
                             const MixtureSettings &settings,
                             const std::vector<double> &responsibilities, Watch &watch);

} // namespace optbn
