// Conditions: demands on a network as a whole, which no node's candidate sets can express.
//
// A search meets them by cutting regions (region.h) where a best network breaks them.
//   A path from a to b that must be: a stands before b. Where the path is missing, one way to make
//   it is taken, and the networks are told apart by which of its arcs is the first that they lack.
//   A path from a to b that must not be: exactly then could b stand before a, an arc from b to a
//   closing no cycle. Of several such arcs each may be possible, though not all at once: a network
//   that the arc b -> a would make cyclic only with those demanded before has a path from a to
//   where the first of them begins, and one to b from where the last of them ends.
//   At most so many arcs: where there are more, some node must take a smaller set.
#pragma once

#include "core/structure/constraints/region_bound.h"

#include <limits>
#include <optional>
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

bool meets(const Conditions &conditions, const Graph &graph);

// The region of all networks, less what breaks a condition whatever the other nodes take; none if
// nothing is left.
std::optional<Region> region_under(const Conditions &conditions, const ParentSets &sets);

// Cuts a region where one of its networks breaks a condition or a demand of the region: the parts
// hold all others that do not. They do not hold this one, or say of its path that it is `open`, so
// that the next cut takes it out. False when it breaks none. `bound`: of a region around this one.
bool cut_where_broken(const Conditions &conditions, const Region &region, const Graph &graph,
                      const RegionBound &bound, std::vector<Region> &parts);

// Regions in which what is broken is mended by a small change to the network. They need not hold
// all that is possible, and may overlap. None when nothing is broken.
std::vector<Region> mended(const Conditions &conditions, const Region &region, const Graph &graph,
                           const RegionBound &bound);

} // namespace optbn
