#include "check.h"
#include "dual_fixtures.h"

#include "core/structure/bounds/dual_ascent.h"
#include "core/structure/bounds/root_dual.h"

using namespace optbn;
using namespace fixtures;

namespace {

template <unsigned Words> struct Found {
  Dual<Words> dual;
  Cost bound;
};

template <unsigned Words>
Found<Words> run(const CostProblem<Words> &problem, Cost upper, const Dual<Words> &warm = {},
                 unsigned rounds = 1000, const Host &host = Host()) {
  Watch watch(host);
  RootDual<Words> dual(problem, warm, upper, watch);
  dual.improve(rounds);
  return {dual.dual(), dual.bound()};
}

RandomProblem varied(unsigned trial) {
  RandomProblem shape;
  shape.nodes = static_cast<Node>(1 + trial % 12);
  shape.sets = 4 + trial % 17;
  shape.parents = 1 + trial % 4;
  shape.without_empty = trial % 4 == 1 ? .2 : 0;
  shape.distinct_scores = trial % 3 == 1 ? 4 : 0;
  return shape;
}

} // namespace

// From an upper bound far above the optimum, which makes nothing easier.
TEST(root_dual_never_exceeds_the_optimum) {
  Random random(1);
  unsigned closed = 0, problems = 0;
  for (unsigned trial = 0; trial < 240; ++trial) {
    const CostProblem<1> problem(random_problem(varied(trial), random));
    const Cost optimum = cheapest_network(problem);
    const Found<1> found = run(problem, optimum == kNoCost ? kNoCost / 2 : 2 * optimum + 1);
    if (optimum == kNoCost)
      continue;
    ++problems;
    CHECK(found.bound <= optimum);
    CHECK_EQUAL(found.bound, bound_of(problem, found.dual));
    CHECK(found.bound >= bound_of(problem, Dual<1>()));
    closed += problem.units(optimum - found.bound) < .01;
  }
  CHECK(problems > 150);
  CHECK(closed > problems * 8 / 10);
}

TEST(root_dual_is_infinite_when_there_is_no_network) {
  Problem scores;
  scores.domains.resize(2);
  scores.domains[0] = {{0, -1}, {2, 0}, {0, 1}};
  scores.domains[1] = {{0}, {1}, {0}};
  scores.domains[0].score.pop_back(); // without the empty set
  scores.domains[0].mask.pop_back();
  CHECK_EQUAL(run(CostProblem<1>(scores), 1000).bound, kNoCost);
}

TEST(root_dual_keeps_a_warm_bound) {
  Random random(2);
  RandomProblem shape;
  shape.nodes = 10;
  shape.sets = 25;
  for (unsigned trial = 0; trial < 30; ++trial) {
    const CostProblem<1> problem(random_problem(shape, random));
    const Cost optimum = cheapest_network(problem);
    const Found<1> cold = run(problem, optimum);
    const Found<1> warm = run(problem, optimum, cold.dual, 1);
    CHECK(warm.bound >= cold.bound && warm.bound <= optimum);
    Dual<1> any = random_dual(shape.nodes, random);
    for (Cluster<1> &cluster : any.clusters)
      cluster.price = problem.cost(.01 * static_cast<double>(cluster.price));
    any.groups.clear();
    CHECK(run(problem, optimum, any, 1).bound >= bound_of(problem, any));
  }
}

TEST(root_dual_stopped_at_any_poll_has_a_valid_bound) {
  Random random(3);
  RandomProblem shape;
  shape.nodes = 12;
  shape.sets = 60;
  const CostProblem<1> problem(random_problem(shape, random));
  const Cost optimum = cheapest_network(problem);
  for (int polls = 0; polls < 3; ++polls) {
    const Host host = host_stopping_after(polls, 1);
    const Found<1> found = run(problem, optimum, {}, 1000, host);
    CHECK(found.bound <= optimum);
    CHECK_EQUAL(found.bound, bound_of(problem, found.dual));
  }
}

TEST(root_dual_continues_where_it_halted) {
  Random random(7);
  RandomProblem shape;
  shape.nodes = 12;
  shape.sets = 60;
  const CostProblem<1> problem(random_problem(shape, random));
  const Cost upper = 2 * cheapest_network(problem);
  const Host host;
  Watch watch(host);
  RootDual<1> dual(problem, {}, upper, watch);
  Cost before = dual.bound();
  unsigned halts = 0;
  while (dual.improve(1)) {
    CHECK(dual.bound() >= before);
    CHECK_EQUAL(dual.bound(), bound_of(problem, dual.dual()));
    before = dual.bound();
    ++halts;
  }
  CHECK(halts > 2);
  CHECK(dual.bound() >= run(problem, upper, {}, 1).bound);
}

TEST(root_dual_is_the_same_with_wider_masks) {
  Random random(4);
  RandomProblem shape;
  shape.nodes = 14;
  shape.sets = 30;
  const Problem narrow = random_problem(shape, random);
  Problem wide = narrow;
  wide.words = 2;
  for (Domain &domain : wide.domains) {
    std::vector<std::uint64_t> mask(2 * domain.size(), 0);
    for (std::size_t i = 0; i < domain.size(); ++i)
      mask[2 * i] = domain.mask[i];
    domain.mask = mask;
  }
  const CostProblem<1> one(narrow);
  const CostProblem<2> two(wide);
  const Cost upper = cheapest_network(one);
  CHECK_EQUAL(run(one, upper).bound, run(two, upper).bound);
}

// Sixty nodes in circles that each must be broken where it costs least.
TEST(root_dual_closes_disjoint_circles) {
  Random random(5);
  Problem scores;
  scores.words = 2;
  scores.domains.resize(66);
  double loss = 0;
  for (Node first = 0; first < 66; first += 3) {
    double least = 100;
    for (Node v = first; v < first + 3; ++v) {
      const unsigned parent = first + (v - first + 1u) % 3;
      std::vector<std::uint64_t> mask(4, 0);
      mask[parent / 64] |= std::uint64_t{1} << (parent % 64);
      const double without = 1 + random.below(50);
      scores.domains[v] = {{0, -without}, mask, {0, 1}};
      least = std::min(least, without);
    }
    loss += least;
  }
  const CostProblem<2> problem(scores);
  const Found<2> found = run(problem, 2 * problem.cost(loss));
  CHECK_NEAR(problem.units(found.bound), loss, 1e-6);
}

TEST(ascent_raises_the_bound_of_any_dual) {
  Random random(6);
  Host host;
  Watch watch(host);
  unsigned raised = 0;
  for (unsigned trial = 0; trial < 100; ++trial) {
    const CostProblem<1> problem(random_problem(varied(trial), random));
    const Cost optimum = cheapest_network(problem);
    if (optimum == kNoCost)
      continue;
    Dual<1> dual;
    Cost before = bound_of(problem, dual);
    for (const unsigned steps : {0u, 1u, 1000u}) {
      const Cost bound = ascend(problem, dual, optimum, steps, watch);
      CHECK_EQUAL(bound, bound_of(problem, dual));
      CHECK(steps ? bound >= before : bound == before);
      CHECK(bound <= optimum);
      raised += bound > before;
      before = bound;
    }
  }
  CHECK(raised > 50);
}
