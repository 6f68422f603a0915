// The pool: the families that a search on demand has met, as candidate sets for any other search.
#pragma once

#include "core/demand/growth.h"
#include "core/score/parent_sets.h"

namespace optbn {

// How many sets of each node a pool has.
struct PoolSize {
  std::size_t sets, parents; // at most; parents of all sets, were they as large as that in use
};

// The sets that score more than all known subsets: of each node the best, and those of at most one
// parent beyond the required ones. A family in use is included, or a subset that scores as much.
ParentSets collect_pool(const Growth &growth, const std::vector<std::vector<Node>> &in_use,
                        PoolSize most, Watch &watch);

// The number of a set among candidates; their size when it is not there.
std::size_t find_set(const CandidateSets &sets, const std::vector<Node> &set);

// Scores all sets again by LocalScore::score(), from which extend() may differ by rounding. When
// the watch stops, all sets keep their scores.
void rescore(ParentSets &pool, LocalScore &score, Watch &watch);

} // namespace optbn
