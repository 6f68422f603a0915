// The k best networks (Tian, He & Ram 2010, arXiv:1203.3520) or the k best Markov equivalence
// classes (Chen & Tian 2014), by subset dynamic programming.
//
// Natural logs, larger is better. O(2^n n k log k) time, 8 k bytes for each of the 2^n subsets, and
// more for those of two sizes at a time. Runs on the host's threads; the result does not depend
// on how many.
#pragma once

#include "core/structure/domains.h"
#include "core/structure/search.h"

#include <vector>

namespace optbn {

// Largest k; the largest problem is that of subset_dp().
constexpr unsigned kKBestNetworks = 65535;

// Bytes that k_best() will allocate.
double k_best_bytes(Node nodes, unsigned k, bool classes);

// Up to k networks over the problem's candidate sets, best first: distinct DAGs, or with `classes`
// the best member of each of distinct Markov equivalence classes. Fewer than k when the candidate
// sets admit no more (none at all if infeasible); empty when the watch stops first. Nothing is
// assumed about dominated sets: to rank all networks, the problem must still hold them. A network's
// score is the sum of its local scores in node order. One unit of the watch's progress is one
// subset.
std::vector<Network> k_best(const Problem &problem, unsigned k, bool classes, Watch &watch);

} // namespace optbn
