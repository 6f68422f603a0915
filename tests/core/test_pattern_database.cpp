#include "check.h"
#include "random_problem.h"

#include "core/structure/bounds/pattern_database.h"

using namespace optbn;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double bound(const Problem &problem, unsigned threads = 1) {
  Host host;
  host.threads = threads;
  Watch watch(host);
  return pattern_database_bound(problem, watch);
}

double sum_of_best(const Problem &problem) {
  double sum = 0;
  for (const Domain &domain : problem.domains)
    sum += domain.score[0];
  return sum;
}

// Copies of a problem side by side: the optimum is that of one times their number.
Problem repeated(const Problem &problem, unsigned times) {
  const unsigned n = problem.size();
  Problem result;
  result.words = (n * times + 63) / 64;
  for (unsigned copy = 0; copy < times; ++copy)
    for (const Domain &domain : problem.domains) {
      Domain moved = domain;
      moved.mask.assign(domain.size() * result.words, 0);
      for (std::size_t i = 0; i < domain.size(); ++i)
        for (unsigned u = 0; u < n; ++u)
          if (const unsigned at = copy * n + u; domain.mask[i] >> u & 1)
            moved.mask[i * result.words + at / 64] |= std::uint64_t{1} << (at % 64);
      result.domains.push_back(std::move(moved));
    }
  return result;
}

} // namespace

TEST(group_bound_is_the_optimum_of_a_small_problem) {
  Random random(1);
  for (unsigned repeat = 0; repeat < 60; ++repeat) {
    RandomProblem shape;
    shape.nodes = static_cast<Node>(repeat % 13);
    shape.sets = 1 + random.below(20);
    shape.without_empty = 0.1 * random.below(3);
    shape.distinct_scores = random.below(2) * 4;
    const Problem problem = random_problem(shape, random);
    const double optimum = best_over_subsets(problem);
    if (optimum == -kInfinity)
      CHECK_EQUAL(bound(problem), -kInfinity);
    else
      CHECK_NEAR(bound(problem), optimum, 1e-11);
  }
}

TEST(group_bound_lies_between_the_optimum_and_the_best_sets) {
  Random random(2);
  unsigned better = 0;
  for (unsigned repeat = 0; repeat < 12; ++repeat) {
    RandomProblem shape;
    shape.nodes = static_cast<Node>(19 + repeat % 2);
    shape.sets = 5 + random.below(15);
    shape.without_empty = 0.05 * random.below(3);
    shape.distinct_scores = repeat % 3 == 0 ? 5 : 0;
    const Problem problem = random_problem(shape, random);
    const double value = bound(problem);
    CHECK(value >= best_over_subsets(problem) - 1e-11);
    CHECK(value <= sum_of_best(problem));
    better += value < sum_of_best(problem) - 1e-9;
  }
  CHECK(better >= 6);
}

TEST(group_bound_groups_the_nodes_of_a_component) {
  Random random(3);
  RandomProblem shape;
  shape.nodes = 9;
  shape.sets = 12;
  for (unsigned repeat = 0; repeat < 10; ++repeat) {
    const Problem problem = random_problem(shape, random);
    const double optimum = best_over_subsets(problem);
    for (const unsigned times : {2u, 7u, 15u}) { // one word, two with none across, three
      const double value = bound(repeated(problem, times));
      CHECK(value >= times * optimum - 1e-10);
      CHECK(value <= times * sum_of_best(problem));
    }
    CHECK_NEAR(bound(repeated(problem, 2)), 2 * optimum, 1e-10);
  }
}

TEST(group_bound_finds_pairs_of_mutual_parents) {
  // Nodes 2i and 2i + 1 have each other as best parents, 100 pairs; in each pair one has to go
  // without, at the lower loss.
  Problem problem;
  problem.words = 4;
  double optimum = 0;
  for (unsigned v = 0; v < 200; ++v) {
    const unsigned other = v ^ 1, pair = v / 2;
    const double loss = v % 2 ? 1 + pair : 2 + pair;
    Domain domain{{0, -loss}, std::vector<std::uint64_t>(8, 0), {0, 1}};
    domain.mask[other / 64] = std::uint64_t{1} << (other % 64);
    problem.domains.push_back(domain);
    optimum -= v % 2 ? loss : 0;
  }
  CHECK_NEAR(bound(problem), optimum, 1e-9);
}

TEST(group_bound_does_not_depend_on_threads) {
  Random random(4);
  RandomProblem shape;
  shape.nodes = 120;
  shape.sets = 20;
  shape.without_empty = 0.1;
  const Problem problem = random_problem(shape, random);
  const double one = bound(problem);
  CHECK(one < sum_of_best(problem));
  for (const unsigned threads : {2u, 4u})
    CHECK_EQUAL(bound(problem, threads), one);
}

TEST(group_bound_is_minus_infinity_when_nothing_is_possible) {
  Problem empty_domain;
  empty_domain.domains = {{{-1}, {0}, {0}}, {}};
  CHECK_EQUAL(bound(empty_domain), -kInfinity);
  Problem unscored;
  unscored.domains = {{{-kInfinity}, {0}, {0}}};
  CHECK_EQUAL(bound(unscored), -kInfinity);
  CHECK_EQUAL(bound(Problem()), 0.0);
}

TEST(group_bound_is_valid_when_stopped_with_any_threads) {
  Random random(5);
  RandomProblem shape;
  shape.nodes = 200;
  shape.sets = 30;
  const Problem problem = random_problem(shape, random);
  const double whole = bound(problem);
  for (const unsigned threads : {1u, 3u})
    for (int polls = 0; polls < 4; ++polls) {
      Host host = host_stopping_after(polls, threads);
      Watch watch(host);
      const double value = pattern_database_bound(problem, watch);
      CHECK(value >= whole - 1e-9);
      CHECK(value <= sum_of_best(problem) + 1e-9);
      if (polls == 0) // nothing was done beyond adding up the best sets
        CHECK_NEAR(value, sum_of_best(problem), 1e-9);
    }
}
