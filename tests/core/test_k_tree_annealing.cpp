#include "bag_fixtures.h"
#include "check.h"

#include "core/graph/elimination.h"
#include "core/structure/graph.h"
#include "core/treewidth/annealing/k_tree_annealing.h"
#include "core/treewidth/annealing/k_tree_growth.h"
#include "core/treewidth/codes/dandelion.h"
#include "core/treewidth/within/k_tree_dp.h"

#include <cmath>

using namespace optbn;

namespace {

double best_score_within(const KTree &tree, const ParentSets &candidates) {
  return best_within(tree, candidates, SetTrie(candidates, tree.k)).score;
}

// visit(code) for every Dandelion code.
template <class Visit> void for_each_code(Node nodes, unsigned k, Visit visit) {
  DandelionCode code{nodes, k, {}, {}};
  const std::size_t rows = nodes - k - 2u, choices = std::size_t{k} * (nodes - k) + 1;
  std::size_t all_rows = 1;
  for (std::size_t i = 0; i < rows; ++i)
    all_rows *= choices;
  for (unsigned mask = 0; mask < 1u << nodes; ++mask) {
    code.q.clear();
    for (Node v = 0; v < nodes; ++v)
      if (mask >> v & 1)
        code.q.push_back(v);
    if (code.q.size() != k)
      continue;
    for (std::size_t number = 0; number < all_rows; ++number) {
      code.rows.clear();
      for (std::size_t i = 0, rest = number; i < rows; ++i, rest /= choices) {
        const std::size_t row = rest % choices;
        code.rows.push_back(row == 0 ? DandelionCode::Row{}
                                     : DandelionCode::Row{static_cast<Node>((row - 1) / k + 1),
                                                          static_cast<Node>((row - 1) % k + 1)});
      }
      visit(code);
    }
  }
}

KTreeAnnealingResult search(const ParentSets &candidates, unsigned k, unsigned threads,
                            KTreeAnnealingOptions options = {}) {
  Host host;
  host.threads = threads;
  Watch watch(host);
  return k_tree_annealing(candidates, k, options, watch);
}

} // namespace

TEST(grown_k_trees_are_k_trees_of_all_nodes) {
  Random random(2);
  for (unsigned repeat = 0; repeat < 60; ++repeat) {
    const auto nodes = static_cast<Node>(1 + random.below(20));
    const unsigned k = random.below(std::min<unsigned>(nodes, 6));
    const ParentSets candidates = random_sets(nodes, RandomSets(), random);
    const SetTrie sets(candidates, k);
    KTreeGrower grower(sets, k);
    const KTree tree = grower.grow(random.uniform(), random);
    CHECK(well_formed(tree));
    CHECK_EQUAL(tree.nodes, nodes);
    if (tree.bags() < 2)
      continue;
    const auto count = 1 + random.below(static_cast<std::uint32_t>(tree.bags() - 1));
    const KTree again = grower.regrow(tree, count, random.below(2), random);
    CHECK(well_formed(again));
    CHECK_EQUAL(again.nodes, nodes);
  }
}

TEST(a_k_tree_around_a_graph_of_small_width_contains_it) {
  Random random(3);
  Host host;
  Watch watch(host);
  unsigned wide = 0;
  for (unsigned repeat = 0; repeat < 60; ++repeat) {
    const auto nodes = static_cast<Node>(2 + random.below(15));
    const unsigned k = random.below(std::min<unsigned>(nodes, 5));
    std::vector<std::vector<Node>> parents(nodes); // of a random network
    for (Node v = 1; v < nodes; ++v)
      for (Node u = 0; u < v; ++u)
        if (random.uniform() < 1.5 / v)
          parents[v].push_back(u);
    const UndirectedGraph graph = moral_graph(parents);
    const Elimination found =
        best_elimination_order(graph, {}, EliminationGoal::width, random, watch);
    const ParentSets candidates = random_sets(nodes, RandomSets(), random);
    const SetTrie sets(candidates, k);
    const KTree tree = KTreeGrower(sets, k).around(graph, found.order, random);
    CHECK(well_formed(tree));
    if (found.cost.width <= k)
      CHECK(covers(tree, parents));
    wide += found.cost.width > k;
  }
  CHECK(wide > 10 && wide < 50);
}

TEST(k_tree_annealing_finds_the_best_of_all_k_trees) {
  Random random(4);
  for (const unsigned k : {1u, 2u, 3u}) {
    const ParentSets candidates = random_sets(6, RandomSets(), random);
    double best = -std::numeric_limits<double>::infinity();
    for_each_code(6, k, [&](const DandelionCode &code) {
      best = std::max(best, best_score_within(decode(code), candidates));
    });
    const KTreeAnnealingResult found = search(candidates, k, 1);
    CHECK_NEAR(found.network.score, best, 1e-9);
    CHECK(well_formed(found.tree));
    CHECK_NEAR(found.improvements.back().score, best, 1e-9);
  }
}

TEST(k_tree_annealing_does_not_depend_on_threads) {
  Random random(5);
  const ParentSets candidates = random_sets(15, RandomSets(), random);
  KTreeAnnealingOptions options;
  options.iterations = 20000;
  const KTreeAnnealingResult one = search(candidates, 2, 1, options);
  const KTreeAnnealingResult two = search(candidates, 2, 2, options);
  CHECK(one.network.choice == two.network.choice);
  CHECK(one.tree.members == two.tree.members);
  CHECK_EQUAL(one.steps, two.steps);
}

TEST(k_tree_annealing_begins_with_a_given_k_tree_and_ends_at_the_target) {
  Random random(6);
  const ParentSets candidates = random_sets(12, RandomSets(), random);
  const KTreeAnnealingResult found = search(candidates, 2, 1);
  KTreeAnnealingOptions options;
  options.start = found.tree;
  options.target = found.network.score;
  const KTreeAnnealingResult again = search(candidates, 2, 1, options);
  CHECK_EQUAL(again.steps, 0.0);
  CHECK_NEAR(again.network.score, found.network.score, 1e-9);
}

TEST(k_tree_annealing_handles_forced_sets_and_wide_k_trees) {
  Random random(8);
  RandomSets shape;
  shape.without_empty = 0.5;
  KTreeAnnealingOptions options;
  options.iterations = 20000;
  unsigned found = 0;
  for (const unsigned k : {2u, 3u, 7u, 12u}) {
    const ParentSets candidates = random_sets(14, shape, random);
    const KTreeAnnealingResult result = search(candidates, k, 1, options);
    CHECK(well_formed(result.tree));
    CHECK_EQUAL(result.tree.k, k);
    if (result.network.empty())
      continue;
    ++found;
    CHECK(covers(result.tree, graph_of(candidates, result.network)));
    CHECK(acyclic(graph_of(candidates, result.network)));
  }
  CHECK(found >= 3);
}

TEST(k_tree_annealing_that_is_stopped_has_a_network) {
  Random random(7);
  const ParentSets candidates = random_sets(12, RandomSets(), random);
  const Host host = host_stopping_after(0, 1);
  Watch watch(host);
  const KTreeAnnealingResult found = k_tree_annealing(candidates, 3, {}, watch);
  CHECK(!found.network.empty());
  CHECK(watch.reason() == StopReason::interrupt);
}
