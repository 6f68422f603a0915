#include "bag_fixtures.h"
#include "check.h"

#include "core/base/errors.h"
#include "core/treewidth/within/bag_orders.h"
#include "core/treewidth/within/k_tree_dp.h"

#include <algorithm>
#include <numeric>

using namespace optbn;

namespace {

Network solve(const KTree &tree, const ParentSets &candidates) {
  Host host;
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

// The best of v's sets that are in a bag together with v and in the prefix.
double best_within(const KTree &tree, const CandidateSets &sets, Node v,
                   const std::vector<bool> &in_prefix) {
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t s = 0; s < sets.size(); ++s)
    for (std::size_t i = 0; i < tree.bags(); ++i) {
      const auto usable = [&](Node u) {
        return std::binary_search(tree.bag(i), tree.bag_end(i), u) && (u == v || in_prefix[u]);
      };
      if (usable(v) && std::all_of(sets.begin_of(s), sets.end_of(s), usable))
        best = std::max(best, sets.score[s]);
    }
  return best;
}

// Over all orders of the nodes.
double best_by_orders(const KTree &tree, const ParentSets &candidates) {
  std::vector<Node> order(tree.nodes);
  std::iota(order.begin(), order.end(), Node{0});
  double best = -std::numeric_limits<double>::infinity();
  do {
    std::vector<bool> in_prefix(tree.nodes);
    double score = 0;
    for (const Node v : order) {
      score += best_within(tree, candidates.nodes[v], v, in_prefix);
      in_prefix[v] = true;
    }
    best = std::max(best, score);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

} // namespace

TEST(k_tree_dp_is_the_best_over_all_orders) {
  Random random(1);
  unsigned without = 0;
  for (unsigned repeat = 0; repeat < 120; ++repeat) {
    const auto nodes = static_cast<Node>(1 + random.below(6));
    const KTree tree = grown_k_tree(nodes, random.below(nodes), random);
    RandomSets shape;
    shape.without_empty = repeat % 3 == 0 ? 0.3 : 0;
    shape.distinct_scores = repeat % 2 ? 0 : 4;
    const ParentSets candidates = random_sets(nodes, shape, random);
    const double best = best_by_orders(tree, candidates);
    const Network found = solve(tree, candidates);
    CHECK_EQUAL(found.empty(), best == -std::numeric_limits<double>::infinity());
    if (found.empty()) {
      ++without;
      continue;
    }
    CHECK_NEAR(found.score, best, 1e-12 * (1 + std::abs(best)));
    const std::vector<std::vector<Node>> parents = parents_of(candidates, found);
    CHECK(acyclic(parents));
    CHECK(families_in_bags(tree, parents));
  }
  CHECK(without > 3 && without < 60);
}

TEST(k_tree_dp_with_one_bag_is_the_unbounded_optimum) {
  Random random(2);
  for (Node nodes = 1; nodes <= 7; ++nodes) {
    const ParentSets candidates = random_sets(nodes, RandomSets(), random);
    const Network found = solve(grown_k_tree(nodes, nodes - 1u, random), candidates);
    CHECK_NEAR(found.score, best_over_subsets(whole_problem(candidates)), 1e-11);
  }
}

// k-trees too large for enumeration: invariance.
TEST(k_tree_dp_does_not_depend_on_names_or_on_the_root) {
  Random random(3);
  for (unsigned k = 0; k <= 5; ++k) {
    const Node nodes = 14;
    const KTree tree = grown_k_tree(nodes, k, random);
    const ParentSets candidates = random_sets(nodes, RandomSets(), random);
    const double score = solve(tree, candidates).score;
    std::vector<Node> name(nodes);
    std::iota(name.begin(), name.end(), Node{0});
    for (unsigned repeat = 0; repeat < 3; ++repeat) {
      random.shuffle(name);
      CHECK_NEAR(solve(renamed(tree, name), renamed(candidates, name)).score, score, 1e-10);
      CHECK_NEAR(
          solve(rooted_at(tree, random.below(static_cast<std::uint32_t>(tree.bags()))), candidates)
              .score,
          score, 1e-10);
    }
  }
}

TEST(k_tree_dp_stops_when_asked) {
  Random random(4);
  const KTree tree = grown_k_tree(10, 3, random);
  const ParentSets candidates = random_sets(10, RandomSets(), random);
  const Host host = host_stopping_after(0, 1);
  Watch watch(host);
  const SetTrie sets(candidates, 3);
  CHECK(KTreeDp(candidates, sets, 3).best(tree, watch).empty());
  CHECK_THROWS(KTreeDp(candidates, sets, kLargestDpWidth + 1), Error);
}

TEST(bag_orders_have_predecessors_and_orders_without_a_member) {
  for (unsigned size = 1; size <= 5; ++size) {
    const BagOrders orders(size), fewer(size - 1);
    std::vector<unsigned> order(size);
    std::iota(order.begin(), order.end(), 0u);
    for (std::size_t r = 0; r < orders.count(); ++r) {
      for (unsigned i = 0; i < size; ++i) {
        unsigned before = 0;
        for (unsigned p = 0; order[p] != i; ++p)
          before |= 1u << order[p];
        CHECK_EQUAL(orders.before(i)[r], before);
        // The rest, renumbered, is in the same order.
        const std::size_t rest = orders.without(i)[r];
        CHECK(rest < fewer.count());
        for (unsigned j = 0; j < size; ++j)
          if (j != i) {
            const unsigned left = orders.before(j)[r] & ~(1u << i);
            const unsigned low = (1u << i) - 1;
            CHECK_EQUAL(fewer.before(j - (j > i))[rest], (left & low) | (left >> 1 & ~low));
          }
      }
      std::next_permutation(order.begin(), order.end());
    }
    CHECK(std::is_sorted(order.begin(), order.end())); // all orders have been seen
  }
}
