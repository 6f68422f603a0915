// Completions: weighted rows without holes in place of rows with missing levels.
//
// For learners that need whole rows, such as those that cut slices of them. A row becomes every
// configuration of its missing levels, weighted by its posterior in some density, where they are
// few; otherwise it becomes as many draws from the posterior, of equal weights. Weights of all rows
// add up to what they were. A row that the density holds to be impossible is completed at random.
#pragma once

#include "core/base/host.h"
#include "core/base/random.h"
#include "core/density/density.h"
#include "core/density/learn/training_rows.h"

#include <vector>

namespace optbn {

constexpr unsigned kCompletions = 10; // of a row

// `weights`: how often each row counts. At most `most` completions of a row that counts once, and in
// proportion of others. Rows in parallel on the host's threads; the result does not depend on how
// many. The watch advances by queries, of their number. Throws Interrupted or TimeLimitReached.
TrainingRows completions(const TrainingRows &rows, const std::vector<double> &weights,
                         const DensityMixture &model, unsigned most, Random &random, Watch &watch);

} // namespace optbn
