#include "core/completion/row_answers.h"

#include "core/completion/island_posterior.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace optbn {

namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

Dataset without_values(const Dataset &data, Node node) {
  Dataset left = data;
  Column &column = left.columns[node];
  column.holes = true;
  if (column.discrete())
    column.codes.assign(data.rows, static_cast<std::uint16_t>(column.levels));
  else
    column.values.assign(data.rows, kNoNumber);
  return left;
}

Eigen::RowVectorXd level_probabilities(IslandPosterior &posterior, const MixedNetwork &network,
                                       Node node) {
  const std::vector<Node> &families = posterior.island().families;
  const auto own = std::lower_bound(families.begin(), families.end(), node) - families.begin();
  const unsigned levels = network.levels[node];
  std::vector<double> cells(network.nodes[node].table.size(), 0);
  posterior.add_probabilities(static_cast<std::size_t>(own), 1, cells.data());
  Eigen::RowVectorXd probability = Eigen::RowVectorXd::Zero(levels);
  for (std::size_t cell = 0; cell < cells.size(); ++cell) // the node's level is fastest
    probability[static_cast<Eigen::Index>(cell % levels)] += cells[cell];
  return probability;
}

Eigen::RowVectorXd mixture_moments(const IslandPosterior &posterior, Node node, double value) {
  const Eigen::Index at = posterior.position(node);
  double mean = 0, square = 0, density = 0;
  for (std::size_t c = 0; c < posterior.configurations(); ++c) {
    const double share = posterior.probability(c), centre = posterior.mean(c)[at],
                 variance = posterior.covariance(c)(at, at), away = value - centre;
    mean += share * centre;
    square += share * (variance + centre * centre);
    density += share * std::exp(-away * away / (2 * variance)) / std::sqrt(kTwoPi * variance);
  }
  Eigen::RowVectorXd answer(3);
  answer << mean, std::sqrt(std::max(square - mean * mean, 0.0)), density;
  return answer;
}

} // namespace

std::vector<double> log_densities(const Dataset &data, const MixedNetwork &network, Watch &watch) {
  std::vector<double> sums(data.rows, 0);
  IslandFinder finder(network, IslandFinder::Barren::left_out);
  IslandPosterior posterior(network, data);
  for (std::size_t row = 0; row < data.rows; ++row) {
    if (row % IslandPosterior::kRowsPerPoll == 0)
      throw_if_stopped(watch);
    const std::vector<Node> missing = missing_nodes(data, row);
    std::vector<char> left = finder.counting(missing); // families that no island has
    for (const std::uint32_t i : finder.find(missing)) {
      posterior.prepare(finder.island(i), row);
      sums[row] += posterior.solve(row);
      for (const Node v : finder.island(i).families)
        left[v] = 0;
    }
    for (Node v = 0; v < network.size(); ++v)
      if (left[v])
        sums[row] += log_density_of_family(data, network, v, row);
  }
  return sums;
}

Eigen::MatrixXd posteriors(const Dataset &data, const MixedNetwork &network, Node node,
                           const std::vector<double> &values, Watch &watch) {
  const Dataset left = without_values(data, node);
  IslandFinder finder(network, IslandFinder::Barren::left_out);
  IslandPosterior posterior(network, left);
  const Eigen::Index width = network.discrete(node) ? network.levels[node] : 3;
  Eigen::MatrixXd answers =
      Eigen::MatrixXd::Constant(static_cast<Eigen::Index>(data.rows), width, kNoNumber);
  for (std::size_t row = 0; row < data.rows; ++row) {
    if (row % IslandPosterior::kRowsPerPoll == 0)
      throw_if_stopped(watch);
    for (const std::uint32_t i : finder.find(missing_nodes(left, row), node)) {
      const Island &island = finder.island(i);
      const std::vector<Node> &nodes = network.discrete(node) ? island.discrete : island.continuous;
      if (!std::binary_search(nodes.begin(), nodes.end(), node))
        continue;
      posterior.prepare(island, row);
      if (posterior.solve(row) > -std::numeric_limits<double>::infinity())
        answers.row(static_cast<Eigen::Index>(row)) =
            network.discrete(node) ? level_probabilities(posterior, network, node)
                                   : mixture_moments(posterior, node, values[row]);
    }
  }
  return answers;
}

} // namespace optbn
