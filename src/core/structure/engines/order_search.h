// Branch and bound over the orders of the nodes, under a Lagrangian bound.
//
// A network is an order in which every node has the best of its sets among the nodes before it. The
// search fills an order from the front. At a prefix U that costs g, the rest is bounded by a Dual,
// made once for the whole problem (root_dual.h): g, plus the constant term of its inequalities
// after U, plus every other node's least reduced cost. The bound is then raised where it is
// loosest: run the closure with the tight sets (those of least reduced cost) only; the blocked
// nodes contain a violated cluster, whose price rises until another set is tight. Prefixes reached
// before at no more cost are not visited again (as in dynamic programming), sets that no
// improvement can use are dropped from the active domains, and a node whose first remaining set is
// inside U comes next without alternative.
//
// A dive that has visited enough prefixes postpones the others: they wait in a queue, lowest bound
// first (frontier.h). To optimise the dual again for prefixes from the queue made the tree hardly
// smaller: small clusters, raised greedily, are as good.
//
// Exact at any memory limit: when the memory for prefixes is full, no more are stored.
#pragma once

#include "core/structure/prover.h"

namespace optbn {

// Runs on the host's threads; score and bound of a finished proof do not depend on how many.
Proof order_search(const ProofTask &task, Watch &watch);

} // namespace optbn
