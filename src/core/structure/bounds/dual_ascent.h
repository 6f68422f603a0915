// Greedy dual ascent (greedy_ascent.h) on the dual of a whole problem, in exact arithmetic: gives the
// root its first clusters, and takes up the last of what a numeric optimum leaves.
#pragma once

#include "core/base/host.h"
#include "core/structure/bounds/dual.h"

namespace optbn {

// Raises `dual` until the tight sets admit an acyclic choice, the bound reaches `upper`, so many
// steps are done, or the watch stops. Returns the bound; kNoCost when there is no network at all.
template <unsigned Words>
Cost ascend(const CostProblem<Words> &problem, Dual<Words> &dual, Cost upper, unsigned steps,
            Watch &watch);

} // namespace optbn
