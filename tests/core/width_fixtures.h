// Slow, obvious counterparts of bounds on networks of bounded tree-width.
#pragma once

#include "search_fixtures.h"

#include "core/base/bit_set.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace fixtures {

using namespace optbn;

using Adjacency = std::vector<std::uint32_t>; // node -> its neighbours as a mask

// By the recursion over the last node that an order eliminates of each subset: its bag is what it
// reaches through the nodes eliminated before it.
inline unsigned slow_width(const Adjacency &neighbours) {
  const unsigned n = static_cast<unsigned>(neighbours.size());
  std::vector<unsigned> width(std::size_t{1} << n, ~0u);
  width[0] = 0;
  for (std::uint32_t set = 1; set < width.size(); ++set)
    for (unsigned v = 0; v < n; ++v) {
      if (!(set >> v & 1))
        continue;
      const std::uint32_t before = set ^ 1u << v;
      std::uint32_t reached = 1u << v;
      for (bool more = true; more;) {
        std::uint32_t next = reached;
        for (unsigned u = 0; u < n; ++u)
          if (reached >> u & 1 && (u == v || before >> u & 1))
            next |= neighbours[u];
        more = next != reached;
        reached = next;
      }
      const unsigned bag = count_bits(reached & ~before & ~(1u << v));
      width[set] = std::min(width[set], std::max(width[before], bag));
    }
  return width.back();
}

inline Adjacency moral_adjacency(const ParentSets &sets, const std::vector<std::uint32_t> &choice) {
  Adjacency neighbours(sets.size(), 0);
  for (Node v = 0; v < sets.size(); ++v) {
    std::uint32_t family = 1u << v;
    for (const Node *u = sets.nodes[v].begin_of(choice[v]); u != sets.nodes[v].end_of(choice[v]);
         ++u)
      family |= 1u << *u;
    for (unsigned u = 0; u < sets.size(); ++u)
      if (family >> u & 1)
        neighbours[u] |= family & ~(1u << u);
  }
  return neighbours;
}

// Every network of tree-width at most k, best first.
inline std::vector<Network> narrow_networks(const ParentSets &sets, unsigned k) {
  std::vector<Network> networks = all_networks(sets);
  networks.erase(std::remove_if(networks.begin(), networks.end(),
                                [&](const Network &network) {
                                  return slow_width(moral_adjacency(sets, network.choice)) > k;
                                }),
                 networks.end());
  return networks;
}

} // namespace fixtures
