#include "bag_fixtures.h"
#include "check.h"

#include "core/base/errors.h"
#include "core/base/random.h"
#include "core/graph/tree_width.h"
#include "core/graph/undirected.h"
#include "core/treewidth/exact/global_dp.h"
#include "core/treewidth/exact/subtree_dp.h"
#include "core/treewidth/exact/subtrees.h"
#include "core/treewidth/within/bag_orders.h"
#include "core/treewidth/within/k_tree_dp.h"

#include <algorithm>
#include <limits>
#include <numeric>

using namespace optbn;

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

using Parents = std::vector<std::vector<Node>>;

Parents parents_of(const ParentSets &candidates, const std::vector<std::uint32_t> &choice) {
  Parents parents;
  for (Node v = 0; v < candidates.size(); ++v)
    parents.emplace_back(candidates.nodes[v].begin_of(choice[v]),
                         candidates.nodes[v].end_of(choice[v]));
  return parents;
}

unsigned width_of(const Parents &parents) {
  const Host host;
  Watch watch(host);
  Random random(0);
  return tree_width(moral_graph(parents), 1e9, random, watch).upper;
}

// By width the score of the best network, over all of them: each bounds the next.
std::vector<double> best_by_width(const ParentSets &candidates) {
  const Node n = candidates.size();
  std::vector<double> best(n, kNever);
  std::vector<std::uint32_t> choice(n, 0);
  const bool any = std::all_of(candidates.nodes.begin(), candidates.nodes.end(),
                               [](const CandidateSets &sets) { return sets.size() > 0; });
  for (Node v = any ? 0 : n; v < n;) {
    double score = 0;
    for (Node u = 0; u < n; ++u)
      score += candidates.nodes[u].score[choice[u]];
    const Parents parents = parents_of(candidates, choice);
    if (score > best[0] && acyclic(parents))
      for (unsigned k = width_of(parents); k < n; ++k)
        best[k] = std::max(best[k], score);
    for (v = 0; v < n && ++choice[v] == candidates.nodes[v].size(); ++v)
      choice[v] = 0;
  }
  return best;
}

GlobalDpResult solve(const ParentSets &candidates, unsigned k, unsigned threads = 1,
                     GlobalDpOptions options = {}) {
  Host host;
  host.threads = threads;
  Watch watch(host);
  return global_dp(candidates, k, options, watch);
}

double most_gained(const SetTrie &sets) {
  double total = 0;
  for (Node v = 0; v < sets.size(); ++v)
    total += sets.most(v);
  return total;
}

// Without a network to begin with: by the subtrees alone.
Network solve_by_subtrees(const ParentSets &candidates, unsigned k, unsigned root,
                          const std::vector<double> &price, double cutoff = -1) {
  const Host host;
  Watch watch(host);
  const SetTrie sets(candidates, k);
  const PromisingSubtrees subtrees(gains_among_all(sets, watch), candidates.size(), k,
                                   {root, cutoff, most_gained(sets)}, watch);
  const KTree tree = SubtreeDp(sets, k, price).best(subtrees, root, cutoff, watch);
  if (tree.bags() == 0)
    return {};
  CHECK(well_formed(tree));
  return KTreeDp(candidates, sets, k).best(tree, watch);
}

void check_network(const ParentSets &candidates, const GlobalDpResult &found) {
  CHECK(found.proved);
  CHECK(well_formed(found.tree));
  const Parents parents = parents_of(candidates, found.network.choice);
  CHECK(acyclic(parents));
  CHECK(covers(found.tree, parents));
  double score = 0;
  for (Node v = 0; v < candidates.size(); ++v)
    score += candidates.nodes[v].score[found.network.choice[v]];
  CHECK_NEAR(score, found.network.score, 1e-11 * (1 + std::abs(score)));
}

} // namespace

TEST(global_dp_is_the_best_of_all_networks_of_its_width) {
  Random random(1);
  unsigned without = 0;
  for (unsigned repeat = 0; repeat < 60; ++repeat) {
    const auto nodes = static_cast<Node>(1 + random.below(5));
    RandomSets shape;
    shape.sets = 5;
    shape.without_empty = repeat % 3 == 0 ? 0.4 : 0;
    shape.distinct_scores = repeat % 2 ? 0 : 4;
    const ParentSets candidates = random_sets(nodes, shape, random);
    const std::vector<double> best = best_by_width(candidates);
    for (unsigned k = 0; k < nodes; ++k) {
      const GlobalDpResult found = solve(candidates, k);
      CHECK_EQUAL(found.network.empty(), best[k] == kNever);
      CHECK(found.proved);
      without += found.network.empty();
      if (found.network.empty())
        continue;
      CHECK_NEAR(found.network.score, best[k], 1e-12 * (1 + std::abs(best[k])));
      check_network(candidates, found);
    }
  }
  CHECK(without > 3 && without < 60);
}

TEST(subtree_dp_finds_the_best_network_from_any_root_and_at_any_prices) {
  Random random(2);
  for (unsigned repeat = 0; repeat < 40; ++repeat) {
    const auto nodes = static_cast<Node>(3 + random.below(4));
    RandomSets shape;
    shape.sets = nodes > 5 ? 4 : 6;
    shape.distinct_scores = repeat % 2 ? 0 : 4;
    const ParentSets candidates = random_sets(nodes, shape, random);
    const std::vector<double> best = best_by_width(candidates);
    for (unsigned k = 1; k + 1 < nodes; ++k) {
      std::vector<double> price;
      for (Node v = 0; v < nodes; ++v)
        price.push_back(10 * random.uniform());
      const Network found = solve_by_subtrees(candidates, k, random.below(nodes), price);
      CHECK_NEAR(found.score, best[k], 1e-12 * (1 + std::abs(best[k])));
    }
  }
}

// The cutoff is exact: a network above it is found, whatever is pruned.
TEST(subtree_dp_finds_networks_above_the_cutoff_and_no_others) {
  Random random(3);
  for (unsigned repeat = 0; repeat < 12; ++repeat) {
    const Node nodes = 8;
    const ParentSets candidates = random_sets(nodes, RandomSets(), random);
    for (unsigned k = 1; k <= 3; ++k) {
      const SetTrie sets(candidates, k);
      const std::vector<double> price(nodes, 2);
      const Network best = solve_by_subtrees(candidates, k, 0, price);
      const double gain = best.score - sets.baseline_sum();
      for (const double below : {1e-9, 1e-3, 1.0}) {
        const unsigned root = random.below(nodes);
        const Network above = solve_by_subtrees(candidates, k, root, price, gain - below);
        CHECK_NEAR(above.score, best.score, 1e-11);
      }
      CHECK(solve_by_subtrees(candidates, k, 0, price, gain + 1e-9).empty());
    }
  }
}

TEST(global_dp_without_a_bound_is_the_unbounded_optimum_and_grows_with_the_bound) {
  Random random(4);
  for (unsigned repeat = 0; repeat < 6; ++repeat) {
    const Node nodes = 6;
    const ParentSets candidates = random_sets(nodes, RandomSets(), random);
    double last = kNever;
    for (unsigned k = 0; k <= nodes; ++k) {
      const GlobalDpResult found = solve(candidates, k);
      check_network(candidates, found);
      CHECK(found.network.score >= last - 1e-11);
      last = found.network.score;
    }
    CHECK_NEAR(last, best_over_subsets(whole_problem(candidates)), 1e-11);
  }
}

TEST(global_dp_does_not_depend_on_names) {
  Random random(5);
  const Node nodes = 10;
  const ParentSets candidates = random_sets(nodes, RandomSets(), random);
  std::vector<Node> name(nodes);
  std::iota(name.begin(), name.end(), Node{0});
  for (unsigned k = 2; k <= 3; ++k) {
    const double score = solve(candidates, k).network.score;
    for (unsigned repeat = 0; repeat < 3; ++repeat) {
      random.shuffle(name);
      CHECK_NEAR(solve(renamed(candidates, name), k).network.score, score, 1e-10);
    }
  }
}

TEST(global_dp_does_not_depend_on_threads) {
  Random random(6);
  const ParentSets candidates = random_sets(9, RandomSets(), random);
  for (unsigned k = 1; k <= 3; ++k) {
    const GlobalDpResult one = solve(candidates, k);
    for (const unsigned threads : {2u, 3u}) {
      const GlobalDpResult more = solve(candidates, k, threads);
      CHECK(more.network.choice == one.network.choice);
      CHECK(more.tree.members == one.tree.members);
      CHECK_EQUAL(more.subtrees, one.subtrees);
      CHECK_EQUAL(more.tabulated, one.tabulated);
    }
  }
}

TEST(global_dp_uses_a_known_k_tree_and_bound) {
  Random random(7);
  const ParentSets candidates = random_sets(9, RandomSets(), random);
  const GlobalDpResult plain = solve(candidates, 2);
  GlobalDpOptions options;
  options.start = grown_k_tree(9, 2, random);
  CHECK_NEAR(solve(candidates, 2, 1, options).network.score, plain.network.score, 1e-11);
  options.bound = plain.network.score;
  const GlobalDpResult at_once = solve(candidates, 2, 1, options);
  CHECK_NEAR(at_once.network.score, plain.network.score, 1e-11);
  CHECK(at_once.proved);
  CHECK_EQUAL(at_once.subtrees, 0);
}

TEST(global_dp_stops_when_asked_whatever_the_threads) {
  Random random(8);
  const ParentSets candidates = random_sets(13, RandomSets(), random);
  unsigned early = 0;
  for (const unsigned threads : {1u, 3u})
    for (int polls = 0; polls < 4; ++polls) {
      const Host host = host_stopping_after(polls, threads);
      Watch watch(host);
      const GlobalDpResult found = global_dp(candidates, 3, {}, watch);
      early += !found.proved;
      CHECK(found.proved || watch.stopped());
      CHECK(!found.network.empty() &&
            covers(found.tree, parents_of(candidates, found.network.choice)));
    }
  CHECK(early > 0);
}

TEST(global_dp_refuses_what_exceeds_its_limits) {
  Random random(9);
  const ParentSets candidates = random_sets(12, RandomSets(), random);
  GlobalDpOptions options;
  options.memory_limit = global_dp_bytes(12, 3, 1) - 1;
  CHECK_THROWS(solve(candidates, 3, 1, options), MemoryLimit);
  options.memory_limit = global_dp_bytes(12, 3, 1) + 100; // nothing is left for subtrees
  CHECK_THROWS(solve(candidates, 3, 1, options), MemoryLimit);
  CHECK_THROWS(solve(random_sets(kGlobalDpNodes + 1, RandomSets(), random), 2), Error);
  CHECK(global_dp_bytes(20, 3, 1) > global_dp_bytes(19, 3, 1));
  CHECK(global_dp_bytes(20, 3, 2) > global_dp_bytes(20, 3, 1));
  CHECK(global_dp_steps(20, 3) > global_dp_steps(20, 2));
  CHECK(solve(ParentSets(), 2).proved);
}

// Against all orders of the nodes of a side and the separator.
TEST(separated_gains_are_the_best_over_orders_that_agree_with_that_of_the_separator) {
  Random random(10);
  const unsigned nodes = 6, k = 2;
  const ParentSets candidates = random_sets(nodes, RandomSets(), random);
  const SetTrie sets(candidates, nodes);
  const Host host;
  Watch watch(host);
  const std::vector<float> gains = gains_among_all(sets, watch);
  SeparatedGains separated(gains, nodes, k);
  const NodeMask separator = mask_of(1) | mask_of(4);
  separated.separate(separator, watch);
  CHECK_EQUAL(separated.orders(), BagOrders(k).count());
  for (NodeMask side = 0; side < mask_of(nodes - k); ++side) {
    const NodeMask all = expanded(side, separator) | separator;
    CHECK_EQUAL(compressed(all & ~separator, separator), side);
    std::vector<unsigned> order;
    for (unsigned v = 0; v < nodes; ++v)
      if (all & mask_of(v))
        order.push_back(v);
    double best[2][4] = {};
    do {
      const bool reversed =
          std::find(order.begin(), order.end(), 4u) < std::find(order.begin(), order.end(), 1u);
      for (std::uint32_t assigned = 0; assigned < 4; ++assigned) {
        double gain = 0;
        NodeMask before = 0;
        for (const unsigned v : order) {
          if (!(selected(separator, assigned) & mask_of(v)))
            gain += gains[std::size_t{before} * nodes + v];
          before |= mask_of(v);
        }
        best[reversed][assigned] = std::max(best[reversed][assigned], gain);
      }
    } while (std::next_permutation(order.begin(), order.end()));
    for (std::size_t r = 0; r < 2; ++r)
      for (std::uint32_t assigned = 0; assigned < 4; ++assigned)
        CHECK_NEAR(separated.gain(side, r)[assigned], best[r][assigned],
                   SeparatedGains::rounding_error(nodes, most_gained(sets)));
  }
}
