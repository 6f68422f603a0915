// CP search: branch and bound over node orders by constraint programming, after CPBayes and ELSA.
//
// Every node is a variable whose domain is its candidate sets. An order of the nodes is filled from
// the front (van Beek & Hoffmann 2015, doi 10.1007/978-3-319-23219-5_31): the node appended next
// gets its cheapest live set among the nodes before it, and a prefix, as a set of nodes, is never
// visited twice unless at less cost. At each node of the search tree
//  - acyclicity is made generalised arc consistent, by closures (closure.h);
//  - clusters raise the bound: greedy ascent on the dual of the cluster relaxation, with clusters
//    grown from one node, minimised, stored for the whole search, and tried again before new ones
//    are sought (Troesser, de Givry & Katsirelos 2021, doi 10.24963/ijcai.2021/584);
//  - sets that cannot be part of a better network are removed by their reduced cost;
//  - only nodes of a smallest closed set are branched on: one that needs no others as parents.
// Domains are plain lists (ELSA) or decision trees (ELSA^IG, decision_tree.h), with which the
// search tree is the same. At the root a local search on the prices of clusters closes part of the
// gap that greedy ascent leaves. All sums are exact (exact_costs.h). Runs on the calling thread;
// the search does not depend on clocks.
//
// Each file holds one part: search_tree.h the prefixes; propagation.h what follows from one, with
// acyclicity.h and cluster_ascent.h (at the root also price_search.h); search_state.h all that is
// undone, and in which order; incumbent.h the best network and the bound.
#pragma once

#include "core/structure/cp/decision_tree.h"
#include "core/structure/prover.h"

namespace optbn {

struct CpProof : Proof {
  double clusters = 0; // found
};

// The task's start, however bad, is the first upper bound. When the watch stops, the best network
// so far and the best bound that holds for what is left.
CpProof cp_search(const ProofTask &task, const TreeOptions &store, Watch &watch);

} // namespace optbn
