#include "check.h"
#include "random_problem.h"
#include "search_fixtures.h"
#include "weak_problems.h"

#include "core/structure/bounds/root_dual.h"
#include "core/structure/cp/cp_search.h"
#include "core/structure/engines/branch_and_cut.h"
#include "core/structure/engines/subset_dp.h"
#include "core/structure/engines/tree_search.h"

using namespace optbn;
using namespace fixtures;

namespace {

// By branching on arcs, from a root after so many rounds. Searches over orders, which would end small
// problems at the root, have at most `most_by_orders` sets.
Proof branching(ProofTask task, unsigned rounds, double most_by_orders, Watch &watch) {
  task.most_by_orders = most_by_orders;
  const CostProblem<1> problem(task.problem);
  Cost start = 0;
  for (Node v = 0; v < problem.size(); ++v)
    start += problem.domains[v].cost[task.start.choice[v]];
  const Cost cutoff = std::min(start, problem.cutoff(task.cutoff));
  RootDual<1> root(problem, {}, cutoff, watch);
  root.improve(rounds);
  return branch_and_cut(problem, task, root, cutoff, start <= cutoff, watch);
}

// A problem of a random kind, and its best score; none where there is no network.
struct Instance {
  WeakProblem shape;
  Problem problem;
  double best, tolerance;

  Instance(std::uint64_t seed, Node least, Node most) {
    Random random(seed);
    shape = random_weak_problem(random, static_cast<Node>(least + random.below(most - least + 1u)));
    problem = whole_problem(weak_sets(shape, random));
    best = best_over_subsets(problem);
    tolerance = 1e-9 + rounding(best);
  }
  bool empty() const { return best == kImpossible; }
  // Scores differ by as much.
  double scale() const { return shape.huge ? 1e-3 : 1; }

  void check_valid(const Proof &proof) const {
    CHECK(acyclic(problem, proof.best.choice));
    CHECK_EQUAL(proof.best.score, score_of(problem, proof.best.choice));
    CHECK(proof.best.score <= best + tolerance);
    CHECK(proof.bound >= best - tolerance);
    if (proof.proved)
      CHECK_EQUAL(proof.bound, proof.best.score);
  }
  void check_optimal(const Proof &proof) const {
    check_valid(proof);
    CHECK(proof.proved);
    CHECK_NEAR(proof.best.score, best, tolerance);
  }
};

Proof prove_by_another(const ProofTask &task, std::uint64_t number, Watch &watch) {
  switch (number % 5) {
  case 0:
    return tree_search(task, TreeEngine::orders, watch);
  case 1:
    return tree_search(task, TreeEngine::branch_and_cut, watch);
  case 2:
    return tree_search(task, TreeEngine::both, watch);
  case 3:
    return cp_search(task, {SplitRule::information_gain, true}, watch);
  default:
    return cp_search(task, kPlainList, watch);
  }
}

Host host_with(std::uint64_t seed) {
  Host host;
  host.threads = 1 + seed % 2;
  return host;
}

} // namespace

TEST(branch_and_cut_agrees_with_brute_force) {
  unsigned compared = 0, branched = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Instance instance(seed, 3, 6);
    if (instance.empty())
      continue;
    if (instance.problem.size() < 6)
      CHECK_NEAR(best_over_orders(instance.problem), instance.best, instance.tolerance);
    const Host host = host_with(seed);
    Watch watch(host);
    ProofTask task{instance.problem, poor_network(instance.problem)};
    task.memory_limit = seed % 7 ? 1e8 : 0;
    const Proof proof = branching(task, seed % 3, 1.5 * instance.problem.size(), watch);
    instance.check_optimal(proof);
    instance.check_optimal(prove_by_another(task, seed, watch));
    ++compared;
    branched += proof.nodes > 1;
  }
  CHECK(compared > 285 && branched > compared / 2);
}

// Starting with the best network, so that there is only to prove, or with a poor one.
TEST(branch_and_cut_agrees_with_dynamic_programming) {
  unsigned compared = 0, branched = 0;
  for (std::uint64_t seed = 0; seed < 45; ++seed) {
    const Instance instance(1000 + seed, 8, 12);
    if (instance.empty())
      continue;
    const Host host = host_with(seed);
    Watch watch(host);
    const Network best = subset_dp(instance.problem, watch);
    CHECK_NEAR(best.score, instance.best, instance.tolerance);
    const bool poor = seed % 2;
    const ProofTask task{instance.problem, poor ? poor_network(instance.problem) : best};
    const Proof proof = branching(task, seed % 2, (poor ? 3 : 1) * instance.problem.size(), watch);
    instance.check_optimal(proof);
    instance.check_optimal(prove_by_another(task, seed, watch));
    ++compared;
    branched += proof.nodes > 1;
  }
  CHECK(compared > 40 && branched > compared / 4);
}

// Stopped by the nodes of the tree, by work, or by the host.
TEST(branch_and_cut_leaves_a_valid_bound_whenever_it_stops) {
  unsigned stopped = 0, ended = 0;
  for (std::uint64_t seed = 2000; seed < 2160; ++seed) {
    const Instance instance(seed, 4, 8);
    if (instance.empty())
      continue;
    const unsigned limit = static_cast<unsigned>(seed / 3 % 12);
    const Host host = seed % 3 == 0 ? host_stopping_after(static_cast<int>(limit), 1 + seed % 2)
                                    : host_with(seed);
    Watch watch(host);
    ProofTask task{instance.problem, poor_network(instance.problem)};
    if (seed % 3 == 1)
      task.node_limit = limit;
    if (seed % 3 == 2)
      task.work_limit = 1000. * limit;
    const Proof proof = branching(task, seed % 2, 1.5 * instance.problem.size(), watch);
    instance.check_valid(proof);
    if (proof.proved)
      instance.check_optimal(proof);
    (proof.proved ? ended : stopped) += 1;
    instance.check_valid(tree_search(task, TreeEngine::branch_and_cut, watch));
  }
  CHECK(stopped > 30 && ended > 30);
}

TEST(branch_and_cut_ends_at_the_gap_and_at_the_cutoff) {
  for (std::uint64_t seed = 3000; seed < 3060; ++seed) {
    const Instance instance(seed, 4, 7);
    if (instance.empty())
      continue;
    const Host host = host_with(seed);
    Watch watch(host);
    const double most_by_orders = 1.5 * instance.problem.size();
    ProofTask task{instance.problem, poor_network(instance.problem)};
    task.gap = .3 * instance.scale();
    const Proof near = branching(task, 0, most_by_orders, watch);
    instance.check_valid(near);
    CHECK(near.bound - near.best.score <= task.gap + instance.tolerance);
    task.gap = 0;
    for (const double above : {-1., -.05, .05}) {
      task.cutoff = instance.best + above * instance.scale();
      const Proof proof = branching(task, seed % 3, most_by_orders, watch);
      instance.check_valid(proof);
      if (above < 0)
        instance.check_optimal(proof);
      else
        CHECK(proof.proved || proof.bound <= task.cutoff + instance.tolerance);
    }
  }
}

// The root's bound is so near the start's score that it leaves the relaxation without a round; but
// no set is so far from the best of its node that it could be left out.
TEST(branch_and_cut_begins_from_a_root_without_rounds) {
  ParentSets sets;
  sets.nodes.resize(10);
  Network start;
  for (Node v = 0; v < 10; v += 2) {
    const Node w = v + 1;
    add_set(sets.nodes[v], 0, {w});
    add_set(sets.nodes[v], -1, {});
    add_set(sets.nodes[w], 0, {v});
    add_set(sets.nodes[w], -1 - 1e-7, {});
    start.choice.insert(start.choice.end(), {0, 1});
  }
  const Problem problem = whole_problem(sets);
  start.score = score_of(problem, start.choice);
  const Host host;
  Watch watch(host);
  const Proof proof = tree_search({problem, start}, TreeEngine::branch_and_cut, watch);
  CHECK(proof.proved && proof.branched_on_arcs);
  CHECK_EQUAL(proof.best.score, -5);
}

// Scores are whole numbers, many of them the same, so that the bound of a linear program is as good
// as the best score but for the program's own rounding. Columns that were dropped and added again in
// turns once kept such a subproblem for ever.
TEST(branch_and_cut_ends_where_the_gap_is_less_than_rounding) {
  const Instance instance(402064, 4, 6);
  const Host host = host_stopping_after(750, 1); // fifteen seconds
  Watch watch(host);
  ProofTask task{instance.problem, poor_network(instance.problem)};
  task.cutoff = instance.best - 1;
  instance.check_optimal(branching(task, 1, 1.5 * instance.problem.size(), watch));
}

// Which worker searches which subproblem is up to the system; what is proved is not.
TEST(branch_and_cut_proves_the_same_on_any_number_of_threads) {
  for (std::uint64_t seed = 4000; seed < 4006; ++seed) {
    const Instance instance(seed, 5, 6);
    if (instance.empty())
      continue;
    for (const unsigned threads : {2u, 4u}) {
      Host host;
      host.threads = threads;
      Watch watch(host);
      const ProofTask task{instance.problem, poor_network(instance.problem)};
      instance.check_optimal(branching(task, 0, 1.5 * instance.problem.size(), watch));
    }
  }
}
