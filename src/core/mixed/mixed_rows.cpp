#include "core/mixed/mixed_rows.h"

#include <cmath>
#include <limits>

namespace optbn {

namespace {

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

// Of a value of the node, beside the evidence: a quotient of the densities of what is known.
double density_at(double value, Node node, const MixedQuery &query) {
  if (std::isnan(value))
    return kNoNumber;
  MixedEvidence evidence = query.evidence;
  evidence.values[node] = value;
  return std::exp(log_density({query.network, evidence, query.memory_limit, query.watch}) -
                  log_density(query));
}

Eigen::RowVectorXd as_row(const NodePosterior &posterior, double density) {
  if (!posterior.levels.empty())
    return Eigen::Map<const Eigen::RowVectorXd>(posterior.levels.data(),
                                                static_cast<Eigen::Index>(posterior.levels.size()));
  return Eigen::RowVector3d(posterior.mean, posterior.sd, density);
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
      const NodePosterior posterior = posterior_of(query, node);
      answers.row(at) = as_row(posterior, density_at(values[row], node, query));
    } catch (const ImpossibleEvidence &) { // there is no answer
    }
  }
  return answers;
}

} // namespace optbn
