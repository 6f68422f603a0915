// All of this folder, compiled at once (src/Makevars).
#include "core/structure/constraints/arc_pricing.cpp"
#include "core/structure/constraints/diving.cpp"
#include "core/structure/constraints/known_networks.cpp"
#include "core/structure/constraints/lawler_search.cpp"
#include "core/structure/constraints/network_constraints.cpp"
#include "core/structure/constraints/subproblem.cpp"
#include "core/structure/constraints/subproblem_bound.cpp"
#include "core/structure/constraints/subproblem_solver.cpp"
