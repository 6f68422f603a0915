// Random candidate sets, and slow, obvious counterparts of what the searches compute.
#pragma once

#include "core/base/random.h"
#include "core/structure/search.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <set>
#include <vector>

namespace fixtures {

using namespace optbn;

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

inline void add_set(CandidateSets &candidates, double score, std::initializer_list<Node> parents) {
  candidates.add(score, parents.begin(), parents.end());
}

// Up to `sets` sets a node, of up to `most` parents drawn from the `reach` nodes on either side, in
// a circle: a small reach makes sparse problems. Larger sets tend to score higher. Without `empty`
// a node may lack the empty set, so that some problems admit no network.
inline ParentSets random_sets(std::uint64_t seed, Node n, unsigned sets, unsigned most,
                              unsigned reach = 0, bool empty = true) {
  Random random(seed);
  ParentSets all;
  all.nodes.resize(n);
  for (Node v = 0; v < n; ++v) {
    std::set<std::vector<Node>> seen;
    if (empty || random.below(4) == 0)
      seen.insert(std::vector<Node>());
    for (unsigned i = 1; i < sets && n > 1; ++i) {
      std::set<Node> parents;
      for (unsigned wanted = 1 + random.below(most); wanted > 0; --wanted) {
        const unsigned distance = reach ? 1 + random.below(reach) : 1 + random.below(n - 1u);
        const unsigned u = random.below(2) ? v + distance : v + 2u * n - distance;
        if (u % n != v)
          parents.insert(static_cast<Node>(u % n));
      }
      seen.insert(std::vector<Node>(parents.begin(), parents.end()));
    }
    for (const std::vector<Node> &parents : seen)
      all.nodes[v].add(-20 + 3 * static_cast<double>(parents.size()) + 8 * random.uniform(),
                       parents.data(), parents.data() + parents.size());
    all.nodes[v].sort();
  }
  return all;
}

inline double total_score(const ParentSets &sets, const std::vector<std::uint32_t> &choice) {
  double total = 0;
  for (Node v = 0; v < sets.size(); ++v)
    total += sets.nodes[v].score[choice[v]];
  return total;
}

inline bool acyclic(const ParentSets &sets, const std::vector<std::uint32_t> &choice) {
  std::vector<bool> ordered(sets.size(), false);
  for (Node round = 0; round < sets.size(); ++round)
    for (Node v = 0; v < sets.size(); ++v)
      ordered[v] = ordered[v] ||
                   std::all_of(sets.nodes[v].begin_of(choice[v]), sets.nodes[v].end_of(choice[v]),
                               [&](Node u) { return ordered[u]; });
  return std::find(ordered.begin(), ordered.end(), false) == ordered.end();
}

// Every acyclic choice, best first.
inline std::vector<Network> all_networks(const ParentSets &sets) {
  std::vector<Network> networks;
  Network network;
  network.choice.assign(sets.size(), 0);
  bool more = std::all_of(sets.nodes.begin(), sets.nodes.end(),
                          [](const CandidateSets &candidates) { return candidates.size() > 0; });
  while (more) {
    if (acyclic(sets, network.choice)) {
      network.score = total_score(sets, network.choice);
      networks.push_back(network);
    }
    Node v = 0;
    while (v < sets.size() && ++network.choice[v] == sets.nodes[v].size())
      network.choice[v++] = 0;
    more = v < sets.size();
  }
  std::stable_sort(networks.begin(), networks.end(),
                   [](const Network &a, const Network &b) { return a.score > b.score; });
  return networks;
}

// The score of the best network by the recursion over its sinks, for up to about 12 nodes.
inline double optimum(const ParentSets &sets) {
  const Node n = sets.size();
  std::vector<double> best(std::size_t{1} << n, kImpossible);
  best[0] = 0;
  for (std::size_t subset = 1; subset < best.size(); ++subset)
    for (Node v = 0; v < n; ++v) {
      if (!(subset >> v & 1))
        continue;
      const CandidateSets &candidates = sets.nodes[v];
      for (std::size_t i = 0; i < candidates.size(); ++i)
        if (std::all_of(candidates.begin_of(i), candidates.end_of(i),
                        [&](Node u) { return u != v && (subset >> u & 1); })) {
          const double before = best[subset ^ (std::size_t{1} << v)];
          best[subset] = std::max(best[subset], before + candidates.score[i]);
        }
    }
  return best.back();
}

} // namespace fixtures
