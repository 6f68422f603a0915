#include "core/completion/island_posterior.h"

#include "core/base/errors.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace optbn {

namespace {

constexpr double kLogTwoPi = 1.8378770664093453;
constexpr double kNone = -std::numeric_limits<double>::infinity();

} // namespace

void IslandPosterior::prepare(const Island &island, std::size_t row) {
  if (island_)
    for (const Node v : island_->continuous)
      position_[v] = -1;
  else
    std::fill(position_.begin(), position_.end(), -1);
  island_ = &island;
  families_ = island.families;
  for (std::size_t i = 0; i < island.continuous.size(); ++i)
    position_[island.continuous[i]] = static_cast<Eigen::Index>(i);
  list_configurations(row);
  add_normals();
}

// Only those that the tables make possible.
void IslandPosterior::list_configurations(std::size_t row) {
  const std::vector<Node> &open = island_->discrete;
  double count = 1;
  for (const Node v : open)
    count *= network_.levels[v];
  if (count > kMostConfigurations)
    throw MemoryLimit(count * sizeof(double), kMostConfigurations * sizeof(double));

  // Of each family the cell of the known levels, and by open node how far a level moves it.
  std::vector<std::size_t> base(families_.size(), 0), stride(families_.size() * open.size(), 0);
  for (std::size_t f = 0; f < families_.size(); ++f) {
    const Node child = families_[f];
    std::size_t step = 1;
    const auto add = [&](Node v) {
      const Column &column = data_.columns[v];
      if (column.missing(row)) {
        const auto at = std::lower_bound(open.begin(), open.end(), v) - open.begin();
        stride[f * open.size() + static_cast<std::size_t>(at)] = step;
      } else {
        base[f] += step * column.codes[row];
      }
      step *= network_.levels[v];
    };
    if (network_.discrete(child))
      add(child);
    for (const Node u : network_.nodes[child].discrete)
      add(u);
  }

  level_.clear();
  cell_.clear();
  weight_.clear();
  std::vector<std::uint16_t> level(open.size(), 0);
  std::vector<std::size_t> cell = base;
  for (;;) {
    double weight = 0;
    for (std::size_t f = 0; f < families_.size() && weight > kNone; ++f)
      if (network_.discrete(families_[f]))
        weight += std::log(network_.nodes[families_[f]].table[cell[f]]);
    if (weight > kNone) {
      weight_.push_back(weight);
      level_.insert(level_.end(), level.begin(), level.end());
      cell_.insert(cell_.end(), cell.begin(), cell.end());
    }
    std::size_t i = 0;
    for (; i < open.size(); ++i) {
      const bool wraps = ++level[i] == network_.levels[open[i]];
      const std::size_t moves = wraps ? level[i] - 1u : 1;
      for (std::size_t f = 0; f < families_.size(); ++f) {
        const std::size_t by = stride[f * open.size() + i] * moves;
        wraps ? cell[f] -= by : cell[f] += by;
      }
      if (!wraps)
        break;
      level[i] = 0;
    }
    if (i == open.size())
      break;
  }
}

void IslandPosterior::add_normals() {
  const auto m = static_cast<Eigen::Index>(island_->continuous.size());
  const std::size_t count = configurations();
  mean_.assign(count, Eigen::VectorXd(m));
  covariance_.assign(count, Eigen::MatrixXd(m, m));
  log_determinant_.assign(count, 0);
  probability_.assign(count, 0);
  log_joint_.assign(count, 0);
  Eigen::VectorXd h(m);
  for (std::size_t c = 0; c < count; ++c) {
    Eigen::MatrixXd precision = Eigen::MatrixXd::Zero(m, m);
    for (std::size_t f = 0; f < families_.size(); ++f) {
      const Node v = families_[f];
      if (network_.discrete(v))
        continue;
      const NodeModel &model = network_.nodes[v];
      const double *slope = network_.coefficients(v, cell(c, f)) + 1;
      const double variance = model.variance[cell(c, f)];
      weight_[c] -= (kLogTwoPi + std::log(variance)) / 2;
      h.setZero();
      if (position(v) >= 0)
        h[position(v)] = 1;
      for (std::size_t j = 0; j < model.continuous.size(); ++j)
        if (position(model.continuous[j]) >= 0)
          h[position(model.continuous[j])] -= slope[j];
      precision.noalias() += h * h.transpose() / variance;
    }
    if (m == 0)
      continue;
    const Eigen::LLT<Eigen::MatrixXd> factor(precision);
    covariance_[c] = factor.solve(Eigen::MatrixXd::Identity(m, m));
    log_determinant_[c] = 2 * Eigen::MatrixXd(factor.matrixL()).diagonal().array().log().sum();
    weight_[c] += (static_cast<double>(m) * kLogTwoPi - log_determinant_[c]) / 2;
  }
}

double IslandPosterior::solve(std::size_t row) {
  const auto m = static_cast<Eigen::Index>(island_->continuous.size());
  const std::size_t count = configurations();
  double most = kNone;
  Eigen::VectorXd linear(m);
  for (std::size_t c = 0; c < count; ++c) {
    double squares = 0;
    linear.setZero();
    for (std::size_t f = 0; f < families_.size(); ++f) {
      const Node v = families_[f];
      if (network_.discrete(v))
        continue;
      const NodeModel &model = network_.nodes[v];
      const double *coefficient = network_.coefficients(v, cell(c, f));
      const double variance = model.variance[cell(c, f)];
      double k = -coefficient[0];
      if (position(v) < 0)
        k += data_.columns[v].values[row];
      for (std::size_t j = 0; j < model.continuous.size(); ++j)
        if (position(model.continuous[j]) < 0)
          k -= coefficient[j + 1] * data_.columns[model.continuous[j]].values[row];
      squares += k * k / variance;
      if (position(v) >= 0)
        linear[position(v)] -= k / variance;
      for (std::size_t j = 0; j < model.continuous.size(); ++j)
        if (position(model.continuous[j]) >= 0)
          linear[position(model.continuous[j])] += coefficient[j + 1] * k / variance;
    }
    if (m > 0)
      mean_[c].noalias() = covariance_[c] * linear;
    log_joint_[c] = weight_[c] + (linear.dot(mean_[c]) - squares) / 2;
    most = std::max(most, log_joint_[c]);
  }
  if (!(most > kNone))
    return kNone;
  double sum = 0;
  for (std::size_t c = 0; c < count; ++c)
    sum += probability_[c] = std::exp(log_joint_[c] - most);
  for (double &probability : probability_)
    probability /= sum;
  return most + std::log(sum);
}

double IslandPosterior::log_peak(std::size_t configuration) const {
  return log_joint_[configuration] + log_determinant_[configuration] / 2;
}

} // namespace optbn
