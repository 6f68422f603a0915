#include "core/density/inference/row_densities.h"

#include "core/base/log_sum.h"
#include "core/base/parallel.h"
#include "core/density/inference/level_weights.h"
#include "core/density/inference/network_evidence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace optbn {

namespace {

// The most probable level of each variable a priori.
ReferenceLevels reference_levels(const DensityMixture &mixture, Watch &watch) {
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
  std::vector<std::uint16_t> reference;
  for (Node v = 0; v < mixture.size(); ++v) {
    const double *const first = cells.data() + nothing.first(v);
    const double *const most = std::max_element(first, first + mixture.levels[v]);
    reference.push_back(static_cast<std::uint16_t>(most - first));
  }
  return {mixture.levels, std::move(reference)};
}

// Copies some rows, without the column of one variable.
PartialRows without(const PartialRows &rows, Node variable,
                    const std::vector<std::uint32_t> &numbers) {
  PartialRows some{numbers.size(), std::vector<std::vector<std::uint16_t>>(rows.columns.size())};
  for (std::size_t v = 0; v < rows.columns.size(); ++v) {
    if (v == variable)
      continue;
    some.columns[v].resize(numbers.size());
    std::transform(numbers.begin(), numbers.end(), some.columns[v].begin(),
                   [&](std::uint32_t number) { return rows.columns[v][number]; });
  }
  return some;
}

// The numbers of the complete rows, ascending; the first row of the block has number `begin`.
std::vector<std::uint32_t> complete_rows(const CompleteRows &rows, std::size_t begin) {
  std::vector<std::uint32_t> numbers(rows.complete().begin(), rows.complete().end());
  std::sort(numbers.begin(), numbers.end());
  for (std::uint32_t &number : numbers)
    number += static_cast<std::uint32_t>(begin);
  return numbers;
}

// Logarithms to shares, which are NaN where all levels are impossible.
void normalise(double *logs, std::size_t size) {
  const double sum = log_sum_exp(logs, size);
  for (std::size_t i = 0; i < size; ++i)
    logs[i] = sum == kLogZero ? std::numeric_limits<double>::quiet_NaN() : std::exp(logs[i] - sum);
}

} // namespace

bool has_hidden_nodes(const CutsetNetwork &network) {
  for (const TreeDensity &leaf : network.leaves)
    for (const TreeDensity::TreeNode &node : leaf.nodes)
      if (node.variable == TreeDensity::kHidden)
        return true;
  return false;
}

RowDensities::RowDensities(const DensityMixture &mixture, Watch &watch)
    : mixture_(mixture), reference_(reference_levels(mixture, watch)),
      log_odds_(mixture.components.size()) {
  for (const double weight : mixture.weights)
    log_weights_.push_back(std::log(weight));
  parallel_for(watch, log_odds_.size(), [&](std::size_t c, unsigned) {
    const CutsetNetwork &component = mixture.components[c];
    if (!has_hidden_nodes(component))
      log_odds_[c] = std::make_unique<LogOddsNetwork>(component, reference_);
  });
  throw_if_stopped(watch);
}

RowDensities::BlockWorkspace::BlockWorkspace(const RowDensities &densities)
    : rows(densities.reference_) {
  for (const CutsetNetwork &component : densities.mixture_.components)
    descents.emplace_back(component, densities.mixture_.levels);
}

void RowDensities::for_each_block(std::size_t rows, Watch &watch, const BlockWork &block,
                                  const GroupWork &group) const {
  const std::size_t most = CompleteRows::rows_at_a_time(mixture_.levels.size());
  const std::size_t blocks = (rows + most - 1) / most;
  std::vector<std::unique_ptr<BlockWorkspace>> workspaces(std::max(1u, watch.host().threads));
  std::vector<std::vector<std::uint32_t>> incomplete(blocks);
  parallel_for(watch, blocks, [&](std::size_t task, unsigned worker) {
    if (!workspaces[worker])
      workspaces[worker] = std::make_unique<BlockWorkspace>(*this);
    const std::size_t begin = task * most, count = std::min(most, rows - begin);
    block(*workspaces[worker], begin, count);
    for (const std::uint32_t i : workspaces[worker]->rows.incomplete())
      incomplete[task].push_back(static_cast<std::uint32_t>(begin + i));
    watch.advance(count - incomplete[task].size());
  });
  throw_if_stopped(watch);

  constexpr std::size_t kGroup = 8192; // limits the memory of their answers
  std::vector<std::uint32_t> numbers;
  for (std::size_t task = 0; task < blocks; ++task) {
    numbers.insert(numbers.end(), incomplete[task].begin(), incomplete[task].end());
    if (numbers.empty() || (numbers.size() < kGroup && task + 1 < blocks))
      continue;
    group(numbers);
    throw_if_stopped(watch);
    watch.advance(numbers.size());
    numbers.clear();
  }
}

void RowDensities::answer(const PartialRows &rows, std::size_t begin, std::size_t count,
                          BlockWorkspace &workspace, Watch &watch) const {
  workspace.rows.read(rows, begin, count);
  workspace.answers.resize(log_odds_.size() * count);
  for (std::size_t c = 0; c < log_odds_.size() && !watch.stopped(); ++c) {
    double *const answers = workspace.answers.data() + c * count;
    if (log_odds_[c]) {
      log_odds_[c]->log_densities(workspace.rows, workspace.workspace, answers);
      continue;
    }
    const std::vector<std::uint32_t> numbers = complete_rows(workspace.rows, begin);
    workspace.scattered.resize(numbers.size());
    workspace.descents[c].log_densities(rows, numbers, watch, workspace.scattered.data());
    for (std::size_t k = 0; k < numbers.size(); ++k)
      answers[numbers[k] - begin] = workspace.scattered[k];
  }
}

std::vector<double> RowDensities::answer_partial(const PartialRows &rows,
                                                 const std::vector<std::uint32_t> &numbers,
                                                 Watch &watch) const {
  constexpr std::size_t kTogether = 4096;
  const std::size_t parts = (numbers.size() + kTogether - 1) / kTogether;
  std::vector<double> answers(log_odds_.size() * numbers.size());
  parallel_for(watch, log_odds_.size() * parts, [&](std::size_t task, unsigned) {
    const std::size_t c = task / parts, begin = task % parts * kTogether;
    const auto first = numbers.begin() + static_cast<std::ptrdiff_t>(begin);
    const std::size_t count = std::min(kTogether, numbers.size() - begin);
    PartialDescent(mixture_.components[c], mixture_.levels)
        .log_densities(rows, {first, first + static_cast<std::ptrdiff_t>(count)}, watch,
                       answers.data() + c * numbers.size() + begin);
  });
  return answers;
}

double RowDensities::mix(const std::vector<double> &answers, std::size_t i, std::size_t count,
                         std::vector<double> &scratch) const {
  scratch.resize(log_odds_.size());
  for (std::size_t c = 0; c < log_odds_.size(); ++c)
    scratch[c] = log_weights_[c] + answers[c * count + i];
  return log_sum_exp(scratch.data(), log_odds_.size());
}

std::vector<double> RowDensities::of_mixture(const PartialRows &rows, Watch &watch) const {
  std::vector<double> answers(rows.rows);
  for_each_block(
      rows.rows, watch,
      [&](BlockWorkspace &workspace, std::size_t begin, std::size_t count) {
        answer(rows, begin, count, workspace, watch);
        for (std::size_t i = 0; i < count; ++i)
          answers[begin + i] = mix(workspace.answers, i, count, workspace.scattered);
      },
      [&](const std::vector<std::uint32_t> &numbers) {
        const std::vector<double> logs = answer_partial(rows, numbers, watch);
        std::vector<double> scratch;
        for (std::size_t i = 0; i < numbers.size(); ++i)
          answers[numbers[i]] = mix(logs, i, numbers.size(), scratch);
      });
  return answers;
}

std::vector<double> RowDensities::by_component(const PartialRows &rows, Watch &watch) const {
  std::vector<double> answers(rows.rows * log_odds_.size());
  for_each_block(
      rows.rows, watch,
      [&](BlockWorkspace &workspace, std::size_t begin, std::size_t count) {
        answer(rows, begin, count, workspace, watch);
        for (std::size_t c = 0; c < log_odds_.size(); ++c)
          std::copy_n(workspace.answers.data() + c * count, count,
                      answers.data() + c * rows.rows + begin);
      },
      [&](const std::vector<std::uint32_t> &numbers) {
        const std::vector<double> logs = answer_partial(rows, numbers, watch);
        for (std::size_t c = 0; c < log_odds_.size(); ++c)
          for (std::size_t i = 0; i < numbers.size(); ++i)
            answers[c * rows.rows + numbers[i]] = logs[c * numbers.size() + i];
      });
  return answers;
}

// The densities of the rows with each level of the variable in turn, normalised to sum 1.
std::vector<double> RowDensities::posteriors(const PartialRows &rows, Node variable,
                                             Watch &watch) const {
  const std::size_t levels = mixture_.levels[variable];
  std::vector<double> answers(rows.rows * levels);
  for_each_block(
      rows.rows, watch,
      [&](BlockWorkspace &workspace, std::size_t begin, std::size_t count) {
        std::vector<std::uint32_t> numbers(count);
        std::iota(numbers.begin(), numbers.end(), static_cast<std::uint32_t>(begin));
        PartialRows filled = without(rows, variable, numbers);
        for (std::size_t level = 0; level < levels; ++level) {
          filled.columns[variable].assign(count, static_cast<std::uint16_t>(level));
          answer(filled, 0, count, workspace, watch);
          for (std::size_t i = 0; i < count; ++i)
            answers[(begin + i) * levels + level] =
                mix(workspace.answers, i, count, workspace.scattered);
        }
      },
      [&](const std::vector<std::uint32_t> &numbers) {
        std::vector<std::uint32_t> all(numbers.size());
        std::iota(all.begin(), all.end(), 0u);
        PartialRows filled = without(rows, variable, numbers);
        std::vector<double> scratch;
        for (std::size_t level = 0; level < levels; ++level) {
          filled.columns[variable].assign(all.size(), static_cast<std::uint16_t>(level));
          const std::vector<double> logs = answer_partial(filled, all, watch);
          for (std::size_t i = 0; i < all.size(); ++i)
            answers[numbers[i] * levels + level] = mix(logs, i, all.size(), scratch);
        }
      });
  for (auto row = answers.begin(); row != answers.end(); row += static_cast<std::ptrdiff_t>(levels))
    normalise(&*row, levels);
  return answers;
}

} // namespace optbn
