#include "core/cutset/row_densities.h"

#include "core/base/parallel.h"
#include "core/cutset/level_weights.h"
#include "core/cutset/network_evidence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace optbn {

namespace {

// The level of each variable that is most probable beforehand.
UsualLevels usual_levels(const DensityMixture &mixture, Watch &watch) {
  const LevelWeights nothing(mixture.levels, Evidence(mixture.size()));
  std::vector<Posterior> parts(mixture.components.size());
  parallel_for(watch, parts.size(), [&](std::size_t c, unsigned) {
    parts[c] = posterior(mixture.components[c], mixture.levels, nothing);
  });
  throw_if_stopped(watch);
  std::vector<double> cells(nothing.cells(), 0.0);
  for (std::size_t c = 0; c < parts.size(); ++c)
    for (std::size_t i = 0; i < parts[c].cells.size(); ++i)
      cells[i] += mixture.weights[c] * parts[c].cells[i];
  std::vector<std::uint16_t> usual;
  for (Node v = 0; v < mixture.size(); ++v) {
    const double *const first = cells.data() + nothing.first(v);
    const double *const most = std::max_element(first, first + mixture.levels[v]);
    usual.push_back(static_cast<std::uint16_t>(most - first));
  }
  return {mixture.levels, std::move(usual)};
}

} // namespace

double log_sum_exp(const double *logs, std::size_t size) {
  if (size == 1)
    return logs[0];
  double largest = kLogZero, sum = 0;
  for (std::size_t i = 0; i < size; ++i)
    largest = std::max(largest, logs[i]);
  if (largest == kLogZero)
    return kLogZero;
  for (std::size_t i = 0; i < size; ++i)
    sum += std::exp(logs[i] - largest);
  return largest + std::log(sum);
}

bool has_hidden_members(const CutsetNetwork &network) {
  for (const TreeDensity &leaf : network.leaves)
    for (const TreeDensity::Member &member : leaf.members)
      if (member.variable == TreeDensity::kHidden)
        return true;
  return false;
}

RowDensities::RowDensities(const DensityMixture &mixture, Watch &watch)
    : mixture_(mixture), usual_(usual_levels(mixture, watch)),
      log_odds_(mixture.components.size()) {
  for (const double weight : mixture.weights)
    log_weights_.push_back(std::log(weight));
  parallel_for(watch, log_odds_.size(), [&](std::size_t c, unsigned) {
    const CutsetNetwork &component = mixture.components[c];
    if (!has_hidden_members(component))
      log_odds_[c] = std::make_unique<LogOddsNetwork>(component, usual_);
  });
  throw_if_stopped(watch);
}

RowDensities::Desk::Desk(const RowDensities &densities) : rows(densities.usual_) {
  for (const CutsetNetwork &component : densities.mixture_.components)
    descents.emplace_back(component, densities.mixture_.levels);
}

void RowDensities::for_each_block(std::size_t rows, Watch &watch, const BlockWork &work) const {
  const std::size_t most = CompleteRows::rows_at_a_time(mixture_.levels.size());
  std::vector<std::unique_ptr<Desk>> desks(std::max(1u, watch.host().threads));
  parallel_for(watch, (rows + most - 1) / most, [&](std::size_t task, unsigned worker) {
    if (!desks[worker])
      desks[worker] = std::make_unique<Desk>(*this);
    const std::size_t begin = task * most, count = std::min(most, rows - begin);
    work(*desks[worker], begin, count);
    watch.advance(count);
  });
  throw_if_stopped(watch);
}

void RowDensities::answer(const PartialRows &rows, std::size_t begin, std::size_t count, Desk &desk,
                          Watch &watch) const {
  desk.rows.read(rows, begin, count);
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  desk.answers.resize(log_odds_.size() * count);
  for (std::size_t c = 0; c < log_odds_.size() && !watch.stopped(); ++c) {
    double *const answers = desk.answers.data() + c * count;
    if (log_odds_[c]) {
      log_odds_[c]->log_densities(desk.rows, desk.workspace, answers);
      answer_partial(rows, begin, c, desk.rows.incomplete(), desk, watch, answers);
    } else {
      answer_partial(rows, begin, c, all, desk, watch, answers);
    }
  }
}

void RowDensities::answer_partial(const PartialRows &rows, std::size_t begin, std::size_t component,
                                  const std::vector<std::uint32_t> &which, Desk &desk, Watch &watch,
                                  double *answers) const {
  if (which.empty())
    return;
  desk.numbers.clear();
  for (const std::uint32_t i : which)
    desk.numbers.push_back(static_cast<std::uint32_t>(begin + i));
  desk.scattered.resize(which.size());
  double *const found = desk.scattered.data();
  if (log_odds_[component]) // workspaces are large: those of many components are not kept
    PartialDescent(mixture_.components[component], mixture_.levels)
        .log_densities(rows, desk.numbers, watch, found);
  else
    desk.descents[component].log_densities(rows, desk.numbers, watch, found);
  for (std::size_t k = 0; k < which.size(); ++k)
    answers[which[k]] = found[k];
}

double RowDensities::mix(Desk &desk, std::size_t i, std::size_t count) const {
  desk.scattered.resize(log_odds_.size());
  for (std::size_t c = 0; c < log_odds_.size(); ++c)
    desk.scattered[c] = log_weights_[c] + desk.answers[c * count + i];
  return log_sum_exp(desk.scattered.data(), log_odds_.size());
}

std::vector<double> RowDensities::of_mixture(const PartialRows &rows, Watch &watch) const {
  std::vector<double> answers(rows.rows);
  for_each_block(rows.rows, watch, [&](Desk &desk, std::size_t begin, std::size_t count) {
    answer(rows, begin, count, desk, watch);
    for (std::size_t i = 0; i < count; ++i)
      answers[begin + i] = mix(desk, i, count);
  });
  return answers;
}

std::vector<double> RowDensities::by_component(const PartialRows &rows, Watch &watch) const {
  std::vector<double> answers(rows.rows * log_odds_.size());
  for_each_block(rows.rows, watch, [&](Desk &desk, std::size_t begin, std::size_t count) {
    answer(rows, begin, count, desk, watch);
    for (std::size_t c = 0; c < log_odds_.size(); ++c)
      std::copy_n(desk.answers.data() + c * count, count, answers.data() + c * rows.rows + begin);
  });
  return answers;
}

// The densities of the rows with each level of the variable in turn, brought to sum 1.
std::vector<double> RowDensities::posteriors(const PartialRows &rows, Node variable,
                                             Watch &watch) const {
  const std::size_t levels = mixture_.levels[variable];
  std::vector<double> answers(rows.rows * levels);
  for_each_block(rows.rows, watch, [&](Desk &desk, std::size_t begin, std::size_t count) {
    PartialRows filled{count, {}};
    for (std::size_t v = 0; v < rows.columns.size(); ++v) {
      const std::uint16_t *const column = rows.columns[v].data() + (v == variable ? 0 : begin);
      filled.columns.emplace_back(column, column + (v == variable ? 0 : count));
    }
    double *const logs = answers.data() + begin * levels;
    for (std::size_t level = 0; level < levels; ++level) {
      filled.columns[variable].assign(count, static_cast<std::uint16_t>(level));
      answer(filled, 0, count, desk, watch);
      for (std::size_t i = 0; i < count; ++i)
        logs[i * levels + level] = mix(desk, i, count);
    }
    for (double *row = logs; row != logs + count * levels; row += levels) {
      const double sum = log_sum_exp(row, levels);
      for (std::size_t level = 0; level < levels; ++level)
        row[level] =
            sum == kLogZero ? std::numeric_limits<double>::quiet_NaN() : std::exp(row[level] - sum);
    }
  });
  return answers;
}

} // namespace optbn
