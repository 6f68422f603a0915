#include "check.h"
#include "random_problem.h"

#include "core/structure/bounds/multipliers.h"
#include "core/structure/cp/cp_search.h"
#include "core/structure/engines/subset_dp.h"

#include <numeric>

using namespace optbn;

namespace {

CpProof run(const Problem &problem, const TreeOptions &store = kPlainList, const Host &host = {}) {
  Watch watch(host);
  return cp_search({problem, poor_network(problem)}, store, watch);
}

double optimum(const Problem &problem) {
  const Host host;
  Watch watch(host);
  return subset_dp(problem, watch).score;
}

void check_proved(const Problem &problem, const CpProof &proof, double best) {
  CHECK(proof.proved);
  CHECK_NEAR(proof.best.score, best, 1e-9);
  CHECK_EQUAL(proof.bound, proof.best.score);
  CHECK(acyclic(problem, proof.best.choice));
  CHECK_NEAR(proof.best.score, score_of(problem, proof.best.choice), 1e-12);
}

// Of many shapes: small and large domains, ties, nodes without the empty set.
Problem problem_of(std::uint64_t seed, Node most_nodes) {
  Random random(seed);
  RandomProblem shape;
  shape.nodes = static_cast<Node>(1 + seed % most_nodes);
  shape.sets = 3 + random.below(60);
  shape.parents = 1 + random.below(5);
  shape.without_empty = seed % 3 == 0 ? 0.4 : 0;
  shape.distinct_scores = seed % 4 == 1 ? 3 : 0;
  return random_problem(shape, random);
}

std::vector<TreeOptions> all_stores() {
  return {kPlainList,
          {SplitRule::information_gain, true},
          {SplitRule::most_frequent, true},
          {SplitRule::information_gain, false}};
}

Problem hard_problem() {
  Random random(5);
  RandomProblem shape;
  shape.nodes = 18;
  shape.sets = 250;
  shape.parents = 6;
  return random_problem(shape, random);
}

} // namespace

TEST(cp_search_finds_the_best_of_all_orders) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Problem problem = problem_of(seed, 6);
    if (!poor_network(problem).empty())
      check_proved(problem, run(problem), best_over_orders(problem));
  }
}

TEST(cp_search_agrees_with_dynamic_programming) {
  unsigned infeasible = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Problem problem = problem_of(seed, 13);
    if (poor_network(problem).empty()) {
      ++infeasible;
      continue;
    }
    const double best = optimum(problem);
    for (const TreeOptions &store : all_stores())
      check_proved(problem, run(problem, store), best);
  }
  CHECK(infeasible < 30);
}

// How sets are stored must not change which nodes are searched.
TEST(cp_search_has_the_same_tree_with_lists_and_decision_trees) {
  double searched = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    RandomProblem shape;
    shape.nodes = 12;
    shape.sets = 300; // more than fit into a leaf
    shape.parents = 5;
    const Problem problem = random_problem(shape, random);
    const CpProof list = run(problem);
    searched += list.nodes;
    for (const TreeOptions &store : all_stores()) {
      const CpProof tree = run(problem, store);
      CHECK_EQUAL(tree.nodes, list.nodes);
      CHECK_EQUAL(tree.clusters, list.clusters);
      CHECK(tree.best.choice == list.best.choice);
    }
  }
  CHECK(searched > 40 * 14);
}

TEST(cp_search_is_the_same_with_wider_masks) {
  Random random(3);
  RandomProblem shape;
  shape.nodes = 14;
  shape.sets = 60;
  const Problem narrow = random_problem(shape, random);
  const CpProof expected = run(narrow);
  for (const unsigned words : {2u, 3u}) {
    Problem wide = narrow;
    wide.words = words;
    for (Domain &domain : wide.domains) {
      std::vector<std::uint64_t> mask(words * domain.size());
      for (std::size_t i = 0; i < domain.size(); ++i)
        mask[words * i] = domain.mask[i];
      domain.mask = mask;
    }
    const CpProof proof = run(wide);
    CHECK(proof.proved);
    CHECK_EQUAL(proof.nodes, expected.nodes);
    CHECK(proof.best.choice == expected.best.choice);
  }
}

// 70 nodes in a ring, each of which may have one of the next two as its parent.
TEST(cp_search_beyond_one_word) {
  const Node n = 70;
  Problem problem;
  problem.words = 2;
  problem.domains.resize(n);
  for (Node v = 0; v < n; ++v) {
    Domain &domain = problem.domains[v];
    domain.score = {-1, -2, -10 - v / 100.0};
    domain.origin = {0, 1, 2};
    domain.mask.resize(6);
    for (unsigned i = 0; i < 2; ++i) {
      const unsigned u = (v + 1u + i) % n;
      domain.mask[2 * i + u / 64] = std::uint64_t{1} << (u % 64);
    }
  }
  // All but one node can have their best parent: the cycle is broken at node 0, at the least cost.
  const CpProof proof = run(problem);
  CHECK(proof.proved);
  CHECK_NEAR(proof.best.score, -79, 1e-9);
}

TEST(cp_search_does_not_depend_on_names_or_constants) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Problem problem = problem_of(4 * seed + 4, 13);
    if (poor_network(problem).empty())
      continue;
    const double best = run(problem).best.score;
    Random random(seed);
    std::vector<Node> name(problem.size());
    std::iota(name.begin(), name.end(), Node{0});
    random.shuffle(name);
    CHECK_NEAR(run(renamed(problem, name)).best.score, best, 1e-9);
    for (double &score : problem.domains[0].score)
      score -= 1000;
    CHECK_NEAR(run(problem).best.score, best - 1000, 1e-9);
  }
}

TEST(cp_search_needs_no_memory_for_prefixes) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Problem problem = problem_of(seed, 11);
    const Network start = poor_network(problem);
    if (start.empty())
      continue;
    ProofTask task{problem, start};
    task.memory_limit = 0;
    const Host host;
    Watch watch(host);
    check_proved(problem, cp_search(task, kPlainList, watch), optimum(problem));
  }
}

TEST(cp_search_ends_within_the_gap) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Problem problem = problem_of(seed, 13);
    const Network start = poor_network(problem);
    if (start.empty())
      continue;
    const double best = optimum(problem), full = run(problem).nodes;
    for (const double gap : {0.5, 5.0, 1e6}) {
      ProofTask task{problem, start};
      task.gap = gap;
      const Host host;
      Watch watch(host);
      const CpProof proof = cp_search(task, kPlainList, watch);
      CHECK(acyclic(problem, proof.best.choice));
      CHECK(proof.best.score <= best + 1e-9 && best <= proof.bound + 1e-9);
      CHECK(proof.bound - proof.best.score <= gap + 1e-9);
      CHECK(gap < 1e6 || proof.nodes <= std::min(full, 1.0));
    }
  }
}

TEST(cp_search_stopped_at_any_poll_leaves_a_valid_bound) {
  const Problem problem = hard_problem();
  const double best = optimum(problem);
  unsigned stopped = 0;
  double last = std::numeric_limits<double>::infinity();
  for (const int polls : {0, 1, 2, 4}) {
    const CpProof proof = run(problem, kPlainList, host_stopping_after(polls, 1));
    CHECK(acyclic(problem, proof.best.choice));
    CHECK(proof.best.score <= best + 1e-9 && best <= proof.bound + 1e-9);
    stopped += !proof.proved;
    last = proof.bound;
  }
  CHECK(stopped > 0);
  CHECK(last < std::numeric_limits<double>::infinity());
}

TEST(cp_search_reports_only_improvements) {
  const Problem problem = hard_problem();
  const double best = optimum(problem);
  std::vector<TracePoint> trace;
  ProofTask task{problem, poor_network(problem)};
  task.report = [&](double score, double bound) { trace.push_back({0, score, bound}); };
  const Host host;
  Watch watch(host);
  const CpProof proof = cp_search(task, kPlainList, watch);
  CHECK(trace.size() > 2);
  for (std::size_t i = 0; i < trace.size(); ++i) {
    CHECK(trace[i].score <= best + 1e-9 && best <= trace[i].bound + 1e-9);
    CHECK(i == 0 || (trace[i].score >= trace[i - 1].score && trace[i].bound <= trace[i - 1].bound));
    CHECK(i == 0 || trace[i].score != trace[i - 1].score || trace[i].bound != trace[i - 1].bound);
  }
  CHECK_EQUAL(trace.back().score, proof.best.score);
  CHECK_EQUAL(trace.back().bound, proof.bound);
}

TEST(cp_search_gives_multipliers_that_prove_its_bound) {
  unsigned priced = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Problem problem = problem_of(seed, 12);
    const Network start = poor_network(problem);
    if (start.empty())
      continue;
    const Host host;
    Watch watch(host);
    ProofTask task{problem, start};
    const CpProof proof = cp_search(task, kPlainList, watch);
    const CostProblem<1> costs(problem);
    const double bound = costs.score(bound_of(costs, in_costs(proof.root, costs)));
    CHECK(bound >= proof.best.score - 1e-9);
    if (proof.root.clusters.empty())
      continue;
    ++priced;
    double ideal = 0;
    for (const Domain &domain : problem.domains)
      ideal += domain.score.front();
    CHECK(bound < ideal);
    task.warm = proof.root;
    check_proved(problem, cp_search(task, kPlainList, watch), proof.best.score);
  }
  CHECK(priced > 20);
}

TEST(cp_search_ends_at_the_cutoff) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Problem problem = problem_of(seed, 10);
    const Network start = poor_network(problem);
    if (start.empty())
      continue;
    const double best = optimum(problem);
    for (const double above : {-1.0, -1e-6, 1e-6, 1.0}) {
      const Host host;
      Watch watch(host);
      ProofTask task{problem, start};
      task.cutoff = best + above;
      const Proof proof = cp_search(task, kPlainList, watch);
      CHECK(proof.bound >= best - 1e-9);
      if (above < 0)
        CHECK_NEAR(proof.best.score, best, 1e-9);
      else
        CHECK(proof.bound <= task.cutoff || proof.proved);
    }
  }
}
