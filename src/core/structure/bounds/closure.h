// The closure of a set of nodes: what can be ordered, and the clusters that block the rest.
//
// Begin with the nodes of a prefix and repeatedly add a node that has a set inside the nodes so
// far. If all nodes are added, the sets admit an acyclic choice. If not, the blocked nodes are a
// violated cluster: each of their sets meets the cluster, though in any network some member's set
// must be disjoint from it (Jaakkola et al. 2010; van Beek & Hoffmann 2015, doi
// 10.1007/978-3-319-23219-5_31). A search that runs this on sets of reduced cost zero finds the
// clusters that raise its bound (Troesser et al. 2021, doi 10.24963/ijcai.2021/584).
//
// The caller decides which sets count, by `has_set_inside(v, allowed)`. Functions are pure. With n
// nodes a closure asks at most n^2 / 2 times. (blocked_nodes() in domains.h takes time linear in
// the size of all sets, by a count for each: better for one closure of thousands of nodes, worse
// for many of few.)
#pragma once

#include "core/base/bit_set.h"
#include "core/data/dataset.h"

#include <algorithm>
#include <vector>

namespace optbn {

// One round: erases the nodes that append(v) takes, asked in turn. Were there any?
template <unsigned Words, class Append> bool append_some(BitSet<Words> &waiting, Append append) {
  const BitSet<Words> asked = waiting;
  asked.for_each([&](unsigned v) {
    if (append(v))
      waiting.erase(v);
  });
  return waiting != asked;
}
template <class Append> bool append_some(std::vector<Node> &waiting, Append append) {
  const auto end = std::remove_if(waiting.begin(), waiting.end(), append);
  const bool some = end != waiting.end();
  waiting.erase(end, waiting.end());
  return some;
}

// The nodes that are never appended, however often they are asked. `waiting`: a BitSet, whose nodes
// are asked in ascending order, or a list in the order that is wanted.
template <class Nodes, class Append> Nodes blocked_after(Nodes waiting, Append append) {
  while (append_some(waiting, append)) {
  }
  return waiting;
}

// `ordered` and all nodes of `rest` that can be ordered after it, one after another.
template <unsigned Words, class HasSetInside>
BitSet<Words> closure(BitSet<Words> ordered, const BitSet<Words> &rest,
                      HasSetInside has_set_inside) {
  blocked_after(rest, [&](unsigned v) {
    const bool fits = has_set_inside(v, ordered);
    if (fits)
      ordered.insert(v);
    return fits;
  });
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

} // namespace optbn
