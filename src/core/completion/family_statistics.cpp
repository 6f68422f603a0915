#include "core/completion/family_statistics.h"

#include <algorithm>
#include <cmath>

namespace optbn {

namespace {

constexpr double kCollinear = 1e-10; // share of a square that others leave

} // namespace

FamilyStatistics::FamilyStatistics(const MixedNetwork &network)
    : width_(network.size()), sums_(network.size()) {
  for (Node v = 0; v < network.size(); ++v) {
    const NodeModel &model = network.nodes[v];
    width_[v] = network.discrete(v) ? 0 : static_cast<Eigen::Index>(model.continuous.size()) + 2;
    sums_[v].assign(network.configurations(v) *
                        (network.discrete(v) ? network.levels[v]
                                             : static_cast<std::size_t>(width_[v] * width_[v])),
                    0);
  }
}

void FamilyStatistics::add_known(const Dataset &data, const MixedNetwork &network) {
  for (Node v = 0; v < network.size(); ++v) {
    const NodeModel &model = network.nodes[v];
    std::vector<Node> family = model.discrete;
    family.insert(family.end(), model.continuous.begin(), model.continuous.end());
    family.push_back(v);
    Eigen::VectorXd values(std::max<Eigen::Index>(width_[v], 1));
    values[0] = 1;
    for (std::size_t row = 0; row < data.rows; ++row) {
      if (std::any_of(family.begin(), family.end(),
                      [&](Node u) { return data.columns[u].missing(row); }))
        continue;
      const std::size_t cell = known_cell(data, network, v, row);
      const double weight = data.weight(row);
      if (network.discrete(v)) {
        sums_[v][cell] += weight;
        continue;
      }
      for (std::size_t j = 0; j < model.continuous.size(); ++j)
        values[static_cast<Eigen::Index>(j) + 1] = data.columns[model.continuous[j]].values[row];
      values[width_[v] - 1] = data.columns[v].values[row];
      products(v, cell).noalias() += weight * values * values.transpose();
    }
  }
}

void FamilyStatistics::add(IslandPosterior &posterior, const Dataset &data,
                           const MixedNetwork &network, std::size_t row, double weight) {
  const std::vector<Node> &families = posterior.island().families;
  for (std::size_t f = 0; f < families.size(); ++f) {
    const Node v = families[f];
    if (network.discrete(v)) {
      posterior.add_probabilities(f, weight, sums_[v].data());
      continue;
    }
    // Known values, and where the others stand in the posterior.
    std::vector<Node> columns = network.nodes[v].continuous;
    columns.push_back(v);
    Eigen::VectorXd values(width_[v]);
    values[0] = 1;
    std::vector<std::pair<Eigen::Index, Eigen::Index>> open; // in values, in the posterior
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const auto at = static_cast<Eigen::Index>(j) + 1;
      if (posterior.position(columns[j]) >= 0)
        open.emplace_back(at, posterior.position(columns[j]));
      else
        values[at] = data.columns[columns[j]].values[row];
    }
    if (open.empty()) {
      std::vector<double> probability(network.configurations(v), 0);
      posterior.add_probabilities(f, weight, probability.data());
      for (std::size_t q = 0; q < probability.size(); ++q)
        if (probability[q] > 0)
          products(v, q).noalias() += probability[q] * values * values.transpose();
      continue;
    }
    for (std::size_t c = 0; c < posterior.configurations(); ++c) {
      const double share = weight * posterior.probability(c);
      for (const auto &[at, position] : open)
        values[at] = posterior.mean(c)[position];
      Eigen::Map<Eigen::MatrixXd> sums = products(v, posterior.cell(c, f));
      sums.noalias() += share * values * values.transpose();
      for (const auto &[a, position_a] : open)
        for (const auto &[b, position_b] : open)
          sums(a, b) += share * posterior.covariance(c)(position_a, position_b);
    }
  }
}

double FamilyStatistics::expected_log_density(const MixedNetwork &network, Node v) const {
  const NodeModel &model = network.nodes[v];
  double sum = 0;
  if (network.discrete(v)) {
    for (std::size_t cell = 0; cell < sums_[v].size(); ++cell)
      if (sums_[v][cell] > 0)
        sum += sums_[v][cell] * std::log(model.table[cell]);
    return sum;
  }
  for (std::size_t q = 0; q < network.configurations(v); ++q) {
    const Eigen::Map<const Eigen::MatrixXd> sums = products(v, q);
    if (!(sums(0, 0) > 0))
      continue;
    Eigen::VectorXd residual(width_[v]); // its product with the values
    for (Eigen::Index j = 0; j + 1 < width_[v]; ++j)
      residual[j] = -network.coefficients(v, q)[j];
    residual[width_[v] - 1] = 1;
    const double squares = residual.dot(sums * residual);
    sum -=
        (sums(0, 0) * (kLogTwoPi + std::log(model.variance[q])) + squares / model.variance[q]) / 2;
  }
  return sum;
}

double FamilyStatistics::expected_log_density(const MixedNetwork &network) const {
  double sum = 0;
  for (Node v = 0; v < network.size(); ++v)
    sum += expected_log_density(network, v);
  return sum;
}

LeastSquares least_squares(const Eigen::MatrixXd &products) {
  // Centred, then one column after another is swept into the factor (Cholesky, row by row).
  const Eigen::Index width = products.cols(), child = width - 1;
  const Eigen::VectorXd means = products.col(0) / products(0, 0);
  Eigen::MatrixXd centred = products - products(0, 0) * means * means.transpose();
  Eigen::MatrixXd factor = Eigen::MatrixXd::Zero(width, width);
  std::vector<char> determined(static_cast<std::size_t>(width), 0);
  for (Eigen::Index j = 1; j < width; ++j) {
    for (Eigen::Index i = 1; i < j; ++i)
      factor(j, i) =
          determined[static_cast<std::size_t>(i)]
              ? 0
              : (centred(j, i) - factor.row(j).head(i).dot(factor.row(i).head(i))) / factor(i, i);
    const double left = centred(j, j) - factor.row(j).head(j).squaredNorm();
    determined[static_cast<std::size_t>(j)] = j < child && left <= kCollinear * centred(j, j);
    factor(j, j) = std::sqrt(std::max(left, 0.0));
  }
  LeastSquares found;
  found.coefficients.assign(static_cast<std::size_t>(width) - 1, 0);
  found.residual = factor(child, child) * factor(child, child);
  double intercept = means[child];
  for (Eigen::Index j = child - 1; j >= 1; --j) {
    if (determined[static_cast<std::size_t>(j)])
      continue;
    double rest = factor(child, j);
    for (Eigen::Index i = j + 1; i < child; ++i)
      rest -= factor(i, j) * found.coefficients[static_cast<std::size_t>(i)];
    found.coefficients[static_cast<std::size_t>(j)] = rest / factor(j, j);
    intercept -= found.coefficients[static_cast<std::size_t>(j)] * means[j];
  }
  found.coefficients[0] = intercept;
  return found;
}

namespace {

// Configurations of one region have one distribution.
void maximise_table(const std::vector<double> &counts, unsigned levels,
                    const std::vector<double> &imaginary, const std::vector<std::uint32_t> &region,
                    std::vector<double> &table) {
  const std::size_t configurations = imaginary.size();
  const auto region_of = [&](std::size_t q) { return region.empty() ? q : region[q]; };
  std::vector<double> sums(table.size(), 0), total(configurations, 0); // by region
  for (std::size_t q = 0; q < configurations; ++q)
    for (unsigned i = 0; i < levels; ++i) {
      const double rows = counts[q * levels + i] + imaginary[q];
      sums[region_of(q) * levels + i] += rows;
      total[region_of(q)] += rows;
    }
  for (std::size_t q = 0; q < configurations; ++q)
    if (total[region_of(q)] > 0)
      for (unsigned i = 0; i < levels; ++i)
        table[q * levels + i] = sums[region_of(q) * levels + i] / total[region_of(q)];
}

} // namespace

void maximise(const FamilyStatistics &statistics, const Estimation &how, MixedNetwork &network) {
  for (Node v = 0; v < network.size(); ++v) {
    NodeModel &model = network.nodes[v];
    if (network.discrete(v)) {
      maximise_table(statistics.counts(v), network.levels[v], how.imaginary[v], how.region[v],
                     model.table);
      continue;
    }
    const std::size_t width = model.continuous.size() + 1;
    for (std::size_t q = 0; q < network.configurations(v); ++q) {
      const Eigen::MatrixXd products = statistics.products(v, q);
      if (how.fixed[v][q] || !(products(0, 0) > 0))
        continue;
      const LeastSquares fit = least_squares(products);
      std::copy(fit.coefficients.begin(), fit.coefficients.end(),
                model.coefficients.begin() + static_cast<std::ptrdiff_t>(q * width));
      model.variance[q] = std::max(fit.residual / products(0, 0), how.least_variance[v]);
    }
  }
}

double log_prior(const MixedNetwork &network, const Estimation &how) {
  double sum = 0;
  for (Node v = 0; v < network.size(); ++v) {
    const std::vector<double> &table = network.nodes[v].table;
    for (std::size_t cell = 0; cell < table.size(); ++cell) {
      const double rows = how.imaginary[v][cell / network.levels[v]];
      if (rows > 0)
        sum += rows * std::log(table[cell]);
    }
  }
  return sum;
}

} // namespace optbn
