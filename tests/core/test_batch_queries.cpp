#include "check.h"
#include "random_network.h"
#include "random_problem.h"

#include "core/base/errors.h"
#include "core/inference/batch_queries.h"

using namespace optbn;
using namespace inference_test;

namespace {

PartialRows random_rows(const DiscreteNetwork &network, std::size_t rows, double missing,
                        Random &random) {
  PartialRows partial;
  partial.rows = rows;
  for (Node v = 0; v < network.size(); ++v) {
    partial.columns.emplace_back(rows);
    for (std::uint16_t &level : partial.columns.back())
      level = random.uniform() < missing
                  ? PartialRows::kMissing
                  : static_cast<std::uint16_t>(random.below(network.levels[v]));
  }
  return partial;
}

Evidence evidence_of(const PartialRows &rows, std::size_t row, Node hidden) {
  const Node nodes = static_cast<Node>(rows.columns.size());
  Evidence evidence(nodes);
  for (Node v = 0; v < nodes; ++v)
    if (v != hidden && rows.columns[v][row] != PartialRows::kMissing)
      evidence.observe(v, rows.columns[v][row]);
  return evidence;
}

const double kUnlimited = std::numeric_limits<double>::infinity();

bool equal(const std::vector<double> &a, const std::vector<double> &b) { // not a number is itself
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return x == y || (x != x && y != y); });
}

} // namespace

TEST(batch_queries_agree_with_the_queries_of_each_row) {
  Random random(1);
  Host host;
  Watch watch(host);
  unsigned impossible = 0;
  for (unsigned repeat = 0; repeat < 40; ++repeat) {
    NetworkShape shape;
    shape.nodes = 6;
    shape.most_levels = 3;
    shape.zeros = repeat % 2 ? 0.4 : 0;
    const DiscreteNetwork network = random_network(shape, random);
    const JunctionTree tree(network, some_decomposition(network, &random));
    const PartialRows rows = random_rows(network, 60, 0.1 * (repeat % 11), random);
    const Node node = static_cast<Node>(repeat % 6);
    const std::vector<double> log_p = log_probabilities(tree, rows, kUnlimited, watch);
    const std::vector<double> p = posteriors(tree, rows, node, kUnlimited, watch);
    for (std::size_t i = 0; i < rows.rows; ++i) {
      const Enumeration observed(network, evidence_of(rows, i, shape.nodes));
      if (observed.total > 0)
        CHECK_NEAR(log_p[i], std::log(observed.total), 1e-11);
      else
        CHECK_EQUAL(log_p[i], -kUnlimited);
      const Enumeration others(network, evidence_of(rows, i, node));
      const std::vector<double> expected = others.joint({node});
      for (unsigned k = 0; k < network.levels[node]; ++k) {
        const double found = p[i * network.levels[node] + k];
        if (others.total > 0)
          CHECK_NEAR(found, expected[k], 1e-12);
        else
          CHECK(found != found);
      }
      impossible += !(others.total > 0);
    }
  }
  CHECK(impossible > 10);
}

TEST(batch_queries_do_not_depend_on_threads_or_on_the_order_of_rows) {
  Random random(2);
  NetworkShape shape;
  shape.nodes = 12;
  const DiscreteNetwork network = random_network(shape, random);
  const JunctionTree tree(network, some_decomposition(network, nullptr));
  const PartialRows rows = random_rows(network, 2000, 0.4, random);
  std::vector<std::size_t> order(rows.rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  random.shuffle(order);
  PartialRows shuffled = rows;
  for (Node v = 0; v < shape.nodes; ++v)
    for (std::size_t i = 0; i < rows.rows; ++i)
      shuffled.columns[v][i] = rows.columns[v][order[i]];

  Host host;
  Watch watch(host);
  const std::vector<double> log_p = log_probabilities(tree, rows, kUnlimited, watch);
  const std::vector<double> p = posteriors(tree, rows, 3, kUnlimited, watch);
  for (const unsigned threads : {2u, 4u}) {
    Host more;
    more.threads = threads;
    Watch other_watch(more);
    CHECK(equal(log_probabilities(tree, rows, kUnlimited, other_watch), log_p));
    CHECK(equal(posteriors(tree, rows, 3, kUnlimited, other_watch), p));
    const std::vector<double> other = log_probabilities(tree, shuffled, kUnlimited, other_watch);
    for (std::size_t i = 0; i < rows.rows; ++i)
      CHECK_EQUAL(other[i], log_p[order[i]]);
  }
}

TEST(batch_queries_fit_into_memory_whatever_the_threads) {
  Random random(4);
  NetworkShape shape;
  shape.nodes = 12;
  const DiscreteNetwork network = random_network(shape, random);
  const JunctionTree tree(network, some_decomposition(network, nullptr));
  const PartialRows rows = random_rows(network, 1000, 0.8, random);
  Propagation largest(tree);
  largest.set_evidence(Evidence(shape.nodes), std::vector<char>(shape.nodes, true));
  const double messages = largest.bytes();
  for (std::size_t i = 0; i < tree.tree().size(); ++i)
    largest.store(i);
  Host host;
  Watch watch(host);
  const std::vector<double> log_p = log_probabilities(tree, rows, kUnlimited, watch);
  const std::vector<double> p = posteriors(tree, rows, 3, kUnlimited, watch);
  for (const unsigned threads : {1u, 2u, 4u}) {
    Host more;
    more.threads = threads;
    Watch other_watch(more);
    CHECK(equal(log_probabilities(tree, rows, messages, other_watch), log_p));
    CHECK(equal(posteriors(tree, rows, 3, largest.bytes(), other_watch), p));
    CHECK_THROWS(posteriors(tree, rows, 3, 100, other_watch), MemoryLimit);
  }
}

TEST(batch_queries_stop_when_asked_whatever_the_threads) {
  Random random(3);
  NetworkShape shape;
  shape.nodes = 10;
  const DiscreteNetwork network = random_network(shape, random);
  const JunctionTree tree(network, some_decomposition(network, nullptr));
  const PartialRows rows = random_rows(network, 3000, 0.5, random);
  for (const unsigned threads : {1u, 3u}) {
    Host host = host_stopping_after(0, threads);
    Watch watch(host);
    CHECK_THROWS(log_probabilities(tree, rows, kUnlimited, watch), Interrupted);
  }
  Host host;
  Watch watch(host);
  CHECK_EQUAL(log_probabilities(tree, PartialRows{0, rows.columns}, kUnlimited, watch).size(), 0u);
}
