// The closure of a set of nodes: what can be ordered, and the clusters that block the rest.
//
// Begin with nodes that stand already; again and again let in a node that has a set inside the
// nodes so far. If everybody enters, the sets admit an acyclic choice. If not, those left outside
// are a cluster: each of their sets meets the cluster, though in any network some member's set must
// be disjoint from it (Jaakkola et al. 2010; van Beek & Hoffmann 2015, doi
// 10.1007/978-3-319-23219-5_31). A search that runs this on sets of reduced cost zero finds the
// clusters that raise its bound (Troesser et al. 2021, doi 10.24963/ijcai.2021/584).
//
// Which sets count is the caller's affair: `has_set_inside(v, allowed)`. Functions are pure.
#pragma once

#include "core/base/bit_set.h"

namespace optbn {

// `standing` and all nodes of `waiting` that can follow it.
template <unsigned Words, class HasSetInside>
BitSet<Words> closure(BitSet<Words> standing, BitSet<Words> waiting, HasSetInside has_set_inside) {
  for (bool grows = true; grows;) {
    grows = false;
    waiting.for_each([&](unsigned v) {
      if (has_set_inside(v, standing)) {
        standing.insert(v);
        waiting.erase(v);
        grows = true;
      }
    });
  }
  return standing;
}

// A cluster inside `stuck` that loses the property with any node taken out, its members tried in
// ascending order. `all`: every node; stuck: a cluster.
template <unsigned Words, class HasSetInside>
BitSet<Words> minimal_cluster(const BitSet<Words> &all, BitSet<Words> stuck,
                              HasSetInside has_set_inside) {
  const BitSet<Words> members = stuck;
  members.for_each([&](unsigned u) {
    if (!stuck.contains(u))
      return;
    BitSet<Words> rest = stuck;
    rest.erase(u);
    rest -= closure(all - rest, rest, has_set_inside);
    if (!rest.empty())
      stuck = rest;
  });
  return stuck;
}

// A cluster inside `stuck`, grown from `seed`: as long as a member has a set that is disjoint from
// the cluster, one of the set's stuck nodes joins. Much smaller than what minimal_cluster() finds
// in a large stuck set, and small clusters raise a bound most: they weigh on few sets.
//
// missed(v, cluster): a set of v disjoint from the cluster, or null; misses(v, cluster): how many.
template <unsigned Words, class MissedSet, class CountMisses>
BitSet<Words> grown_cluster(const BitSet<Words> &stuck, unsigned seed, MissedSet missed,
                            CountMisses misses) {
  BitSet<Words> cluster = BitSet<Words>::of(seed), unsettled = cluster;
  while (!unsettled.empty()) {
    const unsigned v = unsettled.lowest();
    const BitSet<Words> *set = missed(v, cluster);
    if (!set) {
      unsettled.erase(v);
      continue;
    }
    unsigned joins = seed, fewest = ~0u; // the node that asks for least itself
    (*set & stuck).for_each([&](unsigned u) {
      BitSet<Words> with = cluster;
      with.insert(u);
      const unsigned count = misses(u, with);
      if (count < fewest) {
        fewest = count;
        joins = u;
      }
    });
    cluster.insert(joins);
    unsettled.insert(joins);
  }
  return cluster;
}

} // namespace optbn
