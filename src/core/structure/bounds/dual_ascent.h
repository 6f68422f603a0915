// Greedy dual ascent: raises the bound of a dual by clusters, one at a time, in exact arithmetic.
//
// As long as the sets of least reduced cost admit no acyclic choice, the nodes that their closure
// leaves out contain a minimal cluster all of whose charged sets cost more. Its price rises by the
// least that some member would have to add, and the bound with it (van Beek & Hoffmann 2015, doi
// 10.1007/978-3-319-23219-5_31; Troesser et al. 2021, doi 10.24963/ijcai.2021/584). Ends below the
// optimum of the linear relaxation, but takes microseconds a step, and never lowers the bound.
#pragma once

#include "core/base/host.h"
#include "core/structure/bounds/dual.h"

namespace optbn {

// Raises `dual` until the cheapest sets fit together, the bound reaches `upper`, so many steps are
// done, or the watch stops. Returns the bound; kNoCost when there is no network at all.
template <unsigned Words>
Cost ascend(const CostProblem<Words> &problem, Dual<Words> &dual, Cost upper, unsigned steps,
            Watch &watch);

} // namespace optbn
