// Arc pricing: the price of an arc at which the bound under "at most m arcs" is least.
//
// No network with at most m arcs scores more than m times the price plus the best of scores less the
// price of the arcs (Fisher 1981, doi 10.1287/mnsc.27.1.1). That bound is convex in the price, and
// least where the best network has just m arcs, or where their number falls from more to fewer.
#pragma once

#include "core/score/parent_sets.h"
#include "core/structure/network.h"

#include <functional>
#include <optional>

namespace optbn {

// The best network with arcs at this price; none if there is no network, an empty one if the search
// was stopped.
using SearchAtPrice = std::function<std::optional<Network>(double arc_price)>;

// Searches at a few prices, at last at that of the least bound, and returns the best network there
// that has at most so many arcs; none if no network has. Ends with the first search that is stopped.
std::optional<Network> price_arcs(const ParentSets &sets, double max_arcs,
                                  const SearchAtPrice &search);

} // namespace optbn
