#include "check.h"
#include "dual_fixtures.h"

using namespace optbn;
using namespace fixtures;

TEST(group_rhs_is_the_least_sum_of_an_acyclic_choice) {
  Random random(1);
  for (unsigned trial = 0; trial < 40; ++trial) {
    const unsigned g = 1 + trial % 4;
    GroupInequality group;
    for (unsigned i = 0; i < g; ++i)
      group.nodes.push_back(static_cast<Node>(3 * i + 1));
    for (unsigned j = 0; j < g << g; ++j)
      group.coefficient.push_back(static_cast<Cost>(random.below(1000)) - 300);
    group.compute_rhs();
    for (unsigned ordered = 0; ordered < 1u << g; ++ordered) {
      Cost least = kNoCost;
      for_each_acyclic_choice(g, ordered, [&](const std::vector<unsigned> &choice) {
        Cost lhs = 0;
        for (unsigned i = 0; i < g; ++i)
          if (!(ordered >> i & 1))
            lhs += group.coefficient[i << g | choice[i]];
        least = std::min(least, lhs);
      });
      BitSet<1> prefix; // with nodes outside the group, which do not matter
      prefix.insert(0);
      for (unsigned i = 0; i < g; ++i)
        if (ordered >> i & 1)
          prefix.insert(group.nodes[i]);
      CHECK_EQUAL(group.constant_term(prefix), least);
    }
  }
}

// Over all networks on four nodes that begin with a prefix, the least sum of prices of the other
// nodes is the constant term.
TEST(cluster_constant_term_is_the_least_of_any_network) {
  Random random(2);
  for (unsigned trial = 0; trial < 40; ++trial) {
    Cluster<1> cluster{random_nodes(4, random), 1, 7};
    if (cluster.nodes.size() < 2)
      continue;
    cluster.k = 1 + random.below(cluster.nodes.size() - 1);
    for (unsigned ordered = 0; ordered < 16; ++ordered) {
      Cost least = kNoCost;
      for_each_acyclic_choice(4, ordered, [&](const std::vector<unsigned> &choice) {
        Cost lhs = 0;
        for (unsigned i = 0; i < 4; ++i) {
          BitSet<1> set;
          set.word[0] = choice[i];
          if (!(ordered >> i & 1) && cluster.nodes.contains(i) && cluster.counts(set))
            lhs += cluster.price;
        }
        least = std::min(least, lhs);
      });
      BitSet<1> prefix;
      prefix.word[0] = ordered;
      CHECK_EQUAL(cluster.constant_term(prefix), least);
    }
  }
}

TEST(dual_bounds_every_network) {
  Random random(3);
  unsigned positive = 0;
  for (unsigned trial = 0; trial < 200; ++trial) {
    RandomProblem shape;
    shape.nodes = static_cast<Node>(2 + trial % 7);
    shape.without_empty = trial % 3 ? 0 : .3;
    const CostProblem<1> problem([&] {
      Problem scores = random_problem(shape, random);
      for (Domain &domain : scores.domains) // costs of the size of random_dual's
        for (double &score : domain.score)
          score = std::round(4 * score);
      return scores;
    }());
    Dual<1> dual = random_dual(shape.nodes, random);
    for (Cluster<1> &cluster : dual.clusters)
      cluster.price = problem.cost(static_cast<double>(cluster.price) / 20);
    for (GroupInequality &group : dual.groups) {
      for (Cost &coefficient : group.coefficient)
        coefficient = problem.cost(static_cast<double>(coefficient) / 20);
      group.compute_rhs();
    }
    const Cost bound = bound_of(problem, dual);
    CHECK(bound <= cheapest_network(problem));
    positive += bound > 0;
  }
  CHECK(positive > 5);
}

TEST(reduced_costs_subtract_multipliers_and_coefficients) {
  Problem scores;
  scores.domains.resize(3);
  scores.domains[0] = {{0, -1, -3}, {6, 2, 0}, {0, 1, 2}}; // {1, 2}, {1}, {}
  scores.domains[1] = {{0}, {0}, {0}};
  scores.domains[2] = {{0}, {0}, {0}};
  const CostProblem<1> problem(scores);
  Dual<1> dual;
  BitSet<1> pair = BitSet<1>::first(2);
  dual.clusters.push_back({pair, 1, 10});
  dual.clusters.push_back({BitSet<1>::first(3), 2, 100});
  GroupInequality group{{0, 2}, {1000, 0, 2000, 0, 0, 0, 0, 0}, {}};
  group.compute_rhs();
  dual.groups.push_back(group);
  const std::vector<Cost> reduced = reduced_costs(problem, dual, 0);
  CHECK_EQUAL(reduced[0], problem.cost(0) - 2000);
  CHECK_EQUAL(reduced[1], problem.cost(1) - 100 - 1000);
  CHECK_EQUAL(reduced[2], problem.cost(3) - 10 - 100 - 1000);
}
