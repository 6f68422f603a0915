#include "check.h"
#include "width_fixtures.h"

#include "core/structure/domains.h"
#include "core/treewidth/cuts/pair_cut.h"
#include "core/treewidth/cuts/width_cuts.h"

using namespace optbn;
using namespace fixtures;

namespace {

std::vector<BitSet<1>> sets_of(const ParentSets &sets, const Network &network) {
  std::vector<BitSet<1>> chosen(sets.size());
  for (Node v = 0; v < sets.size(); ++v) {
    const std::uint32_t i = network.choice[v];
    for (const Node *u = sets.nodes[v].begin_of(i); u != sets.nodes[v].end_of(i); ++u)
      chosen[v].insert(*u);
  }
  return chosen;
}

// A mixture of some networks, with random weights.
FractionalNetwork<1> mixture(const std::vector<std::vector<BitSet<1>>> &networks, Random &random) {
  FractionalNetwork<1> mixed;
  mixed.support.resize(networks.front().size());
  double left = 1;
  for (std::size_t i = 0; i < networks.size(); ++i) {
    const double weight = i + 1 < networks.size() ? left * random.uniform() : left;
    left -= weight;
    for (Node v = 0; v < mixed.size(); ++v)
      mixed.support[v].push_back({networks[i][v], weight});
  }
  return mixed;
}

unsigned lhs(const Limit<1> &limit, const std::vector<BitSet<1>> &sets) {
  unsigned sum = 0;
  for (Node v = 0; v < sets.size(); ++v)
    sum += limit.weight_of(v, sets[v]);
  return sum;
}

double lhs(const Limit<1> &limit, const FractionalNetwork<1> &network) {
  double sum = 0;
  for (Node v = 0; v < network.size(); ++v)
    for (const auto &weighted : network.support[v])
      sum += weighted.weight * limit.weight_of(v, weighted.set);
  return sum;
}

std::vector<Limit<1>> violated(unsigned k, const FractionalNetwork<1> &network, Random &random) {
  const Host host;
  Watch watch(host);
  double work = 0;
  return WidthCuts<1>(k).violated(network, random, work, watch);
}

bool admits(unsigned k, const std::vector<BitSet<1>> &sets) {
  const Host host;
  Watch watch(host);
  return WidthCuts<1>(k).admits(sets, watch);
}

} // namespace

// Of mixtures of wide networks. With 7 nodes nothing is contracted, with 9 at least two pairs are.
TEST(width_cuts_hold_in_every_narrow_network_and_are_violated) {
  Random random(1);
  unsigned limits = 0, excluded = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const unsigned k = 1 + seed % 2;
    const ParentSets sets = seed % 3 ? random_sets(seed, 9, 3, 3, 2) : random_sets(seed, 7, 4, 3);
    std::vector<std::vector<BitSet<1>>> networks;
    std::vector<bool> wide;
    for (const Network &network : all_networks(sets)) {
      networks.push_back(sets_of(sets, network));
      wide.push_back(!admits(k, networks.back()));
    }
    for (unsigned trial = 0; trial < 3; ++trial) {
      std::vector<std::vector<BitSet<1>>> some;
      for (unsigned attempt = 0; attempt < 100 && some.size() <= trial; ++attempt) {
        const auto i = random.below(static_cast<std::uint32_t>(networks.size()));
        if (wide[i])
          some.push_back(networks[i]);
      }
      if (some.empty())
        continue;
      const FractionalNetwork<1> network = mixture(some, random);
      for (const Limit<1> &limit : violated(k, network, random)) {
        ++limits;
        CHECK(lhs(limit, network) > limit.most);
        bool holds = true;
        for (std::size_t i = 0; i < networks.size(); ++i) {
          const bool exceeds = lhs(limit, networks[i]) > limit.most;
          excluded += exceeds;
          holds = holds && (wide[i] || !exceeds);
        }
        CHECK(holds);
      }
    }
  }
  CHECK(limits > 200);
  CHECK(excluded > 10000);
}

// A long cycle is of width 2 only because it can be contracted to a triangle.
TEST(width_cuts_contract_long_cycles) {
  Random random(3);
  std::vector<BitSet<1>> sets(20);
  for (Node v = 1; v < 20; ++v)
    sets[v].insert(v - 1);
  CHECK(violated(1, mixture({sets}, random), random).empty());
  CHECK(admits(1, sets));
  sets[19].insert(0); // a cycle, and a pair that is joined as parents
  CHECK(!admits(1, sets));
  CHECK(admits(2, sets));
  unsigned whole = 0;
  for (const Limit<1> &limit : violated(1, mixture({sets}, random), random))
    whole += lhs(limit, sets) == limit.most + 1;
  CHECK(whole > 0);
}

TEST(width_cuts_admit_narrow_networks_only) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const ParentSets sets = random_sets(seed, 6, 4, 3);
    for (const Network &network : all_networks(sets))
      for (unsigned k = 1; k <= 3; ++k)
        if (admits(k, sets_of(sets, network)) !=
            (slow_width(moral_adjacency(sets, network.choice)) <= k)) {
          CHECK(false);
          return;
        }
  }
}

// Whole weights of a wide network always violate a limit when all of its nodes fit into a minor.
TEST(width_cuts_exclude_every_small_wide_network) {
  Random random(4);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const ParentSets sets = random_sets(seed, 7, 3, 3);
    const std::vector<Network> networks = all_networks(sets);
    for (unsigned trial = 0; trial < 20; ++trial) {
      const Network &network = networks[random.below(static_cast<std::uint32_t>(networks.size()))];
      const std::vector<BitSet<1>> chosen = sets_of(sets, network);
      const unsigned k = 1 + trial % 3;
      const bool wide = slow_width(moral_adjacency(sets, network.choice)) > k;
      CHECK_EQUAL(!violated(k, mixture({chosen}, random), random).empty(), wide);
    }
  }
}
