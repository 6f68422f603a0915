// The order in which the many levels of a predictor are split for one response.
//
// There are 2^(k-1) - 1 ways to split k levels in two, but only k - 1 splits if they are ordered.
// Levels are ordered by the mean of the response, or by the share of one of its two levels; then
// one of these splits is the best of all if leaves score a convex function of two numbers, such as
// counts of two levels (Breiman, Friedman, Olshen & Stone 1984, section 4.5). If the response has
// more levels, the order is that of its shares along their first principal component (Coppersmith,
// Hong & Hosking 1999): a good order, not always the best.
#pragma once

#include "core/score/local_structure/cell_tally.h"

#include <cstdint>
#include <vector>

namespace optbn {

// The `cells` of the one predictor that has been counted, in the order for a response; cells
// without rows come last, and ties are in the order of their numbers.
std::vector<std::uint32_t> level_order(const CellTally &tally, const Responses &responses,
                                       Node response, std::uint32_t cells);

} // namespace optbn
