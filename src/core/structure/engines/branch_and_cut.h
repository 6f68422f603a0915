// Branch and cut: branching on arcs, with linear programs that are optimised again at every node.
//
// A subproblem is what is left of the candidate sets: those that have the arcs decided so far. Its
// bound is a dual in whole numbers, from the multipliers of a linear program (relaxation.h) that the
// dual simplex method optimises again from its parent's basis; inequalities are sought for its own
// fractional solution. Why what it leaves out holds no better network:
//
// * A set whose reduced cost exceeds its node's least by the gap or more: a network with it costs at
//   least the bound and that difference.
// * Where u -> v is decided, v's sets without u; where all sets of every node on a path from u to v
//   contain the node before, sets of u that contain v, which would close a cycle.
// * The two sides of an arc, with and without it, are all networks.
//
// A subproblem is closed when its bound reaches the best network's cost, but for what sums of scores
// are rounded by (network.h): so near, solve() calls a network optimal. One for which a search over
// orders needs no longer than its linear program did is searched so: both methods prove what the
// other is slow at. The arc is chosen by strong branching: of some that are most fractional the one
// whose two sides raise the bound most, in few pivots.
//
// Where the root's relaxation has limits (limit_source.h), only networks that these admit count: they
// come from weights that are whole, and not from searches over orders.
#pragma once

#include "core/structure/bounds/root_dual.h"
#include "core/structure/prover.h"

namespace optbn {

// How many sets the dual leaves within the gap: those of the first subproblem.
template <unsigned Words>
double sets_within(const CostProblem<Words> &problem, const Dual<Words> &dual, Cost gap);

// Goes on from a root. The task starts with the best network so far; networks that cost `cutoff` or
// more are of no interest; has_best: the start costs as much.
template <unsigned Words>
Proof branch_and_cut(const CostProblem<Words> &problem, const ProofTask &task,
                     const RootDual<Words> &root, Cost cutoff, bool has_best, Watch &watch);

} // namespace optbn
