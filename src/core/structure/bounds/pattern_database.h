// Bounds from relaxations that are cheap at any size.
//
// Natural logs, larger is better. Run on the host's threads; the result does not depend on how
// many, unless the watch stops.
#pragma once

#include "core/base/host.h"
#include "core/structure/domains.h"

namespace optbn {

// An upper bound on the score of every acyclic choice: acyclicity is required only inside small
// groups of closely tied nodes (the static pattern database of Yuan & Malone 2013,
// doi 10.1613/jair.4039). The optimum itself when all nodes fit into one group, minus infinity when
// a group admits no acyclic choice. Takes milliseconds; about a second at thousands of nodes. Valid
// whenever the watch stops it: groups not done yet count with their best local scores.
double pattern_database_bound(const Problem &problem, Watch &watch);

} // namespace optbn
