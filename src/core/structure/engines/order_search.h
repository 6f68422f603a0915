// Branch and bound over the orders of the nodes, under a Lagrangian bound.
//
// A network is an order in which every node takes the best of its sets among the nodes before it.
// The search fills an order from the front. At a prefix U that costs g, the rest is bounded by a
// Dual, made once for the whole problem (root_dual.h): g, plus what its inequalities still promise
// once U stands, plus every other node's least reduced cost. The bound is then raised where it is
// loosest: run the closure with the sets of least reduced cost only; the nodes that get stuck hold
// a violated cluster, whose price goes up until another set is as good. Prefixes reached before at
// no more cost are not entered again (as in dynamic programming), sets that no improvement can use
// are dropped, and a node whose first remaining set is inside U goes next without alternative.
//
// What a dive leaves open when it has entered enough prefixes waits in a queue, lowest bound first
// (frontier.h). To optimise the dual again for prefixes from the queue made the tree hardly
// smaller: small clusters, raised greedily, are as good.
//
// Exact at any memory limit: when the memory for prefixes is full, no more are remembered.
#pragma once

#include "core/structure/prover.h"

namespace optbn {

// Runs on the host's threads; score and bound of a finished proof do not depend on how many.
Proof order_search(const ProofTask &task, Watch &watch);

} // namespace optbn
