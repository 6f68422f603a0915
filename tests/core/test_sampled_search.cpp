#include "bag_fixtures.h"
#include "check.h"
#include "search_fixtures.h"

#include "core/treewidth/sampling/sampled_search.h"
#include "core/treewidth/within/k_tree_dp.h"

#include <algorithm>
#include <numeric>

using namespace optbn;

namespace {

using Options = SampledSearchOptions;

constexpr Options::Refine kRefinements[] = {Options::Refine::none, Options::Refine::hill_climb,
                                            Options::Refine::probabilistic,
                                            Options::Refine::a_star};
constexpr Options::Inner kInner[] = {Options::Inner::exact, Options::Inner::sampled_orders};

// What two nodes gain from each other, in place of the mutual information of data.
MutualInformation information_of(const ParentSets &candidates) {
  const Node n = candidates.size();
  const SetTrie sets(candidates, 1);
  MutualInformation table{n, std::vector<double>(std::size_t{n} * n, 0)};
  for (Node v = 0; v < n; ++v)
    for (Node u = 0; u < n; ++u)
      if (u != v)
        sets.for_each_within(v, &u, 1, [&](double gain, std::uint32_t, std::uint32_t) {
          double &value = table.value[std::size_t{v} * n + u];
          value = table.value[std::size_t{u} * n + v] =
              std::max({value, gain, table.value[std::size_t{u} * n + v]});
        });
  return table;
}

KTreeAnnealingResult search(const ParentSets &candidates, unsigned k, const Options &options,
                            const Host &host = {}) {
  Watch watch(host, options.samples);
  return sampled_search(candidates, information_of(candidates), k, options, watch);
}

void check_result(const ParentSets &candidates, unsigned k, const KTreeAnnealingResult &result) {
  CHECK_EQUAL(result.tree.k, k);
  CHECK(well_formed(result.tree));
  CHECK(!result.network.empty());
  if (result.network.empty())
    return;
  std::vector<std::vector<Node>> parents;
  double score = 0;
  for (Node v = 0; v < candidates.size(); ++v) {
    const CandidateSets &sets = candidates.nodes[v];
    const std::uint32_t choice = result.network.choice[v];
    parents.emplace_back(sets.begin_of(choice), sets.end_of(choice));
    score += sets.score[choice];
  }
  CHECK_NEAR(result.network.score, score, 1e-10);
  CHECK(acyclic(parents));
  CHECK(families_in_bags(result.tree, parents));
  double before = -std::numeric_limits<double>::infinity();
  for (const Improvement &improvement : result.improvements) {
    CHECK(improvement.score > before);
    before = improvement.score;
  }
  CHECK_EQUAL(before, result.network.score);
}

Network best_within(const KTree &tree, const ParentSets &candidates) {
  const Host host;
  Watch watch(host);
  const SetTrie sets(candidates, tree.k);
  return KTreeDp(candidates, sets, tree.k).best(tree, watch);
}

// The best network of tree-width k, from all codes with one row or none.
double best_of_all_k_trees(const ParentSets &candidates, unsigned k) {
  const Node n = candidates.size();
  double best = -std::numeric_limits<double>::infinity();
  for (unsigned nodes = 0; nodes < 1u << n; ++nodes) {
    DandelionCode code{n, k, {}, {}};
    for (Node v = 0; v < n; ++v)
      if (nodes >> v & 1)
        code.q.push_back(v);
    if (code.q.size() != k)
      continue;
    code.rows.resize(code.others() - 2u);
    const unsigned rows = code.rows.empty() ? 1 : k * code.others() + 1;
    for (unsigned row = 0; row < rows; ++row) {
      if (row > 0)
        code.rows[0] = {static_cast<Node>((row - 1) / k + 1), static_cast<Node>((row - 1) % k + 1)};
      best = std::max(best, best_within(decode(code), candidates).score);
    }
  }
  return best;
}

} // namespace

TEST(sampled_search_reaches_the_optimum_where_k_trees_are_few) {
  Random random(1);
  for (const auto &[n, k] :
       std::vector<std::pair<Node, unsigned>>{{4, 1}, {5, 2}, {6, 3}, {3, 1}, {5, 3}}) {
    const ParentSets candidates = random_sets(n, RandomSets(), random);
    const double best = best_of_all_k_trees(candidates, k);
    for (const Options::Refine refine : kRefinements)
      for (const Options::Inner inner : kInner)
        for (const auto sampling : {Options::Sampling::uniform, Options::Sampling::distance})
          for (const auto guide : {Options::Guide::informative, Options::Guide::pseudo}) {
            Options options;
            options.refine = refine;
            options.inner = inner;
            options.sampling = sampling;
            options.guide = guide;
            options.samples = refine == Options::Refine::none ? 2000 : 15;
            const KTreeAnnealingResult result = search(candidates, k, options);
            check_result(candidates, k, result);
            CHECK_EQUAL(result.steps, options.samples);
            CHECK(result.network.score <= best + 1e-10);
            if (refine == Options::Refine::none)
              CHECK_NEAR(result.network.score, best, 1e-10);
          }
  }
}

// Node 0 must have node 2 as its parent, with which it has no mutual information: a climb by this
// alone would always end at the k-trees that admit no network.
TEST(sampled_search_climbs_to_where_required_parents_fit) {
  ParentSets candidates;
  candidates.nodes.resize(3);
  fixtures::add_set(candidates.nodes[0], -5, {2});
  fixtures::add_set(candidates.nodes[1], -5, {});
  fixtures::add_set(candidates.nodes[2], -5, {});
  const MutualInformation information{3, {0, 9, 0, 9, 0, 9, 0, 9, 0}};
  for (const Options::Refine refine :
       {Options::Refine::hill_climb, Options::Refine::probabilistic}) {
    Options options;
    options.refine = refine;
    options.samples = 20;
    const Host host;
    Watch watch(host, options.samples);
    check_result(candidates, 1, sampled_search(candidates, information, 1, options, watch));
  }
}

// The same stream of codes without the shortcut by pseudo-scores: every k-tree is searched.
TEST(sampled_search_drops_no_k_tree_that_is_better) {
  Random random(2);
  for (unsigned repeat = 0; repeat < 12; ++repeat) {
    const auto n = static_cast<Node>(5 + random.below(6));
    const unsigned k = 1 + random.below(3);
    RandomSets shape;
    shape.distinct_scores = repeat % 3 == 0 ? 5 : 0;
    const ParentSets candidates = random_sets(n, shape, random);
    Options options;
    options.sampling = Options::Sampling::uniform;
    options.refine = Options::Refine::none;
    options.samples = 100;
    options.chains = 1;
    Host host;
    host.seed = [&](std::uint64_t i) { return 1000 * repeat + i; };
    const KTreeAnnealingResult result = search(candidates, k, options, host);
    Random stream(host.seed(0));
    KTree tree;
    Network best;
    for (unsigned i = 0; i < 100; ++i) {
      const KTree next = decode(random_code(n, k, stream));
      Network network = best_within(next, candidates);
      if (network.score > best.score + 1e-10) {
        best = std::move(network);
        tree = next;
      }
    }
    CHECK_NEAR(result.network.score, best.score, 1e-10);
    CHECK(edges(result.tree) == edges(tree));
  }
}

TEST(sampled_search_finds_more_when_it_refines) {
  Random random(3);
  double total[4] = {};
  for (unsigned repeat = 0; repeat < 15; ++repeat) {
    const ParentSets candidates = random_sets(14, RandomSets(), random);
    for (const auto guide : {Options::Guide::informative, Options::Guide::pseudo})
      for (unsigned i = 0; i < 4; ++i) {
        Options options;
        options.refine = kRefinements[i];
        options.guide = guide;
        options.samples = 4;
        const KTreeAnnealingResult result = search(candidates, 3, options);
        check_result(candidates, 3, result);
        total[i] += result.network.score;
      }
  }
  for (unsigned i = 1; i < 4; ++i)
    CHECK(total[i] > total[0] + 50);
}

TEST(sampled_search_does_not_depend_on_threads) {
  Random random(4);
  const ParentSets candidates = random_sets(12, RandomSets(), random);
  for (const Options::Refine refine : kRefinements)
    for (const Options::Inner inner : kInner) {
      Options options;
      options.refine = refine;
      options.inner = inner;
      options.samples = 11;
      options.chains = 4;
      Host host;
      const KTreeAnnealingResult one = search(candidates, 2, options, host);
      CHECK_EQUAL(one.steps, 11);
      for (const unsigned threads : {2u, 4u}) {
        host.threads = threads;
        const KTreeAnnealingResult more = search(candidates, 2, options, host);
        check_result(candidates, 2, more);
        CHECK_EQUAL(more.steps, 11);
        CHECK(more.network.choice == one.network.choice);
        CHECK(more.tree.members == one.tree.members && more.tree.parent == one.tree.parent);
      }
    }
}

TEST(sampled_search_returns_the_best_of_different_chains) {
  Random random(5);
  const ParentSets candidates = random_sets(12, RandomSets(), random);
  unsigned second_wins = 0;
  for (std::uint64_t seed = 0; seed < 20; seed += 2) {
    Options options;
    options.samples = options.chains = 1;
    Host host, other;
    host.seed = [=](std::uint64_t i) { return seed + i; };
    other.seed = [=](std::uint64_t i) { return seed + 1 + i; };
    const KTreeAnnealingResult first = search(candidates, 2, options, host);
    const KTreeAnnealingResult second = search(candidates, 2, options, other);
    CHECK(edges(first.tree) != edges(second.tree));
    options.samples = options.chains = 2;
    const KTreeAnnealingResult both = search(candidates, 2, options, host);
    const bool second_is_best = second.network.score > first.network.score;
    CHECK(edges(both.tree) == edges((second_is_best ? second : first).tree));
    CHECK_EQUAL(both.steps, 2);
    second_wins += second_is_best;
  }
  CHECK(second_wins > 1 && second_wins < 9);
}

TEST(sampled_search_searches_an_only_k_tree_once) {
  Random random(6);
  for (Node n = 1; n <= 6; ++n) {
    const ParentSets candidates = random_sets(n, RandomSets(), random);
    for (const Options::Refine refine : kRefinements)
      for (const Options::Inner inner : kInner) {
        Options options;
        options.refine = refine;
        options.inner = inner;
        options.orders = 5000;
        const KTreeAnnealingResult whole = search(candidates, n - 1u, options);
        check_result(candidates, n - 1u, whole);
        CHECK_EQUAL(whole.steps, 1);
        CHECK_NEAR(whole.network.score, best_over_subsets(whole_problem(candidates)), 1e-10);
        const KTreeAnnealingResult none = search(candidates, 0, options);
        check_result(candidates, 0, none);
        CHECK_EQUAL(none.steps, 1);
        CHECK_NEAR(none.network.score, best_within(none.tree, candidates).score, 1e-10);
      }
  }
}

TEST(sampled_search_ends_at_its_target) {
  Random random(7);
  const ParentSets candidates = random_sets(5, RandomSets(), random);
  Options options;
  options.refine = Options::Refine::none;
  options.target = best_of_all_k_trees(candidates, 2) - 1e-9;
  const KTreeAnnealingResult result = search(candidates, 2, options);
  CHECK(result.network.score >= options.target);
  CHECK(result.steps < 10000);
}

TEST(sampled_search_leaves_a_network_when_stopped_whatever_the_threads) {
  Random random(8);
  for (const double without_empty : {0.0, 0.1}) {
    RandomSets shape;
    shape.without_empty = without_empty;
    const ParentSets candidates = random_sets(25, shape, random);
    for (const Options::Refine refine : kRefinements)
      for (const Options::Inner inner : kInner)
        for (const unsigned threads : {1u, 3u})
          for (int polls = 0; polls < 3; ++polls) {
            Options options;
            options.refine = refine;
            options.inner = inner;
            options.chains = 3;
            const KTreeAnnealingResult result =
                search(candidates, 4, options, host_stopping_after(polls, threads));
            if (without_empty > 0 && result.network.empty())
              CHECK(well_formed(result.tree));
            else
              check_result(candidates, 4, result);
          }
  }
}

TEST(sampled_search_says_when_it_finds_no_network) {
  ParentSets candidates; // 0 and 1 must each have the other as parent
  candidates.nodes.resize(4);
  for (const Node v : {0, 1, 2, 3}) {
    const Node parent = v ^ 1;
    candidates.nodes[v].add(-1, &parent, &parent + (v < 2));
  }
  for (const Options::Refine refine : kRefinements)
    for (const Options::Inner inner : kInner) {
      Options options;
      options.refine = refine;
      options.inner = inner;
      options.samples = 10;
      const KTreeAnnealingResult result = search(candidates, 1, options);
      CHECK(result.network.empty() && result.improvements.empty());
      CHECK(well_formed(result.tree));
      CHECK_EQUAL(result.steps, 10);
    }
}
