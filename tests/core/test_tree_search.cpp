#include "check.h"
#include "random_problem.h"
#include "search_fixtures.h"

#include "core/base/parallel.h"
#include "core/structure/engines/frontier.h"
#include "core/structure/engines/order_search.h"
#include "core/structure/engines/subset_dp.h"
#include "core/structure/engines/tree_search.h"

#include <chrono>
#include <thread>

using namespace optbn;

namespace {

constexpr TreeEngine kEngines[] = {TreeEngine::orders, TreeEngine::branch_and_cut,
                                   TreeEngine::both};

Proof prove(const Problem &problem, TreeEngine engine, unsigned threads = 1,
            double memory_limit = 1e8) {
  Host host;
  host.threads = threads;
  Watch watch(host);
  ProofTask task{problem, poor_network(problem)};
  task.memory_limit = memory_limit;
  return tree_search(task, engine, watch);
}

double optimum(const Problem &problem) {
  const Host host;
  Watch watch(host);
  return subset_dp(problem, watch).score;
}

void check_proof(const Problem &problem, const Proof &proof, double best) {
  CHECK(proof.proved);
  CHECK(acyclic(problem, proof.best.choice));
  CHECK_EQUAL(proof.best.score, score_of(problem, proof.best.choice));
  CHECK_NEAR(proof.best.score, best, 1e-9);
  CHECK_EQUAL(proof.bound, proof.best.score);
}

RandomProblem shape_of(unsigned trial) {
  RandomProblem shape;
  shape.nodes = static_cast<Node>(2 + trial % 11);
  shape.sets = 3 + trial % 17;
  shape.parents = 1 + trial % 4;
  shape.without_empty = trial % 5 == 0 ? 0.2 : 0;
  shape.distinct_scores = trial % 3 == 0 ? 6 : 0;
  return shape;
}

} // namespace

TEST(tree_search_finds_the_optimum_of_dynamic_programming) {
  Random random(1);
  unsigned compared = 0;
  for (unsigned trial = 0; trial < 300; ++trial) {
    const Problem problem = random_problem(shape_of(trial), random);
    if (poor_network(problem).empty())
      continue;
    ++compared;
    check_proof(problem, prove(problem, kEngines[trial % 3], 1 + trial % 2), optimum(problem));
  }
  CHECK(compared > 250);
}

TEST(tree_search_is_exact_without_memory) {
  Random random(2);
  for (unsigned trial = 0; trial < 20; ++trial) {
    RandomProblem shape;
    shape.nodes = 9;
    const Problem problem = random_problem(shape, random);
    for (const TreeEngine engine : kEngines)
      check_proof(problem, prove(problem, engine, 1, 0), optimum(problem));
  }
}

// The same problem at the other end of a wide mask.
TEST(tree_search_accepts_wide_masks) {
  Random random(3);
  RandomProblem shape;
  shape.nodes = 8;
  for (const Node n : {Node{70}, Node{130}}) {
    const Problem small = random_problem(shape, random);
    Problem wide;
    wide.words = (n + 63u) / 64;
    wide.domains.resize(n);
    for (Node v = 0; v < n; ++v) {
      Domain &domain = wide.domains[v];
      if (v < n - 8) {
        domain.score = {0};
        domain.mask.assign(wide.words, 0);
        domain.origin = {0};
        continue;
      }
      domain = small.domains[v - (n - 8)];
      domain.mask.assign(domain.size() * wide.words, 0);
      for (std::size_t i = 0; i < domain.size(); ++i)
        for (unsigned u = 0; u < 8; ++u)
          if (small.domains[v - (n - 8)].mask[i] >> u & 1) {
            const unsigned w = n - 8 + u;
            domain.mask[i * wide.words + w / 64] |= std::uint64_t{1} << (w % 64);
          }
    }
    for (const TreeEngine engine : kEngines)
      check_proof(wide, prove(wide, engine), optimum(small));
  }
}

TEST(tree_search_leaves_a_valid_bound_whenever_it_stops) {
  Random random(4);
  RandomProblem shape;
  shape.nodes = 12;
  shape.sets = 60;
  shape.parents = 4;
  bool cut_short = false;
  for (int polls = 0; polls < 36; ++polls) {
    const Problem problem = random_problem(shape, random);
    const double best = optimum(problem);
    const Host host = host_stopping_after(polls, 1 + polls % 2);
    Watch watch(host);
    const ProofTask task{problem, poor_network(problem)};
    const Proof proof = tree_search(task, kEngines[polls % 3], watch);
    CHECK(acyclic(problem, proof.best.choice));
    CHECK_EQUAL(proof.best.score, score_of(problem, proof.best.choice));
    CHECK(proof.best.score >= task.start.score && proof.best.score <= best + 1e-9);
    CHECK(proof.bound >= best - 1e-9);
    cut_short = cut_short || !proof.proved;
  }
  CHECK(cut_short);
}

TEST(tree_search_stops_within_the_gap_and_the_node_limit) {
  Random random(5);
  RandomProblem shape;
  shape.nodes = 12;
  shape.sets = 60;
  shape.parents = 4;
  for (unsigned trial = 0; trial < 12; ++trial) {
    const Problem problem = random_problem(shape, random);
    const double best = optimum(problem);
    const Host host;
    Watch watch(host);
    ProofTask task{problem, poor_network(problem)};
    task.gap = 5;
    const TreeEngine engine = kEngines[trial % 3];
    const Proof near = tree_search(task, engine, watch);
    CHECK(near.bound >= best - 1e-9);
    CHECK(near.proved || near.bound - near.best.score <= 5);
    task.gap = 0;
    task.node_limit = 0;
    const Proof root = tree_search(task, engine, watch);
    CHECK(root.bound >= best - 1e-9);
    CHECK_EQUAL(root.nodes, 0);
  }
}

// What it reports never gets worse, and ends with what it returns.
TEST(tree_search_reports_its_progress) {
  Random random(6);
  RandomProblem shape;
  shape.nodes = 12;
  shape.sets = 60;
  shape.parents = 4;
  const Problem problem = random_problem(shape, random);
  const double best = optimum(problem);
  for (const TreeEngine engine : kEngines) {
    const Host host;
    Watch watch(host);
    ProofTask task{problem, poor_network(problem)};
    double score = task.start.score, bound = 0;
    bool monotone = true;
    task.report = [&](double s, double b) {
      monotone = monotone && s >= score && b <= bound && b >= s - 1e-9 && b >= best - 1e-9;
      score = s;
      bound = b;
    };
    const Proof proof = tree_search(task, engine, watch);
    CHECK(monotone);
    CHECK_NEAR(score, proof.best.score, 1e-9);
  }
}

// The parts of a subproblem that is being searched are worth waiting for, but not for ever.
TEST(frontier_ends_on_all_threads_when_a_worker_fails) {
  struct Open {
    Cost bound;
  };
  struct Failure {};
  Random random(9);
  const Problem problem = random_problem(RandomProblem(), random);
  const CostProblem<1> costs(problem);
  const ProofTask task{problem, poor_network(problem)};
  const Host host = host_stopping_after(250, 2, StopReason::time_limit); // after five seconds
  Watch watch(host);
  Frontier<1, Open> frontier(costs, task, kNoCost, false);
  frontier.pause_after(10, 10);
  frontier.add({0});
  const auto fail = [&](std::size_t, unsigned) {
    frontier.run_worker([&] {
      Open open;
      if (!frontier.pop(open, watch))
        return;
      std::this_thread::sleep_for(std::chrono::milliseconds(100)); // until the other one waits
      throw Failure();
    });
  };
  CHECK_THROWS(parallel_for(watch, 2, fail), Failure);
  CHECK(watch.reason() == StopReason::none);
}

// The search over orders has a better bound by then than the root, with which branch and cut begins.
TEST(tree_search_keeps_its_bound_when_branch_and_cut_takes_over) {
  const Problem problem = whole_problem(fixtures::random_sets(2, 60, 30, 3, 5));
  const Host host;
  Watch watch(host);
  ProofTask task{problem, poor_network(problem)};
  task.memory_limit = 1e8;
  double last = std::numeric_limits<double>::infinity();
  bool monotone = true;
  task.report = [&](double, double bound) {
    monotone = monotone && bound <= last;
    last = bound;
  };
  const Proof proof = tree_search(task, TreeEngine::both, watch);
  CHECK(proof.branched_on_arcs);
  CHECK(monotone);
  check_proof(problem, proof, -332.5924683159);
}

TEST(tree_search_continues_from_multipliers) {
  Random random(7);
  RandomProblem shape;
  shape.nodes = 14;
  shape.sets = 80;
  shape.parents = 4;
  const Problem problem = random_problem(shape, random);
  const Host host, stopped = host_stopping_after(0, 1);
  Watch watch(host), cold(stopped), warm(stopped);
  ProofTask task{problem, poor_network(problem)};
  task.node_limit = 0;
  const TreeEngine engine = TreeEngine::orders;
  const Proof first = tree_search(task, engine, watch);
  CHECK(!first.proved);
  CHECK(tree_search(task, engine, cold).bound > first.bound + .1);
  task.warm = first.root;
  CHECK(tree_search(task, engine, warm).bound <= first.bound + 1e-6);
}

TEST(tree_search_ends_at_the_cutoff) {
  Random random(8);
  for (unsigned trial = 0; trial < 120; ++trial) {
    const Problem problem = random_problem(shape_of(trial), random);
    const Network start = poor_network(problem);
    if (start.empty())
      continue;
    const double best = optimum(problem);
    for (const double above : {-1.0, -1e-6, 1e-6, 1.0}) {
      const Host host;
      Watch watch(host);
      ProofTask task{problem, start};
      task.cutoff = best + above;
      const Proof proof = tree_search(task, kEngines[trial % 3], watch);
      if (above < 0) {
        check_proof(problem, proof, best);
      } else {
        CHECK(proof.bound >= best - 1e-9);
        CHECK(proof.bound <= task.cutoff || proof.proved);
      }
    }
  }
}

// Sparse problems, whose bounds are weak in places far apart: the engines are each other's oracle.
TEST(branch_and_cut_agrees_with_search_over_orders) {
  double nodes = 0;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const bool wide = seed % 4 == 0;
    const Problem problem = whole_problem(wide ? fixtures::random_sets(seed, 70, 15, 2, 3)
                                               : fixtures::random_sets(seed, 40, 12, 3, 4));
    const Proof orders = prove(problem, TreeEngine::orders);
    const Proof proof = prove(problem, TreeEngine::branch_and_cut, 1 + seed % 2);
    CHECK(orders.proved);
    check_proof(problem, proof, orders.best.score);
    nodes += proof.nodes;
  }
  CHECK(nodes > 15);
}

// Under a dual without inequalities the bound of the empty prefix rises while it is searched, and
// must be as before for the prefixes that wait.
TEST(order_search_begins_every_dive_from_the_root) {
  double nodes = 0;
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const Problem problem = whole_problem(fixtures::random_sets(seed, 40, 12, 3, 4));
    const double best = prove(problem, TreeEngine::orders).best.score;
    const Host host;
    Watch watch(host);
    const CostProblem<1> costs(problem);
    ProofTask task{problem, poor_network(problem)};
    task.memory_limit = 1e8;
    OrderSearch<1> search(costs, task, kNoCost, false);
    search.run(Dual<1>(), 40000, 1e15, 1, watch);
    const Proof proof = search.conclude();
    CHECK(proof.bound >= best - 1e-9);
    CHECK(proof.best.score <= best + 1e-9);
    nodes += proof.nodes;
  }
  CHECK(nodes > 40000);
}
