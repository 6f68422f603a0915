// Random data sets and slow, obvious counterparts of what the core computes.
#pragma once

#include "core/base/random.h"
#include "core/data/dataset.h"
#include "core/score/local_score.h"
#include "core/score/table/nml_regret.h"

#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <vector>

namespace fixtures {

using namespace optbn;

inline void add_discrete(Dataset &data, unsigned levels, std::vector<std::uint16_t> codes) {
  Column column;
  column.levels = levels;
  column.codes = std::move(codes);
  data.columns.push_back(std::move(column));
}

inline Dataset discrete_table(std::vector<std::vector<std::uint16_t>> columns,
                              const std::vector<unsigned> &levels) {
  Dataset data;
  data.rows = data.total = columns[0].size();
  for (std::size_t v = 0; v < columns.size(); ++v)
    add_discrete(data, levels[v], std::move(columns[v]));
  return data;
}

// Columns of 2 to `levels` levels, each half copied from its left neighbour so that they depend.
inline Dataset random_table(std::uint64_t seed, std::size_t rows, unsigned columns, unsigned levels,
                            bool weighted = false) {
  Random random(seed);
  Dataset data;
  data.rows = rows;
  data.total = rows;
  for (unsigned c = 0; c < columns; ++c) {
    const unsigned r = 2 + random.below(levels - 1);
    std::vector<std::uint16_t> codes(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      const bool copy = c > 0 && random.below(2) == 0;
      codes[row] =
          static_cast<std::uint16_t>(copy ? data.columns[c - 1].codes[row] % r : random.below(r));
    }
    add_discrete(data, r, std::move(codes));
  }
  if (weighted) {
    data.total = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      data.weights.push_back(1 + random.below(3));
      data.total += data.weights.back();
    }
  }
  return data;
}

// Normal columns, each correlated with those before it.
inline void add_continuous(Dataset &data, std::uint64_t seed, unsigned columns) {
  Random random(seed);
  const auto normal = [&random] { // sum of twelve uniforms
    double sum = -6;
    for (int i = 0; i < 12; ++i)
      sum += random.uniform();
    return sum;
  };
  std::vector<double> previous(data.rows, 0);
  for (unsigned c = 0; c < columns; ++c) {
    Column column;
    for (std::size_t row = 0; row < data.rows; ++row)
      column.values.push_back(0.8 * previous[row] + normal());
    previous = column.values;
    data.columns.push_back(std::move(column));
  }
}

// The same data, each value missing with this probability, or in the columns from `first` on.
inline Dataset with_holes(Dataset data, std::uint64_t seed, double probability, Node first = 0) {
  Random random(seed);
  for (Node v = first; v < data.size(); ++v) {
    Column &column = data.columns[v];
    column.holes = true;
    for (std::size_t row = 0; row < data.rows; ++row)
      if (random.uniform() < probability) {
        if (column.discrete())
          column.codes[row] = static_cast<std::uint16_t>(column.levels);
        else
          column.values[row] = std::nan("");
      }
  }
  return data;
}

// The rows in which nothing of these columns is missing (what is elsewhere has some value).
inline Dataset known_rows(const Dataset &data, const std::vector<Node> &columns) {
  Dataset known;
  known.columns.resize(data.columns.size());
  for (Node v = 0; v < data.size(); ++v)
    known.columns[v].levels = data.columns[v].levels;
  for (std::size_t row = 0; row < data.rows; ++row) {
    if (std::any_of(columns.begin(), columns.end(),
                    [&](Node v) { return data.columns[v].missing(row); }))
      continue;
    ++known.rows;
    known.total += data.weight(row);
    if (data.weighted())
      known.weights.push_back(data.weights[row]);
    for (Node v = 0; v < data.size(); ++v) {
      const Column &from = data.columns[v];
      if (from.discrete())
        known.columns[v].codes.push_back(from.missing(row) ? 0 : from.codes[row]);
      else
        known.columns[v].values.push_back(from.missing(row) ? 0 : from.values[row]);
    }
  }
  return known;
}

// Weighted counts of the joint configurations of some columns.
inline std::map<std::vector<unsigned>, double> count_cells(const Dataset &data,
                                                           const std::vector<Node> &columns) {
  std::map<std::vector<unsigned>, double> cells;
  for (std::size_t row = 0; row < data.rows; ++row) {
    std::vector<unsigned> cell;
    for (const Node c : columns)
      cell.push_back(data.columns[c].codes[row]);
    cells[cell] += data.weight(row);
  }
  return cells;
}

// log of the sum, over all ways in which n rows can have k levels, of their number times their
// maximal likelihood.
inline double regret(unsigned n, unsigned k) {
  const std::function<double(unsigned, unsigned)> sum = [&](unsigned rows, unsigned levels) {
    if (levels == 1)
      return std::exp(rows > 0 ? rows * std::log(double(rows) / n) : 0) / std::tgamma(rows + 1);
    double total = 0;
    for (unsigned i = 0; i <= rows; ++i)
      total += std::exp(i > 0 ? i * std::log(double(i) / n) : 0) / std::tgamma(i + 1) *
               sum(rows - i, levels - 1);
    return total;
  };
  return std::log(sum(n, k)) + std::lgamma(n + 1);
}

// "pred-loglik" of tables.
inline double predictive_score(const Dataset &data, const ScoreSettings &settings, Node child,
                               const std::vector<Node> &parents) {
  std::vector<Node> family = parents;
  family.push_back(child);
  auto joint = count_cells(data, family), configurations = count_cells(data, parents);
  const double r = data.columns[child].levels;
  double q = 1, score = 0;
  for (const Node u : parents)
    q *= data.columns[u].levels;
  for (const auto &[cell, m] : count_cells(settings.newdata, family)) {
    const double n = joint[cell], of_parents = configurations[{cell.begin(), cell.end() - 1}];
    score += n + settings.iss > 0
                 ? m * std::log((n + settings.iss / (r * q)) / (of_parents + settings.iss / q))
                 : -LocalScore::kInfinity;
  }
  return score;
}

// The data without these rows.
inline Dataset rows_left(Dataset data, const std::vector<std::size_t> &set) {
  for (auto row = set.rbegin(); row != set.rend(); ++row) {
    const auto at = static_cast<std::ptrdiff_t>(*row);
    data.total -= data.weight(*row);
    --data.rows;
    for (Column &column : data.columns)
      if (column.discrete())
        column.codes.erase(column.codes.begin() + at);
      else
        column.values.erase(column.values.begin() + at);
    if (data.weighted())
      data.weights.erase(data.weights.begin() + at);
  }
  return data;
}

// The score of one family as the books write it.
inline double table_score(const Dataset &data, const ScoreSettings &settings, Node child,
                          const std::vector<Node> &parents) {
  std::vector<Node> family = parents;
  family.push_back(child);
  const double r = data.columns[child].levels;
  double q = 1;
  for (const Node u : parents)
    q *= data.columns[u].levels;
  if (settings.label == "pred-loglik")
    return predictive_score(data, settings, child, parents);
  if (!settings.set.empty()) {
    ScoreSettings rest = settings;
    rest.set.clear();
    return table_score(rows_left(data, settings.set[child]), rest, child, parents);
  }
  const auto joint = count_cells(data, family), configurations = count_cells(data, parents);
  if (settings.label == "bds")
    q = static_cast<double>(configurations.size());
  double score = 0;
  for (const Node u : parents)
    score += settings.worth.of_arc(u, child);
  if (!settings.worth.constant.empty())
    score += settings.worth.constant[child];
  const std::string &label = settings.label;
  if (label == "loglik" || label == "bic" || label == "fnml" || label == "qnml") {
    for (const auto &[cell, n] : joint) {
      std::vector<unsigned> configuration(cell.begin(), cell.end() - 1);
      score += n * std::log(n / configurations.at(configuration));
    }
    static const NmlRegret regret(1000);
    if (label == "fnml")
      for (const auto &[cell, n] : configurations)
        score -= regret(static_cast<std::uint64_t>(n), r);
    if (label == "qnml")
      score -= regret(data.total, r * q) - regret(data.total, q);
    return score - settings.k * (r - 1) * q;
  }
  if (label == "bdla") {
    for (const auto &[configuration, total] : configurations) {
      double likelihood = 0, log_likelihood = 0;
      for (unsigned a = 0; a < settings.sizes; ++a) {
        const double iss = std::pow(2, (1.0 - settings.sizes) / 2 + a);
        double log = std::lgamma(iss / q) - std::lgamma(iss / q + total);
        for (const auto &[cell, n] : joint)
          if (std::equal(configuration.begin(), configuration.end(), cell.begin()))
            log += std::lgamma(iss / (r * q) + n) - std::lgamma(iss / (r * q));
        likelihood += std::exp(log) / settings.sizes;
        log_likelihood += log / settings.sizes;
      }
      score += parents.empty() ? log_likelihood : std::log(likelihood);
    }
    return score;
  }
  const double alpha = settings.label == "k2"    ? 1
                       : settings.label == "bdj" ? 0.5
                                                 : settings.iss / (r * q);
  for (const auto &[cell, n] : joint)
    score += std::lgamma(alpha + n) - std::lgamma(alpha);
  for (const auto &[cell, n] : configurations)
    score += std::lgamma(r * alpha) - std::lgamma(r * alpha + n);
  return score;
}

// All parent sets of a node, in the order of their bit masks.
inline std::vector<std::vector<Node>> all_parent_sets(const Dataset &data, Node child) {
  std::vector<std::vector<Node>> sets{{}};
  for (Node u = 0; u < data.size(); ++u)
    if (u != child)
      for (std::size_t i = 0, before = sets.size(); i < before; ++i) {
        sets.push_back(sets[i]);
        sets.back().push_back(u);
      }
  return sets;
}

inline double score_one(LocalScore &score, Node child, const std::vector<Node> &parents) {
  const Host host;
  Watch watch(host);
  FamilyBatch batch;
  batch.parents = static_cast<unsigned>(parents.size());
  batch.add(child, parents.data());
  FamilyScores result;
  score.score(batch, watch, result);
  return result.score[0];
}

inline ScoreSettings settings(const std::string &label, double parameter = 1) {
  ScoreSettings out;
  out.label = label;
  out.iss = parameter;
  out.k = label == "bic" || label[0] == 'p' ? parameter : 0;
  return out;
}

// Of nodes that were set in some rows, two of them in the same.
inline ScoreSettings with_experiments(ScoreSettings out, const Dataset &data) {
  out.set.resize(data.size());
  for (std::size_t row = 0; row < data.rows; row += 3)
    for (const Node v : {0, 2})
      out.set[v].push_back(row);
  for (std::size_t row = 1; row < data.rows / 2; row += 2)
    out.set[1].push_back(row);
  return out;
}

// Some rows of the data for new ones, and the others for data.
inline ScoreSettings settings_with_new_rows(const std::string &label, Dataset &data,
                                            std::size_t rows, double iss) {
  ScoreSettings out = settings(label, iss);
  out.newdata = data;
  out.newdata.rows = out.newdata.total = rows;
  out.newdata.weights.clear();
  data.rows -= rows;
  data.total = data.rows;
  if (data.weighted()) {
    data.weights.resize(data.rows);
    data.total = std::accumulate(data.weights.begin(), data.weights.end(), std::uint64_t{0});
  }
  const auto split = [&](auto &left, auto &taken) {
    if (left.empty())
      return;
    taken.assign(left.end() - static_cast<std::ptrdiff_t>(rows), left.end());
    left.resize(data.rows);
  };
  for (std::size_t v = 0; v < data.columns.size(); ++v) {
    split(data.columns[v].codes, out.newdata.columns[v].codes);
    split(data.columns[v].values, out.newdata.columns[v].values);
  }
  return out;
}

// The same under a prior by which some arcs are likely and some are not.
inline ScoreSettings with_prior(ScoreSettings out, Node n, std::uint64_t seed) {
  Random random(seed);
  for (Node v = 0; v < n; ++v) {
    out.worth.constant.push_back(random.uniform() - 0.5);
    for (Node u = 0; u < n; ++u)
      out.worth.single.push_back(4 * random.uniform() - 2.5);
  }
  return out;
}

} // namespace fixtures
