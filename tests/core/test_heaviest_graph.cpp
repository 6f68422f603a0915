#include "check.h"
#include "width_fixtures.h"

#include "core/treewidth/cuts/heaviest_graph.h"

using namespace optbn;
using namespace fixtures;

namespace {

Adjacency graph_of(unsigned nodes, const std::vector<char> &edges) {
  Adjacency neighbours(nodes, 0);
  for (unsigned b = 0; b < nodes; ++b)
    for (unsigned a = 0; a < b; ++a)
      if (edges[pair_number(a, b)]) {
        neighbours[a] |= 1u << b;
        neighbours[b] |= 1u << a;
      }
  return neighbours;
}

double total(const std::vector<double> &weights, const std::vector<char> &edges) {
  double sum = 0;
  for (std::size_t j = 0; j < edges.size(); ++j)
    sum += edges[j] ? weights[j] : 0;
  return sum;
}

// Over all graphs.
double slow_heaviest(unsigned nodes, unsigned k, const std::vector<double> &weights) {
  double most = 0;
  std::vector<char> edges(weights.size());
  for (std::uint32_t set = 0; set < 1u << edges.size(); ++set) {
    for (std::size_t j = 0; j < edges.size(); ++j)
      edges[j] = set >> j & 1;
    const double sum = total(weights, edges);
    if (sum > most && slow_width(graph_of(nodes, edges)) <= k)
      most = sum;
  }
  return most;
}

std::vector<double> random_weights(unsigned nodes, Random &random) {
  std::vector<double> weights;
  for (std::size_t j = 0; j < pair_count(nodes); ++j)
    weights.push_back(random.below(8));
  return weights;
}

} // namespace

TEST(heaviest_graph_is_the_heaviest_of_all_graphs_of_that_width) {
  Random random(1);
  for (unsigned nodes = 2; nodes <= 6; ++nodes)
    for (unsigned k = 1; k < nodes; ++k) {
      HeaviestGraph heaviest(nodes, k);
      for (unsigned trial = 0; trial < (nodes == 6 ? 2 : 10); ++trial) {
        const std::vector<double> weights = random_weights(nodes, random);
        CHECK_EQUAL(heaviest.weight(weights), slow_heaviest(nodes, k, weights));
      }
    }
}

TEST(heaviest_graph_has_edges_of_that_weight_and_width) {
  Random random(2);
  for (unsigned nodes = 2; nodes <= kHeaviestGraphNodes; ++nodes)
    for (unsigned k = 1; k < nodes; ++k) {
      HeaviestGraph heaviest(nodes, k);
      for (unsigned trial = 0; trial < 3; ++trial) {
        const std::vector<double> weights = random_weights(nodes, random);
        const double most = heaviest.weight(weights);
        const std::vector<char> edges = heaviest.edges();
        CHECK_EQUAL(total(weights, edges), most);
        CHECK(slow_width(graph_of(nodes, edges)) <= k);
      }
    }
}

// All pairs of the same weight: a k-tree has that many edges.
TEST(heaviest_graph_of_equal_weights_has_the_edges_of_a_k_tree) {
  for (unsigned nodes = 2; nodes <= kHeaviestGraphNodes; ++nodes)
    for (unsigned k = 1; k < nodes; ++k)
      CHECK_EQUAL(HeaviestGraph(nodes, k).weight(std::vector<double>(pair_count(nodes), 1)),
                  k * nodes - k * (k + 1) / 2.0);
}
