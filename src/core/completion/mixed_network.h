// MixedNetwork: a conditional Gaussian network with its parameters.
//
// A discrete node has a probability table given its parents, which are discrete. A continuous node
// has, for every configuration of its discrete parents, a linear regression on the continuous ones
// with normal errors. Configurations are numbered with the first parent fastest.
#pragma once

#include "core/data/dataset.h"

#include <vector>

namespace optbn {

struct NodeModel {
  std::vector<Node> discrete, continuous; // parents
  std::vector<double> table;              // discrete node: its level fastest, then configurations
  std::vector<double>
      coefficients;             // continuous: intercept and slopes, configuration by configuration
  std::vector<double> variance; // by configuration
};

struct MixedNetwork {
  std::vector<unsigned> levels; // by node; 0 of a continuous one
  std::vector<NodeModel> nodes;

  Node size() const { return static_cast<Node>(nodes.size()); }
  bool discrete(Node v) const { return levels[v] > 0; }
  std::size_t configurations(Node v) const {
    std::size_t product = 1;
    for (const Node u : nodes[v].discrete)
      product *= levels[u];
    return product;
  }
  // Intercept and slopes of a continuous node in a configuration.
  const double *coefficients(Node v, std::size_t configuration) const {
    return nodes[v].coefficients.data() + configuration * (nodes[v].continuous.size() + 1);
  }
};

constexpr double kLogTwoPi = 1.8378770664093453;

// The cell of a family in a row that has all of its levels: of a discrete node in its table, of a
// continuous one the configuration.
std::size_t known_cell(const Dataset &data, const MixedNetwork &network, Node v, std::size_t row);

// The log-density of a continuous node in a row that has its value and those of its continuous
// parents, in this configuration of the discrete ones.
double log_normal_density(const Dataset &data, const MixedNetwork &network, Node v,
                          std::size_t configuration, std::size_t row);

// The log-density of a node in a row that has its family.
double log_density_of_family(const Dataset &data, const MixedNetwork &network, Node v,
                             std::size_t row);

} // namespace optbn
