// Chow-Liu trees: the tree density of largest likelihood (Chow & Liu 1968).
//
// A maximum spanning tree of the mutual informations of all pairs of variables, computed from
// smoothed tables, rooted at its first variable; ties go to the smaller pair. Time O(n^2) beside
// the counting.
#pragma once

#include "core/base/host.h"
#include "core/density/density.h"
#include "core/density/learn/smoothing.h"
#include "core/density/learn/training_rows.h"

#include <vector>

namespace optbn {

// Over all variables. `weights`: how often each row counts; empty, as the rows' own weights say.
// Throws Interrupted or TimeLimitReached.
TreeDensity learn_chow_liu(const TrainingRows &rows, const std::vector<double> &weights,
                           const Smoothing &smoothing, Watch &watch);

// The same of data whose rows a source keeps, with their log-likelihood.
struct LikelyTree {
  TreeDensity tree;
  double log_likelihood;
};
LikelyTree learn_chow_liu(const Dataset &data, const Smoothing &smoothing, Watch &watch);

} // namespace optbn
