// Queries about many rows at once, each with some nodes observed and others not.
//
// Rows that observe the same nodes share their plans, and rows that are equal are answered once, so
// the work is that of the distinct ones; they are distributed to the host's threads, each with a
// Propagation of its own, as far as the memory limit has room for these. Answers, and whether there
// are any, depend neither on the order of the rows nor on the threads. The watch, whose total the
// caller sets, advances by one unit a row.
#pragma once

#include "core/data/partial_rows.h"
#include "core/inference/queries.h"

#include <vector>

namespace optbn {

// log P of what is observed, by row; minus infinity for the impossible.
std::vector<double> log_probabilities(const JunctionTree &tree, const PartialRows &rows,
                                      double memory_limit, Watch &watch);

// Posterior of a node given what else is observed: its levels for the first row, then for the
// second. Not a number where the observations are impossible. The node's own column is not read.
std::vector<double> posteriors(const JunctionTree &tree, const PartialRows &rows, Node node,
                               double memory_limit, Watch &watch);

} // namespace optbn
