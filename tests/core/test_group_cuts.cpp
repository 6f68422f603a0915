#include "check.h"
#include "dual_fixtures.h"

#include "core/structure/bounds/group_cuts.h"

using namespace optbn;
using namespace fixtures;

namespace {

FractionalNetwork<1> random_weights(const CostProblem<1> &problem, Random &random) {
  FractionalNetwork<1> network;
  network.shares.resize(problem.size());
  for (Node v = 0; v < problem.size(); ++v) {
    const std::vector<BitSet<1>> &sets = problem.domains[v].set;
    const double weight = random.uniform();
    const std::size_t first = random.below(static_cast<std::uint32_t>(sets.size()));
    const std::size_t second = random.below(static_cast<std::uint32_t>(sets.size()));
    network.shares[v].push_back({sets[first], weight});
    network.shares[v].push_back({sets[second], 1 - weight});
  }
  return network;
}

} // namespace

// Every network pays the cut at least 1, whatever it is made of; the fractional one pays as much
// less as the cut says.
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
      double paid = 0;
      for (unsigned i = 0; i < g; ++i)
        paid += cut.charge[i << g | choice[i]];
      least = std::min(least, paid);
    });
    CHECK_NEAR(least, 1, 1e-9);
    double paid = 0;
    for (unsigned i = 0; i < g; ++i)
      for (const auto &share : network.shares[group[i]])
        paid += share.weight * cut.charge[i << g | pattern_in(group, share.set)];
    CHECK_NEAR(cut.violation, 1 - paid, 1e-9);
    CHECK(cut.violation > .01);
  }
  CHECK(cuts > 30);
}

TEST(group_cuts_spare_mixtures_of_networks) {
  Random random(2);
  RandomProblem shape;
  shape.nodes = 7;
  shape.sets = 40;
  for (unsigned trial = 0; trial < 50; ++trial) {
    const CostProblem<1> problem(random_problem(shape, random));
    FractionalNetwork<1> network;
    network.shares.resize(7);
    for (unsigned part = 0; part < 4; ++part) {
      std::vector<Node> order{0, 1, 2, 3, 4, 5, 6};
      random.shuffle(order);
      BitSet<1> before;
      for (const Node v : order) {
        for (const BitSet<1> &set : problem.domains[v].set)
          if (set.inside(before)) {
            network.shares[v].push_back({set, .25});
            break;
          }
        before.insert(v);
      }
    }
    CHECK(violated_cut(problem, network, {0, 1, 3, 4, 6}, .01).nodes.empty());
  }
}

TEST(close_groups_follow_the_arcs) {
  FractionalNetwork<1> network; // two circles of three, apart
  network.shares.resize(6);
  for (Node v = 0; v < 6; ++v)
    network.shares[v].push_back({BitSet<1>::of(v / 3 * 3 + (v + 1u) % 3), 1});
  Random random(1);
  const auto groups = close_groups(network, 3, 50, random);
  CHECK_EQUAL(groups.size(), 2u);
  CHECK(groups.front() == (std::vector<Node>{0, 1, 2}));
  CHECK(close_groups(network, 4, 50, random).empty());
}
