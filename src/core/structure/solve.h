// solve(): the one entry to structure search, from candidate sets to a network with its bound.
//
// The problem decomposes into components (domains.h) that are solved separately. Every component
// first gets the network of some feasible order and a cheap bound, then a better network by local
// search; then, where the method includes it, the optimum is proved, of small components first, so
// that as much as possible is proved when the search is stopped.
//
// The method "automatic" tabulates small components (subset_dp.h), and others whose table is made
// sooner than a tree's root bound; of the rest it searches the tree (tree_search.h), and where
// there is memory for a table and the tree takes longer, tabulates these too. Scores never depend
// on the number of threads, unless the watch stops the search.
#pragma once

#include "core/structure/search.h"

namespace optbn {

// Throws Infeasible when no acyclic choice exists, and MemoryLimit when dynamic programming is
// requested where options.memory_limit or the number of nodes forbids it. A watch that stops, even
// beforehand, still leaves a network and a valid bound.
SearchResult solve(const ParentSets &sets, const SearchOptions &options, Watch &watch);

} // namespace optbn
