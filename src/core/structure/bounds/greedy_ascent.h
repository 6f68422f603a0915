// Greedy dual ascent: raises the bound of a dual by one violated cluster after another.
//
// As long as the sets of least reduced cost (tight sets) admit no acyclic choice, the nodes outside
// their closure contain a minimal violated cluster: all sets that count in it cost more. Its price
// rises by the least that some member would have to add, and the bound with it (van Beek & Hoffmann
// 2015, doi 10.1007/978-3-319-23219-5_31; Troesser et al. 2021, doi 10.24963/ijcai.2021/584). Ends
// below the optimum of the linear relaxation, but takes microseconds a step, and never lowers the
// bound.
//
// The three searches that do so keep reduced costs in different ways: the root in plain vectors
// (dual_ascent.cpp), order search in frames that are copied where they change (order_search.cpp),
// CP search in domains whose changes are undone (cp/cluster_ascent.h). What they have in common is
// a store:
//
//   has_tight_inside(v, allowed)   Is a tight set of v inside these nodes?
//   slack_outside(v, cluster)      What the cheapest set of v that is disjoint from the cluster
//                                  costs more than a tight one; kNoCost without any.
//   violated_within(blocked)       A violated cluster inside the blocked nodes: all of them, or
//                                  a small one, see grown_cluster().
//   raise(cluster, amount)         Raises the price. False ends the ascent. The amount is kNoCost
//                                  where every member needs another: then there is no network.
//
// and for grown_cluster(), of the tight sets of v:
//
//   tight_count(v)
//   tight_outside(v, cluster)      One that is disjoint from the cluster, or null,
//   tight_count_outside(v, cluster)   and how many are.
#pragma once

#include "core/base/invariant.h"
#include "core/structure/bounds/closure.h"
#include "core/structure/bounds/exact_costs.h"

#include <algorithm>

namespace optbn {

// The amount by which the price of a violated cluster can rise: until a member has one more tight
// set, which is disjoint from it.
template <unsigned Words, class Store>
Cost least_slack(const Store &store, const BitSet<Words> &cluster) {
  Cost least = kNoCost;
  cluster.for_each([&](unsigned v) { least = std::min(least, store.slack_outside(v, cluster)); });
  OPTBN_INVARIANT(least > 0, "the bound rises with the price of a violated cluster");
  return least;
}

// Until the store ends it, or (then true) the tight sets admit an acyclic choice for the nodes of
// `rest` after those of the prefix. appended(v) is called for each node of that choice, in order.
template <unsigned Words, class Store, class Appended>
bool greedy_ascent(const BitSet<Words> &prefix, const BitSet<Words> &rest, Store &store,
                   Appended appended) {
  const auto has_tight_inside = [&](unsigned v, const BitSet<Words> &allowed) {
    return store.has_tight_inside(v, allowed);
  };
  const auto append = [&](unsigned v, const BitSet<Words> &allowed) {
    const bool fits = store.has_tight_inside(v, allowed);
    if (fits)
      appended(v);
    return fits;
  };
  const BitSet<Words> all = prefix | rest;
  for (BitSet<Words> ordered = prefix;;) {
    // Prices change the tight sets of blocked nodes only, so the closure need not start again.
    ordered = closure(ordered, all - ordered, append);
    if (ordered == all)
      return true;
    const BitSet<Words> cluster =
        minimal_cluster(all, store.violated_within(all - ordered), has_tight_inside);
    if (!store.raise(cluster, least_slack(store, cluster)))
      return false;
  }
}

// The first of these nodes (there are some) for which value(v), below 2^32 - 1, is least.
template <unsigned Words, class Value> unsigned least_of(const BitSet<Words> &nodes, Value value) {
  unsigned best = 0, least = ~0u;
  nodes.for_each([&](unsigned v) {
    if (const unsigned of_v = value(v); of_v < least) {
      least = of_v;
      best = v;
    }
  });
  return best;
}

// A violated cluster inside `blocked`, grown from the node with the fewest tight sets: as long as a
// member has a tight set that is disjoint from the cluster, one of the set's blocked nodes is
// added. Much smaller than what minimal_cluster() finds among many blocked nodes, and small
// clusters raise a bound most: few sets count in them.
template <unsigned Words, class Store>
BitSet<Words> grown_cluster(const BitSet<Words> &blocked, const Store &store) {
  BitSet<Words> cluster =
      BitSet<Words>::of(least_of(blocked, [&](unsigned v) { return store.tight_count(v); }));
  BitSet<Words> unfinished = cluster;
  while (!unfinished.empty()) {
    const unsigned v = unfinished.lowest();
    const BitSet<Words> *set = store.tight_outside(v, cluster);
    if (!set) {
      unfinished.erase(v);
      continue;
    }
    const unsigned added = least_of(*set & blocked, [&](unsigned u) {
      BitSet<Words> with = cluster;
      with.insert(u);
      return store.tight_count_outside(u, with);
    });
    cluster.insert(added);
    unfinished.insert(added);
  }
  return cluster;
}

} // namespace optbn
