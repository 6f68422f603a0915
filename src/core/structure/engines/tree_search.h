// Proofs by tree search: the root's bound, then search over orders, branch and cut, or both.
//
// The root's dual and the search over orders are worked on in turn, the tree twice as long each
// time: easy problems need only a fair bound (the easiest, that of half the first rounds), for hard
// ones the best pays. Where the first tree does not end, and reduced costs leave few sets, branch and
// cut takes over: weak spots of the bound that lie far apart, each of which an order would have to
// resolve inside the others, it resolves one after another (branch_and_cut.h). With many sets its
// linear programs would be too large.
#pragma once

#include "core/structure/prover.h"

namespace optbn {

enum class TreeEngine { orders, branch_and_cut, both };

// Runs on the host's threads; score and bound of a finished proof do not depend on how many.
Proof tree_search(const ProofTask &task, TreeEngine engine, Watch &watch);

} // namespace optbn
