#include "bag_fixtures.h"
#include "check.h"

#include "core/treewidth/within/k_tree_dp.h"
#include "core/treewidth/within/sampled_orders.h"

#include <algorithm>
#include <map>
#include <numeric>

using namespace optbn;

namespace {

Network sample(const KTree &tree, const ParentSets &candidates, unsigned orders, Random &random) {
  const Host host;
  Watch watch(host);
  const SetTrie sets(candidates, tree.k);
  return SampledOrders(candidates, sets, orders).best(tree, random, watch);
}

Network exact(const KTree &tree, const ParentSets &candidates) {
  const Host host;
  Watch watch(host);
  const SetTrie sets(candidates, tree.k);
  return KTreeDp(candidates, sets, tree.k).best(tree, watch);
}

std::vector<std::vector<Node>> parents_of(const ParentSets &candidates, const Network &network) {
  std::vector<std::vector<Node>> parents;
  for (Node v = 0; v < candidates.size(); ++v)
    parents.emplace_back(candidates.nodes[v].begin_of(network.choice[v]),
                         candidates.nodes[v].end_of(network.choice[v]));
  return parents;
}

void check_network(const KTree &tree, const ParentSets &candidates, const Network &network) {
  double score = 0;
  for (Node v = 0; v < candidates.size(); ++v)
    score += candidates.nodes[v].score[network.choice[v]];
  CHECK_NEAR(network.score, score, 1e-10);
  const std::vector<std::vector<Node>> parents = parents_of(candidates, network);
  CHECK(acyclic(parents));
  CHECK(families_in_bags(tree, parents));
}

// Every node has its best set that is in a bag together with it and comes before it; empty when
// there is none for some node.
Network network_of_order(const KTree &tree, const ParentSets &candidates,
                         const std::vector<Node> &order) {
  Network network;
  network.choice.resize(tree.nodes);
  network.score = 0;
  std::vector<bool> in_prefix(tree.nodes);
  for (const Node v : order) {
    const CandidateSets &sets = candidates.nodes[v];
    const auto usable = [&](std::size_t s) {
      for (std::size_t i = 0; i < tree.bags(); ++i) {
        const auto in_bag = [&](Node u) {
          return std::binary_search(tree.bag(i), tree.bag_end(i), u);
        };
        if (in_bag(v) && std::all_of(sets.begin_of(s), sets.end_of(s),
                                     [&](Node u) { return in_prefix[u] && in_bag(u); }))
          return true;
      }
      return false;
    };
    std::uint32_t s = 0;
    while (s < sets.size() && !usable(s))
      ++s;
    if (s == sets.size())
      return {};
    network.choice[v] = s;
    network.score += sets.score[s];
    in_prefix[v] = true;
  }
  return network;
}

} // namespace

// With one order for each k-tree, the result is the network of that order. All orders of the nodes
// are tried: the networks that occur must be theirs.
TEST(sampled_orders_give_the_networks_of_orders) {
  Random random(1);
  for (unsigned repeat = 0; repeat < 40; ++repeat) {
    const auto nodes = static_cast<Node>(1 + random.below(5));
    const KTree tree = grown_k_tree(nodes, random.below(nodes), random);
    RandomSets shape;
    shape.without_empty = repeat % 3 == 0 ? 0.3 : 0;
    const ParentSets candidates = random_sets(nodes, shape, random);
    std::map<std::vector<std::uint32_t>, unsigned> possible; // choices -> how often drawn
    std::vector<Node> order(nodes);
    std::iota(order.begin(), order.end(), Node{0});
    do
      possible[network_of_order(tree, candidates, order).choice] = 0;
    while (std::next_permutation(order.begin(), order.end()));
    for (unsigned i = 0; i < 3000; ++i) {
      const auto drawn = possible.find(sample(tree, candidates, 1, random).choice);
      CHECK(drawn != possible.end());
      if (drawn != possible.end())
        ++drawn->second;
    }
    for (const auto &[choice, count] : possible)
      CHECK(count > 0);
  }
}

// A node whose best set is all others of its only bag gets this set once in k + 1 times, wherever
// the bag is.
TEST(sampled_orders_are_uniform_within_a_bag) {
  Random random(2);
  const unsigned repeats = 6000;
  for (const unsigned k : {1u, 2u, 4u}) {
    const auto nodes = static_cast<Node>(2 * k + 3);
    const KTree tree = grown_k_tree(nodes, k, random);
    for (std::size_t i = 0; i < tree.bags(); ++i)
      for (const Node v : {tree.bag(i)[0], tree.introduced[i]}) {
        std::vector<Node> others;
        std::remove_copy(tree.bag(i), tree.bag_end(i), std::back_inserter(others), v);
        ParentSets candidates;
        candidates.nodes.resize(nodes);
        candidates.nodes[v].add(5, others.data(), others.data() + others.size());
        for (CandidateSets &sets : candidates.nodes)
          sets.add(0, nullptr, nullptr);
        double frequency = 0;
        for (unsigned repeat = 0; repeat < repeats; ++repeat)
          frequency += sample(tree, candidates, 1, random).score / 5;
        const double expected = repeats / (k + 1.0);
        CHECK_NEAR(frequency, expected, 4.5 * std::sqrt(expected));
      }
  }
}

TEST(sampled_orders_never_beat_the_dynamic_program_and_reach_it) {
  Random random(3);
  unsigned short_of_it = 0;
  for (unsigned repeat = 0; repeat < 60; ++repeat) {
    const auto nodes = static_cast<Node>(2 + random.below(13));
    const KTree tree = grown_k_tree(nodes, random.below(std::min<Node>(nodes, 6)), random);
    const ParentSets candidates = random_sets(nodes, RandomSets(), random);
    const Network found = sample(tree, candidates, 20, random);
    const double best = exact(tree, candidates).score;
    check_network(tree, candidates, found);
    CHECK(found.score <= best + 1e-10);
    short_of_it += found.score < best - 1e-10;
  }
  CHECK(short_of_it > 5);
  for (const auto &[nodes, k] :
       std::vector<std::pair<Node, unsigned>>{{1, 0}, {9, 0}, {2, 1}, {8, 1}, {6, 2}, {5, 4}})
    for (unsigned repeat = 0; repeat < 5; ++repeat) {
      const KTree tree = grown_k_tree(nodes, k, random);
      const ParentSets candidates = random_sets(nodes, RandomSets(), random);
      CHECK_NEAR(sample(tree, candidates, 4000, random).score, exact(tree, candidates).score,
                 1e-10);
    }
}

TEST(sampled_orders_differ_and_are_reproducible) {
  Random random(4);
  const KTree tree = grown_k_tree(12, 3, random);
  const ParentSets candidates = random_sets(12, RandomSets(), random);
  const SetTrie sets(candidates, 3);
  const Host host;
  Watch watch(host);
  SampledOrders orders(candidates, sets, 5);
  Random one(7), other(7);
  const Network first = orders.best(tree, one, watch);
  const Network second = orders.best(tree, one, watch);
  CHECK(first.choice != second.choice);
  // After a k-tree of another shape too.
  orders.best(grown_k_tree(12, 1, random), random, watch);
  CHECK(orders.best(tree, other, watch).choice == first.choice);
  // The best of ten is the better of five and five.
  Random again(7);
  const Network both = SampledOrders(candidates, sets, 10).best(tree, again, watch);
  CHECK_EQUAL(both.score, std::max(first.score, second.score));
}

TEST(sampled_orders_try_one_when_stopped) {
  Random random(5);
  const KTree tree = grown_k_tree(10, 3, random);
  const ParentSets candidates = random_sets(10, RandomSets(), random);
  const SetTrie sets(candidates, 3);
  const Host unlimited, stops = host_stopping_after(0, 1);
  Watch watch(unlimited), stopped(stops);
  Random one(9), other(9);
  const Network hasty = SampledOrders(candidates, sets, 1000000000).best(tree, one, stopped);
  CHECK(hasty.choice == SampledOrders(candidates, sets, 1).best(tree, other, watch).choice);
}
