// Trees and tables over mixed columns, as the paper defines them: slow and obvious.
#pragma once

#include "score_fixtures.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

namespace fixtures {

// Discrete and continuous columns side by side; every third discrete one is ordered.
inline Dataset mixed_data(std::uint64_t seed, std::size_t rows, unsigned discrete,
                          unsigned continuous, unsigned levels, bool weighted = false) {
  Dataset data = random_table(seed, rows, discrete, levels, weighted);
  for (unsigned c = 2; c < discrete; c += 3)
    data.columns[c].ordered = true;
  add_continuous(data, seed + 1, continuous);
  return data;
}

inline ScoreSettings tree_settings(const Dataset &data, const std::string &label,
                                   unsigned max_splits = 2) {
  ScoreSettings chosen;
  chosen.label = label;
  chosen.max_splits = max_splits;
  for (const Column &column : data.columns) {
    chosen.scale.push_back({0.3, 1.7});
    Interval range;
    BinCuts cuts;
    if (!column.discrete()) {
      const auto [low, high] = std::minmax_element(column.values.begin(), column.values.end());
      range = {*low, *high};
      std::vector<double> sorted = column.values;
      std::sort(sorted.begin(), sorted.end());
      for (const std::size_t bins : {2, 3, 5}) {
        cuts.emplace_back();
        for (std::size_t i = 1; i < bins; ++i)
          cuts.back().push_back(sorted[i * sorted.size() / bins]);
      }
    }
    chosen.range.push_back(range);
    chosen.cuts.push_back(cuts);
  }
  return chosen;
}

// The leaf of some rows that covers this share of the space.
inline double leaf_score(const Dataset &data, const ScoreSettings &settings, Node child,
                         const std::vector<std::size_t> &rows, double share) {
  const Column &column = data.columns[child];
  const LeafPrior &prior = settings.leaf;
  double n = 0;
  for (const std::size_t row : rows)
    n += data.weight(row);
  if (column.discrete()) {
    const double alpha = prior.iss > 0 ? prior.iss * share / column.levels : prior.alpha;
    std::vector<double> count(column.levels, 0);
    for (const std::size_t row : rows)
      count[column.codes[row]] += data.weight(row);
    double score = std::lgamma(column.levels * alpha) - std::lgamma(n + column.levels * alpha);
    for (const double n_x : count)
      score += std::lgamma(n_x + alpha) - std::lgamma(alpha);
    return score;
  }
  if (n == 0)
    return 0;
  const Scale scale = settings.scale[child];
  double mean = 0, squares = 0;
  for (const std::size_t row : rows)
    mean += data.weight(row) * (column.values[row] - scale.centre) / scale.spread / n;
  for (const std::size_t row : rows) {
    const double gap = (column.values[row] - scale.centre) / scale.spread - mean;
    squares += data.weight(row) * gap * gap;
  }
  const double about = n * prior.a * (mean - prior.mu) * (mean - prior.mu) / (n + prior.a);
  return -n / 2 * std::log(3.14159265358979323846) +
         prior.nu / 2 * std::log(prior.lambda * prior.nu) + std::log(prior.a / (n + prior.a)) / 2 +
         std::lgamma((n + prior.nu) / 2) - std::lgamma(prior.nu / 2) -
         (n + prior.nu) / 2 * std::log(squares + about + prior.nu * prior.lambda);
}

// By which many levels of a parent are ordered for a child: its mean, or its shares along their
// first principal component. Levels without rows come last.
inline std::vector<double> level_values(const Dataset &data, Node child, Node parent) {
  const Column &column = data.columns[child];
  const Eigen::Index k = data.columns[parent].levels, r = column.discrete() ? column.levels : 1;
  Eigen::VectorXd rows = Eigen::VectorXd::Zero(k);
  Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(k, r);
  for (std::size_t row = 0; row < data.rows; ++row) {
    const Eigen::Index level = data.columns[parent].codes[row];
    rows[level] += data.weight(row);
    if (column.discrete())
      sums(level, column.codes[row]) += data.weight(row);
    else
      sums(level, 0) += data.weight(row) * column.values[row];
  }
  const Eigen::RowVectorXd centre = sums.colwise().sum() / rows.sum();
  const Eigen::MatrixXd means = rows.cwiseMax(1).cwiseInverse().asDiagonal() * sums;
  const Eigen::MatrixXd apart = means.rowwise() - centre;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> spread(apart.transpose() *
                                                              rows.asDiagonal() * apart);
  const Eigen::VectorXd along = apart * spread.eigenvectors().col(r - 1);
  std::vector<double> values;
  for (Eigen::Index level = 0; level < k; ++level)
    values.push_back(rows[level] > 0 ? along[level] : LocalScore::kInfinity);
  return values;
}

// All dyadic trees over some parents, by recursion over boxes; a box lists its cells, parent by
// parent, over all declared levels.
class SlowTrees {
public:
  using Box = std::vector<std::vector<unsigned>>;

  SlowTrees(const Dataset &data, const ScoreSettings &settings, std::vector<Node> parents)
      : data_(data), settings_(settings), parents_(std::move(parents)) {
    double choices = 0;
    for (const Node u : parents_) {
      const Column &column = data.columns[u];
      const unsigned cells = column.discrete() ? column.levels : 1u << settings.max_splits;
      root_.emplace_back();
      for (unsigned cell = 0; cell < cells; ++cell)
        root_.back().push_back(cell);
      choices += !column.discrete() ? 1 : column.ordered ? cells - 1.0 : std::exp2(cells - 1.0) - 1;
    }
    log_leaf_ = choices > 0 ? -std::log(4 * choices) : 0;
  }

  double log_leaf() const { return log_leaf_; }
  double log_norm() { return -std::log(total(root_)); }

  double score(Node child) {
    child_ = child;
    best_.clear();
    value_.clear();
    for (const Node u : parents_)
      value_.push_back(data_.columns[u].discrete() ? level_values(data_, child, u)
                                                   : std::vector<double>());
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < data_.rows; ++row)
      rows.push_back(row);
    return best(root_, rows) + log_norm();
  }

  unsigned cell(Node u, std::size_t row) const {
    const Column &column = data_.columns[u];
    if (column.discrete())
      return column.codes[row];
    const Interval range = settings_.range[u];
    const double cells = std::exp2(settings_.max_splits);
    const double place = (column.values[row] - range.low) / (range.high - range.low) * cells;
    return static_cast<unsigned>(std::min(std::max(std::floor(place), 0.0), cells - 1));
  }

private:
  bool has_many_levels(Node u) const {
    const Column &column = data_.columns[u];
    return column.discrete() && !column.ordered && column.levels > settings_.max_levels;
  }

  // `all`: of very many levels all ways to part them, or those alone in the order for the child.
  void for_each_split(const Box &box, bool all, const std::function<void(Box, Box)> &visit) const {
    for (std::size_t i = 0; i < box.size(); ++i) {
      const std::vector<unsigned> &cells = box[i];
      const Column &column = data_.columns[parents_[i]];
      const auto part = [&](auto &&goes_left) {
        Box left = box, right = box;
        left[i].clear();
        right[i].clear();
        for (std::size_t k = 0; k < cells.size(); ++k)
          (goes_left(k) ? left : right)[i].push_back(cells[k]);
        visit(left, right);
      };
      if (cells.size() == 1)
        continue;
      if (!column.discrete())
        part([&](std::size_t k) { return 2 * k < cells.size(); });
      else if (column.ordered)
        for (std::size_t cut = 1; cut < cells.size(); ++cut)
          part([&](std::size_t k) { return k < cut; });
      else if (has_many_levels(parents_[i]) && !all)
        for (std::size_t last = 0; last + 1 < cells.size(); ++last)
          part([&](std::size_t k) { return place(i, cells, k) <= last; });
      else
        for (unsigned mask = 0; mask + 1 < 1u << (cells.size() - 1); ++mask)
          part([&](std::size_t k) { return k == 0 || mask >> (k - 1) & 1; });
    }
  }

  // Where the k-th of these levels stands among them.
  std::size_t place(std::size_t i, const std::vector<unsigned> &cells, std::size_t k) const {
    const auto key = [&](unsigned cell) { return std::make_pair(value_[i][cell], cell); };
    return static_cast<std::size_t>(std::count_if(
        cells.begin(), cells.end(), [&](unsigned other) { return key(other) < key(cells[k]); }));
  }

  // The sum of gamma^leaves over all trees of a box.
  double total(const Box &box) {
    const auto known = total_.find(box);
    if (known != total_.end())
      return known->second;
    double sum = std::exp(log_leaf_);
    for_each_split(box, true, [&](const Box &x, const Box &y) { sum += total(x) * total(y); });
    return total_[box] = sum;
  }

  double best(const Box &box, const std::vector<std::size_t> &rows) {
    const auto known = best_.find(box);
    if (known != best_.end())
      return known->second;
    double share = 1;
    for (std::size_t i = 0; i < box.size(); ++i)
      share *= static_cast<double>(box[i].size()) / static_cast<double>(root_[i].size());
    double found = log_leaf_ + leaf_score(data_, settings_, child_, rows, share);
    if (!rows.empty())
      for_each_split(box, false, [&](const Box &x, const Box &y) {
        found = std::max(found, best(x, inside(x, rows)) + best(y, inside(y, rows)));
      });
    return best_[box] = found;
  }

  std::vector<std::size_t> inside(const Box &box, const std::vector<std::size_t> &rows) const {
    std::vector<std::size_t> held;
    for (const std::size_t row : rows) {
      bool in = true;
      for (std::size_t i = 0; i < box.size() && in; ++i)
        in = std::binary_search(box[i].begin(), box[i].end(), cell(parents_[i], row));
      if (in)
        held.push_back(row);
    }
    return held;
  }

  const Dataset &data_;
  const ScoreSettings &settings_;
  const std::vector<Node> parents_;
  Box root_;
  double log_leaf_ = 0;
  Node child_ = 0;
  std::vector<std::vector<double>> value_; // of the levels of each parent, for the child
  std::map<Box, double> total_, best_;
};

// All tables over some parents: the best score over the joint ways of cutting the continuous ones.
inline double slow_table_score(const Dataset &data, const ScoreSettings &settings, Node child,
                               const std::vector<Node> &parents) {
  double best = -LocalScore::kInfinity;
  std::vector<std::size_t> way(parents.size(), 0);
  while (true) {
    std::map<std::vector<unsigned>, std::vector<std::size_t>> cells;
    for (std::size_t row = 0; row < data.rows; ++row) {
      std::vector<unsigned> cell;
      for (std::size_t i = 0; i < parents.size(); ++i) {
        const Column &column = data.columns[parents[i]];
        if (column.discrete()) {
          cell.push_back(column.codes[row]);
          continue;
        }
        unsigned bin = 0;
        for (const double cut : settings.cuts[parents[i]][way[i]])
          bin += cut <= column.values[row];
        cell.push_back(bin);
      }
      cells[cell].push_back(row);
    }
    double size = 1;
    for (std::size_t i = 0; i < parents.size(); ++i) {
      const Column &column = data.columns[parents[i]];
      size *= column.discrete() ? column.levels
                                : static_cast<double>(settings.cuts[parents[i]][way[i]].size()) + 1;
    }
    double score = 0;
    for (const auto &[cell, rows] : cells)
      score += leaf_score(data, settings, child, rows, 1 / size);
    best = std::max(best, score);

    std::size_t i = 0;
    while (i < parents.size() && ++way[i] >= settings.cuts[parents[i]].size())
      way[i++] = 0;
    if (i == parents.size())
      return best;
  }
}

} // namespace fixtures
