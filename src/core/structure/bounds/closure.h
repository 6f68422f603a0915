// The closure of a set of nodes: what can be ordered, and the clusters that block the rest.
//
// Begin with the nodes of a prefix and repeatedly add a node that has a set inside the nodes so
// far. If all nodes are added, the sets admit an acyclic choice. If not, the blocked nodes are a
// violated cluster: each of their sets meets the cluster, though in any network some member's set
// must be disjoint from it (Jaakkola et al. 2010; van Beek & Hoffmann 2015, doi
// 10.1007/978-3-319-23219-5_31). A search that runs this on sets of reduced cost zero finds the
// clusters that raise its bound (Troesser et al. 2021, doi 10.24963/ijcai.2021/584).
//
// The caller decides which sets count, by `has_set_inside(v, allowed)`. Functions are pure.
#pragma once

#include "core/base/bit_set.h"

namespace optbn {

// `ordered` and all nodes of `rest` that can be ordered after it, one after another.
template <unsigned Words, class HasSetInside>
BitSet<Words> closure(BitSet<Words> ordered, BitSet<Words> rest, HasSetInside has_set_inside) {
  for (bool grows = true; grows;) {
    grows = false;
    rest.for_each([&](unsigned v) {
      if (has_set_inside(v, ordered)) {
        ordered.insert(v);
        rest.erase(v);
        grows = true;
      }
    });
  }
  return ordered;
}

// A minimal violated cluster inside `cluster`, which is violated; its members are tried for removal
// in ascending order. `all`: every node.
template <unsigned Words, class HasSetInside>
BitSet<Words> minimal_cluster(const BitSet<Words> &all, BitSet<Words> cluster,
                              HasSetInside has_set_inside) {
  const BitSet<Words> members = cluster;
  members.for_each([&](unsigned u) {
    if (!cluster.contains(u))
      return;
    BitSet<Words> rest = cluster;
    rest.erase(u);
    rest -= closure(all - rest, rest, has_set_inside);
    if (!rest.empty())
      cluster = rest;
  });
  return cluster;
}

// A violated cluster inside `blocked`, grown from `seed`: as long as a member has a set that is
// disjoint from the cluster, one of the set's blocked nodes is added. Much smaller than what
// minimal_cluster() finds among many blocked nodes, and small clusters raise a bound most: few sets
// count in them.
//
// disjoint_set(v, cluster): a set of v disjoint from the cluster, or null; count_disjoint(v,
// cluster): how many there are.
template <unsigned Words, class DisjointSet, class CountDisjoint>
BitSet<Words> grown_cluster(const BitSet<Words> &blocked, unsigned seed, DisjointSet disjoint_set,
                            CountDisjoint count_disjoint) {
  BitSet<Words> cluster = BitSet<Words>::of(seed), unfinished = cluster;
  while (!unfinished.empty()) {
    const unsigned v = unfinished.lowest();
    const BitSet<Words> *set = disjoint_set(v, cluster);
    if (!set) {
      unfinished.erase(v);
      continue;
    }
    unsigned added = seed, fewest = ~0u; // the node with the fewest disjoint sets
    (*set & blocked).for_each([&](unsigned u) {
      BitSet<Words> with = cluster;
      with.insert(u);
      const unsigned count = count_disjoint(u, with);
      if (count < fewest) {
        fewest = count;
        added = u;
      }
    });
    cluster.insert(added);
    unfinished.insert(added);
  }
  return cluster;
}

} // namespace optbn
