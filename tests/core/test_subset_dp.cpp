#include "check.h"
#include "random_problem.h"

#include "core/base/errors.h"
#include "core/structure/engines/subset_dp.h"

using namespace optbn;

namespace {

Network solve(const Problem &problem, unsigned threads = 1) {
  Host host;
  host.threads = threads;
  Watch watch(host);
  return subset_dp(problem, watch);
}

void check_network(const Problem &problem, const Network &network, double optimum) {
  CHECK_EQUAL(network.choice.size(), std::size_t{problem.size()});
  CHECK(acyclic(problem, network.choice));
  CHECK_EQUAL(network.score, score_of(problem, network.choice));
  CHECK_NEAR(network.score, optimum, 1e-12 * (1 + std::abs(optimum)));
}

// One candidate set for each node.
Problem forced(const std::vector<std::uint64_t> &parents) {
  Problem problem;
  for (const std::uint64_t mask : parents)
    problem.domains.push_back({{-1}, {mask}, {0}});
  return problem;
}

} // namespace

TEST(subset_dp_is_the_best_over_all_orders) {
  Random random(1);
  unsigned infeasible = 0;
  for (unsigned repeat = 0; repeat < 150; ++repeat) {
    RandomProblem shape;
    shape.nodes = static_cast<Node>(repeat % 8);
    shape.sets = 1 + random.below(12);
    shape.without_empty = 0.3 * random.below(3);
    shape.distinct_scores = random.below(2) * 4;
    const Problem problem = random_problem(shape, random);
    const double optimum = best_over_orders(problem);
    if (optimum > -std::numeric_limits<double>::infinity()) {
      check_network(problem, solve(problem), optimum);
    } else {
      ++infeasible;
      CHECK_THROWS(solve(problem), Infeasible);
    }
  }
  CHECK(infeasible > 10 && infeasible < 100);
}

TEST(subset_dp_is_the_recurrence_below_at_and_above_one_block) {
  Random random(2);
  for (Node n = 1; n <= 16; ++n)
    for (const double without_empty : {0.0, 0.15}) {
      RandomProblem shape;
      shape.nodes = n;
      shape.sets = 40;
      shape.parents = 5;
      shape.without_empty = without_empty;
      const Problem problem = random_problem(shape, random);
      const double optimum = best_over_subsets(problem);
      if (optimum > -std::numeric_limits<double>::infinity())
        check_network(problem, solve(problem), optimum);
      else
        CHECK_THROWS(solve(problem), Infeasible);
    }
}

TEST(subset_dp_does_not_depend_on_threads) {
  Random random(3);
  for (const unsigned distinct_scores : {0u, 3u}) {
    RandomProblem shape;
    shape.nodes = 16;
    shape.sets = 60;
    shape.distinct_scores = distinct_scores;
    const Problem problem = random_problem(shape, random);
    const Network one = solve(problem);
    for (const unsigned threads : {2u, 4u}) {
      const Network more = solve(problem, threads);
      CHECK(more.choice == one.choice);
      CHECK_EQUAL(more.score, one.score);
    }
  }
}

TEST(subset_dp_does_not_depend_on_names) {
  Random random(4);
  RandomProblem shape;
  shape.nodes = 15;
  shape.sets = 30;
  const Problem problem = random_problem(shape, random);
  const double optimum = solve(problem).score;
  std::vector<Node> name(shape.nodes);
  std::iota(name.begin(), name.end(), Node{0});
  for (unsigned repeat = 0; repeat < 5; ++repeat) {
    random.shuffle(name);
    CHECK_NEAR(solve(renamed(problem, name)).score, optimum, 1e-11);
  }
}

TEST(subset_dp_shifts_with_a_constant_and_gains_from_a_set) {
  Random random(5);
  RandomProblem shape;
  shape.nodes = 13;
  const Problem problem = random_problem(shape, random);
  const double optimum = solve(problem).score;

  Problem shifted = problem;
  for (double &score : shifted.domains[3].score)
    score += 2.5;
  CHECK_NEAR(solve(shifted).score, optimum + 2.5, 1e-11);

  Problem richer = problem;
  Domain &domain = richer.domains[3];
  domain.score.insert(domain.score.begin(), domain.score[0] + 1);
  domain.mask.insert(domain.mask.begin(), 0);
  domain.origin.insert(domain.origin.begin(), 99);
  const Network network = solve(richer);
  CHECK(network.score > optimum);
  CHECK_EQUAL(network.choice[3], 0u);
}

TEST(subset_dp_names_the_nodes_that_block_each_other) {
  try {
    solve(forced({0b0010, 0b0001, 0b0000, 0b0100})); // 0 and 1 need each other; 3 needs 2
    CHECK(false);
  } catch (const Infeasible &e) {
    CHECK((e.nodes == std::vector<Node>{0, 1}));
  }
  Problem unscored = forced({0, 0});
  unscored.domains[1].score[0] = -std::numeric_limits<double>::infinity();
  CHECK_THROWS(solve(unscored), Infeasible);
  Problem empty_domain = forced({0, 0});
  empty_domain.domains[1] = {};
  CHECK_THROWS(solve(empty_domain), Infeasible);
}

TEST(subset_dp_refuses_what_it_cannot_index) {
  CHECK_THROWS(solve(forced(std::vector<std::uint64_t>(kSubsetDpNodes + 1u, 0))), Error);
}

TEST(subset_dp_stops_on_request_with_any_threads) {
  Random random(6);
  RandomProblem shape;
  shape.nodes = 19;
  shape.sets = 100;
  const Problem problem = random_problem(shape, random);
  const Network whole = solve(problem);
  for (const unsigned threads : {1u, 3u})
    for (int polls = 0; polls < 4; ++polls) {
      Host host = host_stopping_after(polls, threads);
      host.report_progress = [&](double done, double all) { CHECK(done <= all); };
      Watch watch(host, std::ldexp(1.0, 19));
      const Network network = subset_dp(problem, watch);
      CHECK(network.empty() == (watch.reason() != StopReason::none));
      CHECK(network.empty() || network.choice == whole.choice);
      CHECK(polls > 0 || network.empty());
    }
}

TEST(subset_dp_fits_in_the_memory_it_forecasts) {
  CHECK(subset_dp_bytes(0) >= 8);
  CHECK(subset_dp_bytes(28) > 8 * std::ldexp(1.0, 28));
  CHECK(subset_dp_bytes(28) < 2.2e9);
}
