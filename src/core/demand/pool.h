// The pool: what a search on demand has met, as candidate sets that any other search takes.
#pragma once

#include "core/demand/growth.h"
#include "core/score/parent_sets.h"

namespace optbn {

// How much of each node a pool holds.
struct PoolSize {
  std::size_t sets, parents; // at most; the latter of all sets, were they as large as that in use
};

// The sets that no known subset equals or beats, of each node the best, and those of at most one
// further parent. A family in use is there, or a subset that scores as much.
ParentSets collect_pool(const Growth &growth, const std::vector<std::vector<Node>> &in_use,
                        PoolSize most, Watch &watch);

// The number of a set among candidates; their size when it is not there.
std::size_t find_set(const CandidateSets &sets, const std::vector<Node> &set);

// Scores all sets again, as LocalScore::score() does it: extend() may differ by rounding. Those
// that a watch leaves undone keep their scores.
void rescore(ParentSets &pool, LocalScore &score, Watch &watch);

} // namespace optbn
