#include "core/completion/mixed_network.h"

#include <cmath>

namespace optbn {

std::size_t known_cell(const Dataset &data, const MixedNetwork &network, Node v, std::size_t row) {
  std::size_t cell = 0, step = 1;
  const auto add = [&](Node u) {
    cell += step * data.columns[u].codes[row];
    step *= network.levels[u];
  };
  if (network.discrete(v))
    add(v);
  for (const Node u : network.nodes[v].discrete)
    add(u);
  return cell;
}

double log_normal_density(const Dataset &data, const MixedNetwork &network, Node v,
                          std::size_t configuration, std::size_t row) {
  const NodeModel &model = network.nodes[v];
  const double *coefficient = network.coefficients(v, configuration);
  const double variance = model.variance[configuration];
  double residual = data.columns[v].values[row] - coefficient[0];
  for (std::size_t j = 0; j < model.continuous.size(); ++j)
    residual -= coefficient[j + 1] * data.columns[model.continuous[j]].values[row];
  return -(kLogTwoPi + std::log(variance) + residual * residual / variance) / 2;
}

double log_density_of_family(const Dataset &data, const MixedNetwork &network, Node v,
                             std::size_t row) {
  const std::size_t cell = known_cell(data, network, v, row);
  return network.discrete(v) ? std::log(network.nodes[v].table[cell])
                             : log_normal_density(data, network, v, cell, row);
}

} // namespace optbn
