// Diving: a network that meets the constraints, found by repair.
//
// The best network that local search finds in a subproblem violates a constraint; of the small
// changes that mend this (repairs()) the one after which local search finds the best network is
// made for good, until nothing is violated or no repair is left.
#pragma once

#include "core/structure/constraints/known_networks.h"
#include "core/structure/constraints/subproblem_solver.h"

namespace optbn {

// Begins with this order of the nodes, if there is one, and offers every network to those known.
// `bound`: of a subproblem that contains this one.
void dive(Subproblem subproblem, std::vector<Node> order, const NetworkConstraints &constraints,
          const SubproblemBound &bound, SubproblemSolver &solver, KnownNetworks &known,
          Watch &watch);

} // namespace optbn
