#include "check.h"
#include "random_network.h"

#include "core/base/errors.h"

using namespace optbn;
using namespace inference_test;

namespace {

const double kImpossible = -std::numeric_limits<double>::infinity();

struct Fixture {
  Host host;
  Watch watch{host};
};

void check_equal(const std::vector<double> &a, const std::vector<double> &b, double tolerance) {
  CHECK_EQUAL(a.size(), b.size());
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    CHECK_NEAR(a[i], b[i], tolerance);
}

std::vector<double> all_marginals(const Enumeration &all, Node nodes) {
  std::vector<double> result;
  for (Node v = 0; v < nodes; ++v)
    for (const double p : all.joint({v}))
      result.push_back(p);
  return result;
}

std::vector<Node> some_nodes(Node nodes, unsigned most, Random &random) {
  std::vector<Node> some(nodes);
  std::iota(some.begin(), some.end(), Node{0});
  random.shuffle(some);
  some.resize(1 + random.below(std::min<unsigned>(most, nodes)));
  return some;
}

NetworkShape random_shape(unsigned repeat, Random &random) {
  NetworkShape shape;
  shape.nodes = static_cast<Node>(1 + repeat % 8);
  shape.most_levels = 2 + random.below(3);
  shape.most_parents = 1 + random.below(3);
  shape.zeros = 0.25 * random.below(3);
  return shape;
}

// A chain x0 -> x1 -> ... in which every node has its parent's level with this probability.
DiscreteNetwork chain(Node nodes, double probability) {
  DiscreteNetwork network;
  for (Node v = 0; v < nodes; ++v) {
    network.levels.push_back(2);
    network.parents.push_back(v ? std::vector<Node>{static_cast<Node>(v - 1)}
                                : std::vector<Node>{});
    network.tables.push_back(
        v ? std::vector<double>{probability, 1 - probability, 1 - probability, probability}
          : std::vector<double>{0.5, 0.5});
  }
  return network;
}

// A cause of two levels with many effects, each of which is certain with probability p[cause].
DiscreteNetwork star(Node effects, double p0, double p1) {
  DiscreteNetwork network;
  network.levels.assign(effects + 1u, 2);
  network.parents.assign(effects + 1u, {0});
  network.parents[0] = {};
  network.tables.assign(effects + 1u, {p0, 1 - p0, p1, 1 - p1});
  network.tables[0] = {0.5, 0.5};
  return network;
}

} // namespace

TEST(junction_tree_probabilities_and_marginals_are_those_of_enumeration) {
  Random random(1);
  Fixture f;
  unsigned impossible = 0;
  for (unsigned repeat = 0; repeat < 300; ++repeat) {
    const DiscreteNetwork network = random_network(random_shape(repeat, random), random);
    const JunctionTree tree(network, some_decomposition(network, &random));
    Propagation propagation(tree);
    for (unsigned query = 0; query < 4; ++query) {
      const Evidence evidence = random_evidence(network, random, 2 + query);
      const Enumeration all(network, evidence);
      if (all.total > 0) {
        CHECK_NEAR(log_probability(propagation, evidence, f.watch), std::log(all.total), 1e-11);
        check_equal(marginals(propagation, evidence, f.watch), all_marginals(all, network.size()),
                    1e-12);
      } else {
        ++impossible;
        CHECK_EQUAL(log_probability(propagation, evidence, f.watch), kImpossible);
        CHECK_THROWS(marginals(propagation, evidence, f.watch), ImpossibleEvidence);
      }
    }
  }
  CHECK(impossible > 20 && impossible < 600);
}

TEST(junction_tree_joint_posteriors_are_those_of_enumeration) {
  Random random(2);
  Fixture f;
  unsigned queried = 0;
  for (unsigned repeat = 0; repeat < 400; ++repeat) {
    const DiscreteNetwork network = random_network(random_shape(repeat, random), random);
    const JunctionTree tree(network, some_decomposition(network, &random));
    Propagation propagation(tree);
    const Evidence evidence = random_evidence(network, random, 6);
    const std::vector<Node> nodes = some_nodes(network.size(), 5, random);
    const Enumeration all(network, evidence);
    if (all.total > 0) {
      check_equal(joint_posterior(propagation, evidence, nodes, f.watch), all.joint(nodes), 1e-12);
      ++queried;
    } else {
      CHECK_THROWS(joint_posterior(propagation, evidence, nodes, f.watch), ImpossibleEvidence);
    }
  }
  CHECK(queried > 200);
}

TEST(junction_tree_finds_the_most_probable_state) {
  Random random(3);
  Fixture f;
  for (unsigned repeat = 0; repeat < 300; ++repeat) {
    const DiscreteNetwork network = random_network(random_shape(repeat, random), random);
    const JunctionTree tree(network, some_decomposition(network, &random));
    Propagation propagation(tree);
    const Evidence evidence = random_evidence(network, random, 5);
    const Enumeration all(network, evidence);
    if (!(all.total > 0)) {
      CHECK_THROWS(most_probable(propagation, evidence, f.watch), ImpossibleEvidence);
      continue;
    }
    const State state = most_probable(propagation, evidence, f.watch);
    const double best = *std::max_element(all.weights.begin(), all.weights.end());
    std::size_t place = 0;
    while (all.rows[place] != state.row)
      ++place;
    CHECK_NEAR(all.weights[place], best, 1e-12 * best);
    CHECK_NEAR(state.log_probability, std::log(all.probability(state.row)), 1e-11);
  }
}

TEST(junction_tree_prefers_low_levels_where_states_tie) {
  Fixture f;
  DiscreteNetwork network = chain(4, 0.5);
  const JunctionTree tree(network, some_decomposition(network, nullptr));
  Propagation propagation(tree);
  CHECK((most_probable(propagation, Evidence(4), f.watch).row == Row{0, 0, 0, 0}));
  Evidence evidence(4);
  evidence.observe(2, 1);
  CHECK((most_probable(propagation, evidence, f.watch).row == Row{0, 0, 1, 0}));
}

TEST(junction_tree_draws_are_from_the_posterior) {
  Random random(4);
  Fixture f;
  for (unsigned repeat = 0; repeat < 12; ++repeat) {
    NetworkShape shape;
    shape.nodes = 5;
    shape.most_levels = 3;
    shape.zeros = repeat % 2 ? 0.4 : 0;
    const DiscreteNetwork network = random_network(shape, random);
    const JunctionTree tree(network, some_decomposition(network, &random));
    Propagation propagation(tree);
    Evidence evidence = random_evidence(network, random, 5);
    if (log_probability(propagation, evidence, f.watch) == kImpossible)
      evidence = Evidence(network.size());
    const Enumeration all(network, evidence);
    const std::size_t draws = 20000;
    const auto drawn = draw_rows(propagation, evidence, draws, random, f.watch);
    std::vector<double> count(all.rows.size(), 0);
    for (std::size_t i = 0; i < draws; ++i) {
      std::size_t place = 0, stride = 1;
      for (Node v = 0; v < network.size(); ++v) {
        place += drawn[i * network.size() + v] * stride;
        stride *= network.levels[v];
      }
      ++count[place];
    }
    for (std::size_t s = 0; s < count.size(); ++s) {
      const double p = all.weights[s] / all.total;
      CHECK(p > 0 || count[s] == 0);
      CHECK_NEAR(count[s] / draws, p, 5.5 * std::sqrt(p * (1 - p) / draws) + 1e-12);
    }
  }
}

TEST(junction_tree_results_do_not_depend_on_earlier_queries) {
  Random random(5);
  Fixture f;
  const DiscreteNetwork network = random_network(NetworkShape(), random);
  const JunctionTree tree(network, some_decomposition(network, &random));
  Propagation used(tree);
  for (unsigned repeat = 0; repeat < 60; ++repeat) {
    const Evidence evidence = random_evidence(network, random, 3);
    const std::vector<Node> nodes = some_nodes(network.size(), 3, random);
    Propagation fresh(tree);
    const double log_p = log_probability(used, evidence, f.watch);
    CHECK_EQUAL(log_p, log_probability(fresh, evidence, f.watch));
    if (log_p == kImpossible)
      continue;
    CHECK(marginals(used, evidence, f.watch) == marginals(fresh, evidence, f.watch));
    CHECK(joint_posterior(used, evidence, nodes, f.watch) ==
          joint_posterior(fresh, evidence, nodes, f.watch));
    CHECK(most_probable(used, evidence, f.watch).row ==
          most_probable(fresh, evidence, f.watch).row);
  }
}

TEST(junction_tree_does_not_depend_on_names_or_on_the_decomposition) {
  Random random(6);
  Fixture f;
  NetworkShape shape;
  shape.nodes = 18; // too many to enumerate
  double most_cells = 0;
  for (unsigned repeat = 0; repeat < 20; ++repeat) {
    const DiscreteNetwork network = random_network(shape, random);
    std::vector<Node> name(shape.nodes);
    std::iota(name.begin(), name.end(), Node{0});
    random.shuffle(name);
    DiscreteNetwork renamed = network;
    for (Node v = 0; v < shape.nodes; ++v) {
      renamed.levels[name[v]] = network.levels[v];
      renamed.tables[name[v]] = network.tables[v];
      renamed.parents[name[v]] = network.parents[v];
      for (Node &parent : renamed.parents[name[v]])
        parent = name[parent];
    }
    const Evidence evidence = random_evidence(network, random, 8);
    Evidence same(shape.nodes);
    for (Node v = 0; v < shape.nodes; ++v)
      if (evidence.observed(v))
        same.observe(name[v], static_cast<unsigned>(evidence.level(v)));
    for (const auto &[node, likelihood] : evidence.likelihoods())
      same.add_likelihood(name[node], likelihood);

    const JunctionTree tree(network, some_decomposition(network, &random));
    const JunctionTree other(renamed, some_decomposition(renamed, &random));
    most_cells = std::max(most_cells, tree.tree().total_cells);
    Propagation one(tree), two(other);
    const double log_p = log_probability(one, evidence, f.watch);
    if (log_p == kImpossible) {
      CHECK_EQUAL(log_probability(two, same, f.watch), kImpossible);
      continue;
    }
    CHECK_NEAR(log_p, log_probability(two, same, f.watch), 1e-11);
    const std::vector<Node> nodes = some_nodes(shape.nodes, 4, random);
    std::vector<Node> also;
    for (const Node v : nodes)
      also.push_back(name[v]);
    check_equal(joint_posterior(one, evidence, nodes, f.watch),
                joint_posterior(two, same, also, f.watch), 1e-12);
    CHECK_NEAR(most_probable(one, evidence, f.watch).log_probability,
               most_probable(two, same, f.watch).log_probability, 1e-11);
  }
  CHECK(most_cells > 20.0 * kBlockCells); // tables of many blocks were among them
}

TEST(junction_tree_stays_exact_where_products_underflow) {
  Fixture f;
  // 600 effects are evidence against the first level of the cause, 600 against the second: each
  // side's evidence alone is below the smallest double.
  const Node effects = 1200;
  const DiscreteNetwork network = star(effects, 0.001, 0.4);
  const JunctionTree tree(network, some_decomposition(network, nullptr));
  Propagation propagation(tree);
  Evidence evidence(network.size());
  double log_odds = 0; // of the second level against the first
  double log_p[2] = {std::log(0.5), std::log(0.5)};
  for (Node v = 1; v <= effects; ++v) {
    const bool rare = v % 8 == 0;
    evidence.observe(v, rare ? 0 : 1);
    log_p[0] += std::log(rare ? 0.001 : 0.999);
    log_p[1] += std::log(rare ? 0.4 : 0.6);
  }
  log_odds = log_p[1] - log_p[0];
  CHECK(log_p[0] < -745 && log_p[1] < -600);
  const double larger = std::max(log_p[0], log_p[1]);
  const double total = larger + std::log1p(std::exp(-std::abs(log_odds)));
  CHECK_NEAR(log_probability(propagation, evidence, f.watch), total, 1e-9);
  CHECK_NEAR(joint_posterior(propagation, evidence, {0}, f.watch)[1], 1 / (1 + std::exp(-log_odds)),
             1e-10);
  check_equal(
      joint_posterior(propagation, evidence, {0}, f.watch),
      {marginals(propagation, evidence, f.watch)[0], marginals(propagation, evidence, f.watch)[1]},
      1e-12);
}

TEST(junction_tree_handles_long_chains_of_improbable_evidence) {
  Fixture f;
  const Node nodes = 3000;
  const DiscreteNetwork network = chain(nodes, 0.999);
  const JunctionTree tree(network, some_decomposition(network, nullptr));
  Propagation propagation(tree);
  Evidence evidence(nodes);
  for (Node v = 0; v < nodes; v += 2)
    evidence.observe(v, v / 2 % 2);
  // between two observed nodes of different level there is one change, at either of two places
  const double between = std::log(2 * 0.999 * 0.001);
  const double expected = std::log(0.5) + (nodes / 2 - 1) * between;
  CHECK_NEAR(log_probability(propagation, evidence, f.watch), expected, 1e-8);
  const std::vector<double> p = marginals(propagation, evidence, f.watch);
  CHECK_NEAR(p[2], 0.5, 1e-12);
  CHECK_NEAR(p[2 * 1001], 0.5, 1e-12);
}

TEST(junction_tree_names_evidence_that_conflicts) {
  Fixture f;
  const DiscreteNetwork network = chain(5, 1); // all levels are equal
  const JunctionTree tree(network, some_decomposition(network, nullptr));
  Propagation propagation(tree);
  Evidence evidence(5);
  evidence.observe(0, 1);
  evidence.observe(2, 1);
  evidence.add_likelihood(3, {1, 0});
  evidence.observe(4, 0);
  CHECK((conflicting_nodes(propagation, evidence, f.watch) == std::vector<Node>{2, 4}));
}

TEST(junction_tree_refuses_what_does_not_fit) {
  Fixture f;
  Random random(7);
  const DiscreteNetwork network = chain(6, 0.9);
  TreeDecomposition short_of_one = some_decomposition(network, nullptr);
  short_of_one.bags[0] = {5};
  CHECK_THROWS(JunctionTree(network, short_of_one), Error);
  DiscreteNetwork odd = network;
  odd.tables[3].pop_back();
  CHECK_THROWS(JunctionTree(odd, some_decomposition(network, nullptr)), Error);

  const JunctionTree tree(network, some_decomposition(network, nullptr));
  Propagation small(tree, 100);
  try {
    marginals(small, Evidence(6), f.watch);
    CHECK(false);
  } catch (const MemoryLimit &e) {
    CHECK_EQUAL(e.limit, 100);
    CHECK(e.needed > 100);
  }
}

TEST(junction_tree_stops_when_asked) {
  DiscreteNetwork network = chain(21, 0.9);
  TreeDecomposition one_bag;
  one_bag.bags.resize(1);
  for (Node v = 0; v < network.size(); ++v)
    one_bag.bags[0].push_back(v);
  one_bag.parent = {0};
  const JunctionTree tree(network, one_bag); // 2 million cells
  Propagation propagation(tree);
  Host host;
  host.should_stop = [] { return StopReason::interrupt; };
  Watch interrupted(host);
  CHECK_THROWS(marginals(propagation, Evidence(network.size()), interrupted), Interrupted);
  host.should_stop = [] { return StopReason::time_limit; };
  Watch late(host);
  CHECK_THROWS(most_probable(propagation, Evidence(network.size()), late), TimeLimitReached);
}
