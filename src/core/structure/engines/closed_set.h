// The nodes that a search over orders branches on.
//
// A set of nodes is closed when its nodes need no parents outside it and the prefix. They can be
// ordered before all others, in any network and at no loss, so only they need be tried next: the
// fewer, the smaller the search tree. A smallest closed set is a strong component of the graph of
// possible parents that no arc enters: any of its nodes with all possible ancestors.
#pragma once

#include "core/base/bit_set.h"

namespace optbn {

// The smallest closed set; of equally small ones that of the first node. `rest`: the nodes not in
// the prefix. possible_parents(v): all that v may have, those of the prefix too.
template <unsigned Words, class PossibleParents>
BitSet<Words> smallest_closed_set(const BitSet<Words> &rest, PossibleParents possible_parents) {
  BitSet<Words> smallest = rest, seen;
  unsigned size = smallest.size();
  rest.for_each([&](unsigned v) {
    // What is closed and contains a node seen before is no smaller.
    BitSet<Words> closed = BitSet<Words>::of(v), left = closed;
    while (!left.empty() && !closed.intersects(seen)) {
      const unsigned u = left.lowest();
      const BitSet<Words> more = (possible_parents(u) & rest) - closed;
      closed |= more;
      left |= more;
      left.erase(u);
    }
    if (!closed.intersects(seen) && closed.size() < size) {
      smallest = closed;
      size = smallest.size();
    }
    seen.insert(v);
  });
  return smallest;
}

} // namespace optbn
