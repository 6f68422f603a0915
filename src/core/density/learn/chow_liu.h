// Chow-Liu trees: the tree density of largest likelihood (Chow & Liu 1968).
//
// A maximum spanning tree of the mutual informations of all pairs of variables, computed from
// smoothed tables, rooted at its first variable; in a tie the smaller pair wins. Time O(n^2) in
// addition to counting.
#pragma once

#include "core/base/host.h"
#include "core/density/density.h"
#include "core/density/learn/smoothing.h"
#include "core/density/learn/training_rows.h"

#include <vector>

namespace optbn {

// Over all variables. `weights`: how often each row counts; if empty, the rows' own weights. Throws
// Interrupted or TimeLimitReached.
TreeDensity learn_chow_liu(const TrainingRows &rows, const std::vector<double> &weights,
                           const Smoothing &smoothing, Watch &watch);

// The same for data whose rows stay with a source, with their log-likelihood.
struct TreeWithLikelihood {
  TreeDensity tree;
  double log_likelihood;
};
TreeWithLikelihood learn_chow_liu(const Dataset &data, const Smoothing &smoothing, Watch &watch);

} // namespace optbn
