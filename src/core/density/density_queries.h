// The queries that a mixture of cutset networks answers.
//
// All are exact, except the most probable state of a mixture of several components or of one with
// hidden nodes, which is NP-hard (de Campos 2011): hill climbing then improves the most probable
// states of the components variable by variable, and exact_most_probable() is false. Queries about
// many rows run in parallel on the host's threads, and the results do not depend on how many; the
// watch, whose total the caller sets, advances by one unit per row. A query that needs a posterior
// given impossible evidence throws ImpossibleEvidence. All throw Interrupted or TimeLimitReached
// when the watch stops.
//
// Time is linear in the size of the model for each query (for draws, also for each row; for joint
// posteriors, for each cell). Natural logarithms.
#pragma once

#include "core/base/host.h"
#include "core/base/random.h"
#include "core/data/evidence.h"
#include "core/data/partial_rows.h"
#include "core/density/density.h"

#include <vector>

namespace optbn {

// log P of what is not missing, by row; minus infinity for the impossible.
std::vector<double> log_densities(const DensityMixture &mixture, const PartialRows &rows,
                                  Watch &watch);

// The same for every component, without its weight: all rows for the first component, then for the
// second.
std::vector<double> component_log_densities(const DensityMixture &mixture, const PartialRows &rows,
                                            Watch &watch);

// log P(evidence); with likelihoods, of their expectation. Minus infinity for the impossible.
double log_probability(const DensityMixture &mixture, const Evidence &evidence, Watch &watch);

// Posteriors of all variables, one after another, each with all its levels.
std::vector<double> marginals(const DensityMixture &mixture, const Evidence &evidence,
                              Watch &watch);

// Joint posterior of some variables that are not observed: an array, the first fastest.
std::vector<double> joint_posterior(const DensityMixture &mixture, const Evidence &evidence,
                                    const std::vector<Node> &variables, Watch &watch);

// Posterior of a variable given all other levels that are not missing: its levels for the first
// row, then for the second. NaN where these are impossible. The variable's own column is not read.
std::vector<double> posteriors(const DensityMixture &mixture, const PartialRows &rows,
                               Node variable, Watch &watch);

// The state of all variables whose probability, times the likelihoods, is largest. Ties are broken
// in a fixed way.
State most_probable(const DensityMixture &mixture, const Evidence &evidence, Watch &watch);
bool exact_most_probable(const DensityMixture &mixture);

// Independent draws from the posterior of all variables, one row after another.
std::vector<std::uint16_t> draw_rows(const DensityMixture &mixture, const Evidence &evidence,
                                     std::size_t rows, Random &random, Watch &watch);

// Variables whose evidence is contradictory, and would not be without any one of them. The evidence
// must be impossible.
std::vector<Node> conflicting_nodes(const DensityMixture &mixture, const Evidence &evidence,
                                    Watch &watch);

} // namespace optbn
