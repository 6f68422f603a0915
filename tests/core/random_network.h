// Random discrete networks small enough to be enumerated, and their queries by enumeration.
#pragma once

#include "core/base/random.h"
#include "core/graph/tree_decomposition.h"
#include "core/inference/junction_tree.h"
#include "core/inference/queries.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

namespace inference_test {

using namespace optbn;

struct NetworkShape {
  Node nodes = 7;
  unsigned most_levels = 4; // each node has 1 to so many levels
  unsigned most_parents = 3;
  double zeros = 0; // fraction of the table entries that are 0
};

inline DiscreteNetwork random_network(const NetworkShape &shape, Random &random) {
  DiscreteNetwork network;
  std::vector<Node> order(shape.nodes);
  std::iota(order.begin(), order.end(), Node{0});
  random.shuffle(order);
  network.parents.resize(shape.nodes);
  network.tables.resize(shape.nodes);
  for (Node v = 0; v < shape.nodes; ++v)
    network.levels.push_back(1 + random.below(shape.most_levels));
  for (Node i = 0; i < shape.nodes; ++i) {
    std::vector<Node> before(order.begin(), order.begin() + i);
    random.shuffle(before);
    before.resize(std::min<std::size_t>(before.size(), random.below(shape.most_parents + 1)));
    const Node v = order[i];
    network.parents[v] = before; // in no order
    std::size_t columns = 1;
    for (const Node parent : before)
      columns *= network.levels[parent];
    for (std::size_t c = 0; c < columns; ++c) {
      std::vector<double> p(network.levels[v]);
      const unsigned certain = random.below(network.levels[v]);
      double sum = 0;
      for (unsigned k = 0; k < p.size(); ++k)
        sum += p[k] = k != certain && random.uniform() < shape.zeros ? 0 : 0.05 + random.uniform();
      for (const double x : p)
        network.tables[v].push_back(x / sum);
    }
  }
  return network;
}

inline UndirectedGraph moral_graph_of(const DiscreteNetwork &network) {
  std::vector<std::vector<Node>> parents = network.parents;
  for (auto &set : parents)
    std::sort(set.begin(), set.end());
  return moral_graph(parents);
}

// Of a random elimination order, or of the natural one.
inline TreeDecomposition some_decomposition(const DiscreteNetwork &network, Random *random) {
  std::vector<Node> order(network.size());
  std::iota(order.begin(), order.end(), Node{0});
  if (random)
    random->shuffle(order);
  return decompose(moral_graph_of(network), order);
}

// All states of the nodes, one after another, with their weights: probability times likelihoods, 0
// where a state contradicts the evidence.
class Enumeration {
public:
  Enumeration(const DiscreteNetwork &network, const Evidence &evidence) : network_(network) {
    Row row(network.size(), 0);
    for (;;) {
      rows.push_back(row);
      weights.push_back(weight(row, evidence));
      Node v = 0;
      while (v < network.size() && ++row[v] == network.levels[v])
        row[v++] = 0;
      if (v == network.size())
        break;
    }
    total = std::accumulate(weights.begin(), weights.end(), 0.0);
  }

  double probability(const Row &row) const {
    double p = 1;
    for (Node v = 0; v < network_.size(); ++v) {
      std::size_t cell = row[v], stride = network_.levels[v];
      for (const Node parent : network_.parents[v]) {
        cell += row[parent] * stride;
        stride *= network_.levels[parent];
      }
      p *= network_.tables[v][cell];
    }
    return p;
  }

  std::vector<double> joint(const std::vector<Node> &nodes) const {
    std::size_t cells = 1;
    for (const Node v : nodes)
      cells *= network_.levels[v];
    std::vector<double> result(cells, 0.0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::size_t cell = 0, stride = 1;
      for (const Node v : nodes) {
        cell += rows[i][v] * stride;
        stride *= network_.levels[v];
      }
      result[cell] += weights[i] / total;
    }
    return result;
  }

  std::vector<Row> rows;
  std::vector<double> weights;
  double total = 0;

private:
  double weight(const Row &row, const Evidence &evidence) const {
    for (Node v = 0; v < network_.size(); ++v)
      if (evidence.observed(v) && evidence.level(v) != row[v])
        return 0;
    double weight = probability(row);
    for (const auto &[node, likelihood] : evidence.likelihoods())
      weight *= likelihood[row[node]];
    return weight;
  }

  const DiscreteNetwork &network_;
};

// Each node is observed, weighed (at times by zeros and ones), or neither.
inline Evidence random_evidence(const DiscreteNetwork &network, Random &random,
                                unsigned one_in = 4) {
  Evidence evidence(network.size());
  for (Node v = 0; v < network.size(); ++v) {
    const unsigned kind = random.below(one_in);
    if (kind == 0)
      evidence.observe(v, random.below(network.levels[v]));
    if (random.below(2 * one_in) == 0) {
      std::vector<double> likelihood;
      for (unsigned k = 0; k < network.levels[v]; ++k)
        likelihood.push_back(random.below(2) ? 3 * random.uniform() : random.below(2));
      evidence.add_likelihood(v, likelihood);
    }
  }
  return evidence;
}

} // namespace inference_test
