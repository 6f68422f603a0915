// Expected counts of pairs in rows with missing levels: the expectation step of trees.
//
// A tree depends on the data by the counts of pairs of levels alone. Where levels are missing, their
// expected counts under a tree take the place of counts; the tree that is learned from them has the
// largest expected likelihood of all trees, so that expectation-maximisation never lowers the
// likelihood of what is known, structure and tables changing together (Friedman 1997; Meila & Jordan
// 2000, section 3.4; Leray & Francois 2005 as MWST-EM).
#pragma once

#include "core/base/host.h"
#include "core/density/counts/pair_counts.h"
#include "core/density/density.h"
#include "core/density/learn/training_rows.h"

#include <vector>

namespace optbn {

struct ExpectedCounts {
  PairCounts counts;
  double log_likelihood = 0; // of what the rows know
};

// Under a tree over all variables. `weights`: how often each row counts. Rows in parallel on the
// host's threads; the result does not depend on how many. The watch, whose total the caller sets,
// advances by rows. Throws Interrupted or TimeLimitReached.
ExpectedCounts expected_counts(const TreeDensity &tree, const TrainingRows &rows,
                               const std::vector<double> &weights, Watch &watch);

// To start from: the available cases. Levels are distributed as in the rows that know the variable,
// and two variables are as dependent, by their odds ratios, as in the rows that know both. (Counts
// of rows in which missing variables are independent make a start from which the structure hardly
// changes any more.)
PairCounts available_counts(const TrainingRows &rows, const std::vector<double> &weights,
                            Watch &watch);

} // namespace optbn
