// Subset dynamic programming (Silander & Myllymaki 2006): the exact optimum of up to about 30
// nodes.
//
// Works on best(U), the best score of an acyclic choice among the nodes U, for every U; natural
// logs, larger is better. Time and memory depend on the number of nodes, hardly on that of
// candidate sets: 8 * 2^n bytes and O(n 2^n) operations on short arrays, about a second at n = 26.
// Runs on the host's threads; the result does not depend on how many.
#pragma once

#include "core/structure/domains.h"
#include "core/structure/search.h"

namespace optbn {

// Largest problem that the dynamic programming can index.
constexpr Node kSubsetDpNodes = 32;

// Bytes that subset_dp() will allocate for n nodes, apart from copies of the candidate sets; every
// thread beyond the first adds less than 300 kB.
double subset_dp_bytes(Node nodes);

// Seconds on one core: a low estimate for a present-day machine, so that no worthwhile attempt is
// missed.
double subset_dp_seconds(Node nodes);

// The optimal network, of several always the same one; empty when the watch stops first. The
// watch, whose total the caller sets, advances by one unit a subset. Throws Infeasible, naming the
// nodes that block each other, when no acyclic choice of finite score exists.
Network subset_dp(const Problem &problem, Watch &watch);

} // namespace optbn
