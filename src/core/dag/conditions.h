// Conditions: demands on a network as a whole, which no node's candidate sets can express.
#pragma once

#include "core/dag/region.h"

#include <limits>
#include <vector>

namespace optbn {

// A directed path from one node to another must exist, or must not.
struct Ancestry {
  Node from, to;
  bool required;
};

struct Conditions {
  std::vector<Ancestry> ancestry;
  double max_arcs = std::numeric_limits<double>::infinity();

  bool limit_arcs() const { return max_arcs < std::numeric_limits<double>::infinity(); }
  bool empty() const { return ancestry.empty() && !limit_arcs(); }
};

// Takes out of a region the sets that break a condition whatever the other nodes take. False when
// a node has none left.
bool obey_outright(const Conditions &conditions, Region &region);

// Tests that the network passes, though no network passes them all that meets the conditions and
// the demands of its region. Empty when the network meets them itself.
//   A forbidden path: its arcs are there.
//   A missing path from a to b: of the ancestors of b, a not among them, none has a parent outside.
//   Too many arcs: no node has a smaller set.
std::vector<Test> broken_tests(const Conditions &conditions, const Region &region,
                               const Graph &graph);

} // namespace optbn
