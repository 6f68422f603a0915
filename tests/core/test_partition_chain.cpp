#include "check.h"

#include "core/base/log_sum.h"
#include "core/posterior/network_posterior.h"
#include "core/posterior/partition_chain.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

using namespace optbn;

namespace {

// Sets of each node, the empty one among them, their scores not in order.
ParentSets random_sets(std::uint64_t seed, Node nodes, double spread, double share) {
  Random random(seed);
  ParentSets sets;
  for (Node v = 0; v < nodes; ++v) {
    CandidateSets candidates;
    for (std::uint32_t mask = 0; mask < 1u << nodes; ++mask) {
      std::vector<Node> parents;
      for (Node u = 0; u < nodes; ++u)
        if (mask >> u & 1)
          parents.push_back(u);
      if (!(mask >> v & 1) && parents.size() <= 3 && (mask == 0 || random.uniform() < share))
        candidates.add(spread * (random.uniform() - 0.5), parents.data(),
                       parents.data() + parents.size());
    }
    sets.nodes.push_back(std::move(candidates));
  }
  return sets;
}

// The largest difference between a share and an exact probability of a set, in standard errors of
// independent draws.
double worst_error(const ParentSets &sets, const std::vector<Choice> &networks) {
  const Host host;
  Watch watch(host);
  const NetworkPosterior exact = NetworkPosterior::of_graphs(sets, 1e9, watch);
  const auto count = static_cast<double>(networks.size());
  double worst = 0;
  for (Node v = 0; v < sets.size(); ++v) {
    std::vector<double> share(sets.nodes[v].size(), 0);
    for (const Choice &choice : networks)
      share[choice[v]] += 1 / count;
    for (std::size_t i = 0; i < share.size(); ++i) {
      const double p = exact.probabilities()[v][i];
      worst =
          std::max(worst, std::abs(share[i] - p) / std::sqrt((p * (1 - p) + 1 / count) / count));
    }
  }
  return worst;
}

// After each network so many moves of nodes and reversals.
std::vector<Choice> sample(const ParentSets &sets, std::size_t count, unsigned moves,
                           unsigned reversals) {
  const FamilyIndex families(sets);
  PartitionChain chain(families, 1);
  std::vector<Choice> networks;
  while (networks.size() < count) {
    for (unsigned i = 0; i < moves; ++i)
      chain.move();
    chain.reverse(reversals);
    networks.push_back(chain.draw());
  }
  return networks;
}

} // namespace

TEST(partition_chains_have_the_exact_distribution) {
  for (Node nodes = 1; nodes <= 5; ++nodes)
    for (const double spread : {0.0, 4.0, 12.0}) {
      const ParentSets sets = random_sets(nodes, nodes, spread, 0.8);
      CHECK(worst_error(sets, sample(sets, 20000, 3 * nodes, 0)) < 6);
    }
}

TEST(reversals_of_arcs_keep_the_distribution) {
  for (Node nodes = 2; nodes <= 5; ++nodes)
    for (const double spread : {0.0, 4.0}) {
      const ParentSets sets = random_sets(10u + nodes, nodes, spread, 0.8);
      CHECK(worst_error(sets, sample(sets, 20000, 1, 4 * nodes)) < 7);
    }
}

// Nodes that cannot have the one that moves as a parent keep their own parents.
TEST(partition_chains_with_few_possible_parents_have_the_exact_distribution) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const Node nodes = 6;
    ParentSets sets = random_sets(20 + seed, nodes, 4, 1);
    for (Node v = 0; v < nodes; ++v) {
      const CandidateSets all = sets.nodes[v];
      CandidateSets few;
      const auto possible = [&](Node u) {
        return (u + 1) % nodes == v || (u + 2 + seed % 2) % nodes == v;
      };
      for (std::uint32_t i = 0; i < all.size(); ++i)
        if (std::all_of(all.begin_of(i), all.end_of(i), possible))
          few.add(all.score[i], all.begin_of(i), all.end_of(i));
      sets.nodes[v] = few;
    }
    CHECK(worst_error(sets, sample(sets, 20000, 3 * nodes, 0)) < 6);
    CHECK(worst_error(sets, sample(sets, 20000, nodes, nodes)) < 6);
  }
}

TEST(layers_are_those_of_the_networks_drawn) {
  const ParentSets sets = random_sets(3, 8, 5, 0.4);
  const FamilyIndex families(sets);
  PartitionChain chain(families, 2);
  for (int i = 0; i < 300; ++i) {
    chain.move();
    chain.reverse(2);
    const Choice choice = chain.draw();
    for (Node v = 0; v < 8; ++v) {
      std::uint32_t highest = 0;
      for (const Node *u = sets.nodes[v].begin_of(choice[v]); u != sets.nodes[v].end_of(choice[v]);
           ++u)
        highest = std::max(highest, chain.layers()[*u]);
      CHECK_EQUAL(chain.layers()[v], highest + 1);
    }
  }
}

// Weights that no double holds, sets without weight, and arcs that must be there.
TEST(partition_chains_bear_any_weights) {
  ParentSets sets = random_sets(5, 6, 50000, 0.6);
  for (CandidateSets &candidates : sets.nodes)
    candidates.score[candidates.size() / 2] = kLogZero;
  sets.nodes[0].score[0] = kLogZero; // it needs a parent
  for (double &score : sets.nodes[1].score)
    score += 1e300; // beyond what a float holds
  for (const Choice &choice : sample(sets, 200, 6, 1)) {
    Graph parents;
    for (Node v = 0; v < 6; ++v) {
      const CandidateSets &candidates = sets.nodes[v];
      CHECK(candidates.score[choice[v]] > kLogZero);
      parents.emplace_back(candidates.begin_of(choice[v]), candidates.end_of(choice[v]));
    }
    CHECK(is_acyclic(parents));
    CHECK(!parents[0].empty());
  }
}

TEST(chains_are_reproducible_and_of_the_length_asked_for) {
  const ParentSets sets = random_sets(7, 6, 4, 0.6);
  const FamilyIndex families(sets);
  const Host host;
  Watch watch(host);
  const ChainLength length{10, 3, 25};
  const std::vector<Choice> first = run_chain(families, 4, length, watch);
  CHECK_EQUAL(first.size(), 25u);
  CHECK(first == run_chain(families, 4, length, watch));
  CHECK(first != run_chain(families, 5, length, watch));
}
