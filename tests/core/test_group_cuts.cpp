#include "check.h"
#include "dual_fixtures.h"

#include "core/structure/bounds/cuts/group_cuts.h"

using namespace optbn;
using namespace fixtures;

namespace {

FractionalNetwork<1> random_weights(const CostProblem<1> &problem, Random &random) {
  FractionalNetwork<1> network;
  network.support.resize(problem.size());
  for (Node v = 0; v < problem.size(); ++v) {
    const std::vector<BitSet<1>> &sets = problem.domains[v].set;
    const double weight = random.uniform();
    const std::size_t first = random.below(static_cast<std::uint32_t>(sets.size()));
    const std::size_t second = random.below(static_cast<std::uint32_t>(sets.size()));
    network.support[v].push_back({sets[first], weight});
    network.support[v].push_back({sets[second], 1 - weight});
  }
  return network;
}

} // namespace

// The left-hand side of every network is at least 1; that of the fractional one is less than 1 by
// the violation of the cut.
TEST(group_cuts_are_valid_and_violated) {
  Random random(1);
  unsigned cuts = 0;
  for (unsigned trial = 0; trial < 300; ++trial) {
    RandomProblem shape;
    shape.nodes = 6;
    shape.without_empty = trial % 2 ? .3 : 0;
    const CostProblem<1> problem(random_problem(shape, random));
    const FractionalNetwork<1> network = random_weights(problem, random);
    const std::vector<Node> group =
        trial % 3 ? std::vector<Node>{0, 2, 3, 5} : std::vector<Node>{1, 2, 4};
    const GroupCut cut = violated_cut(problem, network, group, .01);
    if (cut.nodes.empty())
      continue;
    ++cuts;
    const unsigned g = static_cast<unsigned>(group.size());
    double least = 1e9;
    for_each_acyclic_choice(g, 0, [&](const std::vector<unsigned> &choice) {
      double lhs = 0;
      for (unsigned i = 0; i < g; ++i)
        lhs += cut.coefficient[i << g | choice[i]];
      least = std::min(least, lhs);
    });
    CHECK_NEAR(least, 1, 1e-9);
    double lhs = 0;
    for (unsigned i = 0; i < g; ++i)
      for (const auto &weighted : network.support[group[i]])
        lhs += weighted.weight * cut.coefficient[i << g | pattern_in(group, weighted.set)];
    CHECK_NEAR(cut.violation, 1 - lhs, 1e-9);
    CHECK(cut.violation > .01);
  }
  CHECK(cuts > 30);
}

TEST(group_cuts_hold_for_mixtures_of_networks) {
  Random random(2);
  RandomProblem shape;
  shape.nodes = 7;
  shape.sets = 40;
  for (unsigned trial = 0; trial < 50; ++trial) {
    const CostProblem<1> problem(random_problem(shape, random));
    FractionalNetwork<1> network;
    network.support.resize(7);
    for (unsigned part = 0; part < 4; ++part) {
      std::vector<Node> order{0, 1, 2, 3, 4, 5, 6};
      random.shuffle(order);
      BitSet<1> before;
      for (const Node v : order) {
        for (const BitSet<1> &set : problem.domains[v].set)
          if (set.inside(before)) {
            network.support[v].push_back({set, .25});
            break;
          }
        before.insert(v);
      }
    }
    CHECK(violated_cut(problem, network, {0, 1, 3, 4, 6}, .01).nodes.empty());
  }
}

TEST(close_groups_follow_the_arcs) {
  FractionalNetwork<1> network; // two separate circles of three
  network.support.resize(6);
  for (Node v = 0; v < 6; ++v)
    network.support[v].push_back({BitSet<1>::of(v / 3 * 3 + (v + 1u) % 3), 1});
  Random random(1);
  const auto groups = close_groups(network, 3, 50, random);
  CHECK_EQUAL(groups.size(), 2u);
  CHECK(groups.front() == (std::vector<Node>{0, 1, 2}));
  CHECK(close_groups(network, 4, 50, random).empty());
}
