// Chow-Liu trees: the tree density of largest likelihood (Chow & Liu 1968).
//
// A maximum spanning tree of the mutual informations of all pairs of variables, computed from
// smoothed tables, rooted at its first variable; in a tie the smaller pair wins. Time O(n^2) in
// addition to counting.
#pragma once

#include "core/base/host.h"
#include "core/density/counts/pair_counts.h"
#include "core/density/density.h"
#include "core/density/learn/smoothing.h"
#include "core/density/learn/training_rows.h"

#include <vector>

namespace optbn {

// Over all variables. `weights`: how often each row counts; if empty, the rows' own weights. Of rows
// with missing levels, the tree of learn_chow_liu_by_em(). Throws Interrupted or TimeLimitReached.
TreeDensity learn_chow_liu(const TrainingRows &rows, const std::vector<double> &weights,
                           const Smoothing &smoothing, Watch &watch);

// By expectation-maximisation (expected_counts.h) from the available cases, until the mean
// log-likelihood of what the rows know, with that of the imaginary rows of the prior, rises by less
// than 1e-6. It never falls; of priors that are not imaginary rows, the step of largest likelihood
// counts. When the watch stops, the best tree so far; throws when there is none yet. Every step is a
// phase of the watch, whose rows are its total.
struct TreeBySteps {
  TreeDensity tree;
  std::vector<double> training; // mean log-likelihood by step, without imaginary rows
  unsigned best_step = 0;       // which step the tree is, from 0
};
TreeBySteps learn_chow_liu_by_em(const TrainingRows &rows, const std::vector<double> &weights,
                                 const Smoothing &smoothing, Watch &watch);

// From counts of the whole training set.
TreeDensity tree_of_counts(const PairCounts &counts, const Items &items, const Smoothing &smoothing,
                           Watch &watch);

// The same for data whose rows stay with a source, with their log-likelihood.
struct TreeWithLikelihood {
  TreeDensity tree;
  double log_likelihood;
};
TreeWithLikelihood learn_chow_liu(const Dataset &data, const Smoothing &smoothing, Watch &watch);

} // namespace optbn
