// The order in which the many levels of a predictor are cut for one response.
//
// To part k levels in two there are 2^(k-1) - 1 ways, and k - 1 to cut them where they have an
// order. Levels stand in the order of the response's mean, or, of two levels, of its share; then
// one of the cuts is the best of all ways where leaves score a convex function of two numbers, such
// as counts of two levels (Breiman, Friedman, Olshen & Stone 1984, section 4.5). Of more levels
// they stand in the order of their shares along the first principal component of these
// (Coppersmith, Hong & Hosking 1999), which is a good order, not always the best.
#pragma once

#include "core/score/local_structure/cell_tally.h"

#include <cstdint>
#include <vector>

namespace optbn {

// The `cells` of the one predictor that has been counted, in the order for a response; those
// without rows come last, and those alike in the order of their numbers.
std::vector<std::uint32_t> level_order(const CellTally &tally, const Responses &responses,
                                       Node response, std::uint32_t cells);

} // namespace optbn
