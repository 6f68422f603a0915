// Greedy dual ascent: raises the bound of a dual by clusters, one at a time, in exact arithmetic.
//
// As long as the sets of least reduced cost (tight sets) admit no acyclic choice, the nodes outside
// their closure contain a minimal violated cluster: all sets that count in it cost more. Its price
// rises by the least that some member would have to add, and the bound with it (van Beek & Hoffmann
// 2015, doi 10.1007/978-3-319-23219-5_31; Troesser et al. 2021, doi 10.24963/ijcai.2021/584). Ends
// below the optimum of the linear relaxation, but takes microseconds a step, and never lowers the
// bound.
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
