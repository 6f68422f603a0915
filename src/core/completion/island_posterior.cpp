#include "core/completion/island_posterior.h"

#include "core/base/errors.h"
#include "core/base/log_sum.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

namespace optbn {

namespace {

constexpr double kCacheBytes = 2e8; // of eliminations

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
  find_cells(row);
  double count = 1;
  for (const Node v : island.discrete)
    count *= network_.levels[v];
  eliminated_ =
      island.continuous.empty() && count > most_listed_ ? elimination_of(island) : nullptr;
  if (eliminated_)
    return;
  if (count > kMostConfigurations)
    throw MemoryLimit(count * sizeof(double), kMostConfigurations * sizeof(double));
  list_configurations();
  add_normals();
}

void IslandPosterior::find_cells(std::size_t row) {
  const std::vector<Node> &open = island_->discrete;
  base_.assign(families_.size(), 0);
  stride_.assign(families_.size() * open.size(), 0);
  for (std::size_t f = 0; f < families_.size(); ++f) {
    const Node child = families_[f];
    std::size_t step = 1;
    const auto add = [&](Node v) {
      const Column &column = data_.columns[v];
      if (column.missing(row)) {
        const auto at = std::lower_bound(open.begin(), open.end(), v) - open.begin();
        stride_[f * open.size() + static_cast<std::size_t>(at)] = step;
      } else {
        base_[f] += step * column.codes[row];
      }
      step *= network_.levels[v];
    };
    if (network_.discrete(child))
      add(child);
    for (const Node u : network_.nodes[child].discrete)
      add(u);
  }
}

// Only those that the tables make possible.
void IslandPosterior::list_configurations() {
  const std::vector<Node> &open = island_->discrete;
  level_.clear();
  cell_.clear();
  weight_.clear();
  std::vector<std::uint16_t> level(open.size(), 0);
  std::vector<std::size_t> cell = base_;
  for (;;) {
    double weight = 0;
    for (std::size_t f = 0; f < families_.size() && weight > kLogZero; ++f)
      if (network_.discrete(families_[f]))
        weight += std::log(network_.nodes[families_[f]].table[cell[f]]);
    if (weight > kLogZero) {
      weight_.push_back(weight);
      level_.insert(level_.end(), level.begin(), level.end());
      cell_.insert(cell_.end(), cell.begin(), cell.end());
    }
    std::size_t i = 0;
    for (; i < open.size(); ++i) {
      const bool wraps = ++level[i] == network_.levels[open[i]];
      const std::size_t moves = wraps ? level[i] - 1u : 1;
      for (std::size_t f = 0; f < families_.size(); ++f) {
        const std::size_t by = stride_[f * open.size() + i] * moves;
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

std::shared_ptr<IslandElimination> IslandPosterior::elimination_of(const Island &island) {
  std::shared_ptr<IslandElimination> &found = eliminations_[&island];
  if (found)
    return found;
  std::vector<unsigned> levels;
  for (const Node v : island.discrete)
    levels.push_back(network_.levels[v]);
  const auto made = std::make_shared<IslandElimination>(levels, stride_);
  bytes_ += made->bytes();
  if (bytes_ > kCacheBytes) {
    eliminations_.clear();
    bytes_ = made->bytes();
  }
  return eliminations_[&island] = made;
}

double IslandPosterior::solve_elimination(std::size_t row) {
  factors_.assign(families_.size(), nullptr);
  density_.resize(families_.size());
  double log_scale = 0;
  for (std::size_t f = 0; f < families_.size(); ++f) {
    const Node v = families_[f];
    if (network_.discrete(v)) {
      factors_[f] = network_.nodes[v].table.data() + base_[f];
      continue;
    }
    std::vector<double> &density = density_[f];
    density.resize(network_.configurations(v));
    double largest = kLogZero;
    for (std::size_t q = 0; q < density.size(); ++q) {
      density[q] = log_normal_density(data_, network_, v, q, row);
      largest = std::max(largest, density[q]);
    }
    for (double &one : density)
      one = std::exp(one - largest);
    log_scale += largest;
    factors_[f] = density.data() + base_[f];
  }
  distributed_ = false;
  return log_scale + eliminated_->collect(factors_);
}

void IslandPosterior::add_probabilities(std::size_t i, double weight, double *sums) {
  if (!eliminated_) {
    for (std::size_t c = 0; c < configurations(); ++c)
      sums[cell(c, i)] += weight * probability_[c];
    return;
  }
  if (!distributed_)
    eliminated_->distribute();
  distributed_ = true;
  eliminated_->add_probabilities(i, weight, sums + base_[i]);
}

std::shared_ptr<IslandElimination> IslandPosterior::eliminated(bool maximum) {
  if (eliminated_ && maximum)
    eliminated_->collect(factors_, true);
  return eliminated_;
}

double IslandPosterior::solve(std::size_t row) {
  if (eliminated_)
    return solve_elimination(row);
  const auto m = static_cast<Eigen::Index>(island_->continuous.size());
  const std::size_t count = configurations();
  double most = kLogZero;
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
  if (!(most > kLogZero))
    return kLogZero;
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
