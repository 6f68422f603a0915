// Queries about many rows at once, each with some nodes observed and others not.
//
// Rows that observe the same nodes use the same plans, and equal rows are computed once, so the
// work is that of the distinct rows. These are distributed in chunks over the host's threads, each
// of which has a Propagation of its own, as far as the memory limit allows. Results, and whether
// there are any, depend neither on the order of the rows nor on the threads. The watch, whose total
// the caller sets, advances by one unit for each row.
#pragma once

#include "core/data/partial_rows.h"
#include "core/inference/queries.h"

#include <vector>

namespace optbn {

// By row log P of its observations; minus infinity where they are impossible.
std::vector<double> log_probabilities(const JunctionTree &tree, const PartialRows &rows,
                                      double memory_limit, Watch &watch);

// Posterior of a node given the observations of other nodes: its levels for the first row, then for
// the second. Not a number where the observations are impossible. The node's own column is not
// read.
std::vector<double> posteriors(const JunctionTree &tree, const PartialRows &rows, Node node,
                               double memory_limit, Watch &watch);

} // namespace optbn
