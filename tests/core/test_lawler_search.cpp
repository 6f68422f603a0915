#include "check.h"
#include "random_problem.h"
#include "search_fixtures.h"
#include "weak_problems.h"

#include "core/base/errors.h"
#include "core/structure/constraints/lawler_search.h"
#include "core/structure/k_best.h"
#include "core/structure/prover.h"

#include <map>

using namespace optbn;
using namespace fixtures;

namespace {

bool satisfies(const NetworkConstraints &constraints, const ParentSets &sets,
               const Network &network) {
  const Graph graph = graph_of(sets, network);
  for (const PathConstraint &path : constraints.paths)
    if (ancestors_of(graph, path.to)[path.from] != path.required)
      return false;
  return static_cast<double>(arc_count(graph)) <= constraints.max_arcs;
}

NetworkConstraints random_constraints(Random &random, Node n) {
  NetworkConstraints constraints;
  for (unsigned i = random.below(6); i > 0 && n > 1; --i) {
    const Node from = static_cast<Node>(random.below(n));
    const Node to = static_cast<Node>((from + 1 + random.below(n - 1u)) % n);
    constraints.paths.push_back({from, to, random.below(3) == 0});
  }
  if (random.below(2))
    constraints.max_arcs = random.below(7);
  return constraints;
}

// Node v may have the parent v - 1, at a score of -1, or none.
ParentSets possible_chain(Node n) {
  ParentSets sets;
  sets.nodes.resize(n);
  for (Node v = 0; v < n; ++v) {
    sets.nodes[v].add(0, nullptr, nullptr);
    const Node before = v - 1u;
    if (v > 0)
      sets.nodes[v].add(-1, &before, &before + 1);
  }
  return sets;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

SearchResult run(const ParentSets &sets, const NetworkConstraints &constraints, Method method,
                 unsigned threads = 1, double seconds = kInfinity) {
  Host host;
  host.threads = threads;
  Watch watch(host);
  SearchOptions options;
  options.method = method;
  options.seconds = seconds;
  return solve_under(sets, constraints, options, watch);
}

Ranking rank(const ParentSets &sets, const NetworkConstraints &constraints, unsigned k,
             bool classes, Method method = Method::automatic) {
  const Host host;
  Watch watch(host);
  SearchOptions options;
  options.method = method;
  return rank_networks(sets, constraints, options, k, classes, watch);
}

constexpr Method kMethods[] = {Method::automatic, Method::lagrangian, Method::branch_and_cut,
                               Method::elsa};

} // namespace

TEST(lawler_search_against_brute_force_under_constraints) {
  unsigned infeasible = 0, tight = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed);
    const Node n = static_cast<Node>(1 + seed % 5);
    const ParentSets sets = random_sets(seed, n, 6, 3, 0, seed % 4 != 0);
    const NetworkConstraints constraints = random_constraints(random, n);
    const std::vector<Network> networks = all_networks(sets);
    const auto best = std::find_if(networks.begin(), networks.end(), [&](const Network &network) {
      return satisfies(constraints, sets, network);
    });
    const Method method = kMethods[seed / 4 % 4];
    if (best == networks.end()) {
      CHECK_THROWS(run(sets, constraints, method), Infeasible);
      CHECK_THROWS(run(sets, constraints, method, 1, 60), Infeasible);
      ++infeasible;
      continue;
    }
    tight += best != networks.begin();
    const SearchResult result = run(sets, constraints, method);
    CHECK(result.proved);
    CHECK(acyclic(sets, result.network.choice));
    CHECK(satisfies(constraints, sets, result.network));
    CHECK_EQUAL(result.network.score, total_score(sets, result.network.choice));
    CHECK_NEAR(result.network.score, best->score, 1e-9);
    CHECK_EQUAL(result.bound, result.network.score);
    const SearchResult limited = run(sets, constraints, method, 1, 60);
    CHECK_NEAR(limited.network.score, best->score, 1e-9);
    CHECK_EQUAL(limited.bound, limited.network.score);
  }
  CHECK(infeasible > 100);
  CHECK(tight > 300);
}

TEST(lawler_search_ranks_networks_as_brute_force_does) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    const Node n = static_cast<Node>(1 + seed % 5);
    const ParentSets sets = random_sets(seed, n, 5, 3);
    const NetworkConstraints constraints =
        seed % 2 ? random_constraints(random, n) : NetworkConstraints();
    const bool classes = seed % 4 > 1;
    std::vector<double> expected;
    std::set<Graph> seen;
    for (const Network &network : all_networks(sets))
      if (satisfies(constraints, sets, network) &&
          (!classes || seen.insert(MarkovClass(graph_of(sets, network)).signature()).second))
        expected.push_back(network.score);
    const unsigned k = 1 + random.below(12);
    if (expected.empty())
      continue;
    const Ranking ranking = rank(sets, constraints, k, classes, kMethods[seed / 4 % 4]);
    CHECK(ranking.complete);
    CHECK_EQUAL(ranking.networks.size(), std::min<std::size_t>(k, expected.size()));
    std::set<Graph> distinct;
    for (std::size_t i = 0; i < ranking.networks.size(); ++i) {
      const Graph graph = graph_of(sets, ranking.networks[i]);
      CHECK_NEAR(ranking.networks[i].score, expected[i], 1e-9);
      CHECK(satisfies(constraints, sets, ranking.networks[i]));
      CHECK(distinct.insert(classes ? MarkovClass(graph).signature() : graph).second);
    }
  }
}

// Many networks score the same, or differ by thousandths of a million.
TEST(lawler_search_ranks_networks_of_weak_problems) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const ParentSets sets =
        weak_sets(random_weak_problem(random, static_cast<Node>(3 + seed % 2)), random);
    const NetworkConstraints constraints =
        seed % 2 ? random_constraints(random, sets.size()) : NetworkConstraints();
    std::vector<double> expected;
    for (const Network &network : all_networks(sets))
      if (satisfies(constraints, sets, network))
        expected.push_back(network.score);
    if (expected.empty())
      continue;
    const Ranking ranking = rank(sets, constraints, 20, false, kMethods[seed / 2 % 4]);
    CHECK_EQUAL(ranking.networks.size(), std::min<std::size_t>(20, expected.size()));
    for (std::size_t i = 0; i < ranking.networks.size(); ++i)
      CHECK_NEAR(ranking.networks[i].score, expected[i], 1e-9 + rounding(expected[i]));
  }
}

// Four arcs are allowed of five that pay, and only node 1 can be the one with more than at the price
// of an arc: one subproblem with its larger set is searched, beside the one without it.
TEST(lawler_search_ranks_networks_without_the_larger_sets_of_one_node) {
  ParentSets sets;
  sets.nodes.resize(4);
  const auto add = [&](Node v, double score, const std::vector<Node> &parents) {
    sets.nodes[v].add(score, parents.data(), parents.data() + parents.size());
    sets.nodes[v].add(0, nullptr, nullptr);
  };
  add(0, 5, {2});
  add(1, 13.8, {0, 2, 3});
  add(2, 6.2, {3});
  add(3, 5.6, {1});
  NetworkConstraints constraints;
  constraints.max_arcs = 4;
  std::vector<double> expected;
  for (const Network &network : all_networks(sets))
    if (satisfies(constraints, sets, network))
      expected.push_back(network.score);
  const Ranking ranking = rank(sets, constraints, 9, false);
  CHECK_EQUAL(ranking.networks.size(), 9u);
  for (std::size_t i = 0; i < ranking.networks.size(); ++i)
    CHECK_NEAR(ranking.networks[i].score, expected[i], 1e-9);
}

TEST(lawler_search_ranks_networks_as_dynamic_programming_does) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const Node n = static_cast<Node>(8 + seed % 5);
    const ParentSets sets = random_sets(seed, n, 12, 3);
    const bool classes = seed % 2;
    const Host host;
    Watch watch(host);
    const std::vector<Network> expected = k_best(whole_problem(sets), 20, classes, watch);
    const Ranking ranking = rank(sets, NetworkConstraints(), 20, classes, kMethods[seed / 2 % 4]);
    CHECK_EQUAL(ranking.networks.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      CHECK_NEAR(ranking.networks[i].score, expected[i].score, 1e-9);
  }
}

// More nodes than a tree search accepts, so that there are no reduced costs to measure paths by.
TEST(lawler_search_finds_required_paths_among_many_nodes) {
  const ParentSets sets = possible_chain(kTreeNodes + 76);
  const Node last = sets.size() - 1u, before_last = last - 1u;
  NetworkConstraints constraints;
  constraints.paths = {{3, 6, true}, {before_last, last, true}};
  for (const double seconds : {kInfinity, 60.0}) {
    const SearchResult result = run(sets, constraints, Method::automatic, 1, seconds);
    CHECK(result.proved);
    CHECK(satisfies(constraints, sets, result.network));
    CHECK_NEAR(result.network.score, -4, 1e-9); // arcs into 4, 5, 6 and the last node
    CHECK_EQUAL(result.bound, result.network.score);
  }
  constraints.paths.push_back({last, 3, true}); // against the chain
  CHECK_THROWS(run(sets, constraints, Method::automatic), Infeasible);
}

TEST(lawler_search_is_the_same_with_any_threads) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const ParentSets sets = random_sets(seed, 12, 10, 3);
    NetworkConstraints constraints;
    constraints.paths = {{0, 5, true}, {3, 7, false}};
    constraints.max_arcs = 14;
    const SearchResult one = run(sets, constraints, Method::lagrangian);
    const SearchResult two = run(sets, constraints, Method::lagrangian, 2);
    CHECK_EQUAL(one.network.score, two.network.score);
    CHECK_EQUAL(one.bound, two.bound);
  }
}

TEST(lawler_search_stopped_at_any_poll_leaves_a_valid_bound) {
  const ParentSets sets = random_sets(3, 14, 14, 3);
  NetworkConstraints constraints;
  constraints.paths = {{0, 5, true}, {3, 7, false}, {9, 2, true}};
  constraints.max_arcs = 12;
  const double best = run(sets, constraints, Method::automatic).network.score;
  for (int polls = 0; polls < 60; ++polls) {
    Host host = host_stopping_after(polls, 1);
    Watch watch(host);
    const SearchResult result = solve_under(sets, constraints, SearchOptions(), watch);
    CHECK(!result.network.empty());
    if (result.network.empty())
      continue;
    CHECK(satisfies(constraints, sets, result.network));
    CHECK(result.network.score <= best + 1e-9);
    CHECK(result.bound >= best - 1e-9);
  }
}
