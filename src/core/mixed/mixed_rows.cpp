#include "core/mixed/mixed_rows.h"

#include <cmath>
#include <limits>

namespace optbn {

namespace {

constexpr double kTwoPi = 6.283185307179586;
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

// What a row says of all nodes but one.
MixedEvidence evidence_of(const Dataset &data, std::size_t row, int but = -1) {
  MixedEvidence evidence{Evidence(data.size()), std::vector<double>(data.size(), kNoNumber)};
  for (Node v = 0; v < data.size(); ++v) {
    const Column &column = data.columns[v];
    if (v == but || column.missing(row))
      continue;
    if (column.discrete())
      evidence.levels.observe(v, column.codes[row]);
    else
      evidence.values[v] = column.values[row];
  }
  return evidence;
}

// Mean, standard deviation, and the density at a number.
Eigen::RowVectorXd moments_and_density(const MixtureComponents &mixture, double value) {
  double mean = 0, square = 0, density = 0;
  for (std::size_t k = 0; k < mixture.weights.size(); ++k)
    mean += mixture.weights[k] * mixture.means[k];
  for (std::size_t k = 0; k < mixture.weights.size(); ++k) {
    const double variance = mixture.covariances[k], off = mixture.means[k] - mean,
                 away = value - mixture.means[k];
    square += mixture.weights[k] * (variance + off * off);
    density +=
        mixture.weights[k] * std::exp(-away * away / (2 * variance)) / std::sqrt(kTwoPi * variance);
  }
  Eigen::RowVectorXd answer(3);
  answer << mean, std::sqrt(square), density;
  return answer;
}

} // namespace

std::vector<double> log_densities_by_queries(const Dataset &data, const MixedNetwork &network,
                                             double memory_limit, Watch &watch) {
  std::vector<double> logs;
  for (std::size_t row = 0; row < data.rows; ++row) {
    const MixedEvidence evidence = evidence_of(data, row);
    logs.push_back(log_density({network, evidence, memory_limit, watch}));
  }
  return logs;
}

Eigen::MatrixXd posteriors_by_queries(const Dataset &data, const MixedNetwork &network, Node node,
                                      const std::vector<double> &values, double memory_limit,
                                      Watch &watch) {
  const Eigen::Index width = network.discrete(node) ? network.levels[node] : 3;
  Eigen::MatrixXd answers =
      Eigen::MatrixXd::Constant(static_cast<Eigen::Index>(data.rows), width, kNoNumber);
  for (std::size_t row = 0; row < data.rows; ++row) {
    const MixedEvidence evidence = evidence_of(data, row, node);
    const MixedQuery query{network, evidence, memory_limit, watch};
    const auto at = static_cast<Eigen::Index>(row);
    try {
      if (network.discrete(node)) {
        const std::vector<double> levels = joint_levels(query, {node});
        answers.row(at) = Eigen::Map<const Eigen::RowVectorXd>(levels.data(), width);
      } else {
        answers.row(at) = moments_and_density(joint_mixture(query, {}, {node}), values[row]);
      }
    } catch (const ImpossibleEvidence &) { // there is no answer
    }
  }
  return answers;
}

} // namespace optbn
