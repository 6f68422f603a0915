#include "core/density/learn/chow_liu.h"

#include "core/base/log_sum.h"
#include "core/data/source_counter.h"
#include "core/density/learn/em_steps.h"
#include "core/density/learn/expected_counts.h"
#include "core/density/learn/spanning_tree.h"
#include "core/density/learn/training.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace optbn {

namespace {

// Blocks that contain all pairs of variables, or the only variable.
std::vector<Block> blocks_of_pairs(const Items &items, const std::vector<unsigned> &levels) {
  if (items.variables() == 1)
    return {{0}};
  std::vector<std::array<Node, 2>> pairs;
  for (Node v = 1; v < items.variables(); ++v)
    for (Node u = 0; u < v; ++u)
      pairs.push_back({u, v});
  std::vector<const Node *> sets;
  for (const auto &pair : pairs)
    sets.push_back(pair.data());
  return cover(sets, 2, levels, SourceCounter::kMostCells);
}

void add_counts(const Dataset &cells, const Items &items, Node u, Node v, PairCounts &counts) {
  const std::vector<std::uint16_t> &one = cells.columns[u].codes, &other = cells.columns[v].codes;
  for (std::size_t row = 0; row < cells.rows; ++row)
    if (one[row] > 0 && other[row] > 0)
      counts.row(items.first(u) + one[row] - 1)[items.first(v) + other[row] - 1] +=
          cells.weight(row);
}

PairCounts count_pairs(const Dataset &data, const Items &items, Watch &watch) {
  const std::vector<unsigned> levels = levels_of(data);
  PairCounts counts(items.size());
  counts.clear();
  counts.total = static_cast<double>(data.total);
  std::vector<char> counted(data.columns.size() * data.columns.size(), 0);
  for_each_block(*data.source, blocks_of_pairs(items, levels), levels, watch,
                 [&](const Block &block, const Dataset &cells) {
                   for (const Node v : block)
                     for (const Node u : block)
                       if (u <= v && !counted[u * data.columns.size() + v]++)
                         add_counts(cells, items, u, v, counts);
                 });
  throw_if_stopped(watch);
  counts.mirror();
  return counts;
}

// The mean log density of rows that are spread evenly over all cells.
double even_log_density(const TreeDensity &tree) {
  double sum = 0;
  for (const TreeDensity::TreeNode &node : tree.nodes) {
    const std::size_t cells = node.levels * tree.blocks(node);
    for (std::size_t cell = node.table; cell < node.table + cells; ++cell)
      sum += std::log(tree.tables[cell]) / static_cast<double>(cells);
  }
  return sum;
}

// A tree learned from counts, and what counts in the comparison of steps.
struct SmoothedTree {
  TreeDensity tree;
  double penalty; // log-likelihood of the imaginary rows
};

SmoothedTree smoothed_tree(const PairCounts &counts, const Items &items, const Smoothing &smoothing,
                           Watch &watch) {
  const Smoother smoother(smoothing, items, counts);
  TreeLearner learner(smoother, &watch);
  SpanningTree tree;
  learner.learn(counts, items.all_variables(), tree);
  TreeDensity density = learner.density(counts, tree);
  const double imaginary = smoother.imaginary_rows();
  const double penalty = imaginary > 0 ? imaginary * even_log_density(density) : 0;
  return {std::move(density), penalty};
}

} // namespace

TreeDensity tree_of_counts(const PairCounts &counts, const Items &items, const Smoothing &smoothing,
                           Watch &watch) {
  return smoothed_tree(counts, items, smoothing, watch).tree;
}

TreeBySteps learn_chow_liu_by_em(const TrainingRows &rows, const std::vector<double> &given,
                                 const Smoothing &smoothing, Watch &watch) {
  constexpr Steps kSteps = {200, 1, 1e-6};
  const std::vector<double> weights = given.empty() ? rows.own_weights() : given;
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  TreeBySteps learned;
  EmProgress progress(kSteps);
  try {
    PairCounts counts = available_counts(rows, weights, watch);
    for (;;) {
      watch.restart(static_cast<double>(rows.rows()));
      SmoothedTree next = smoothed_tree(counts, rows.items(), smoothing, watch);
      ExpectedCounts expected = expected_counts(next.tree, rows, weights, watch);
      learned.training.push_back(expected.log_likelihood / total);
      if (progress.add_step((expected.log_likelihood + next.penalty) / total))
        learned.tree = std::move(next.tree);
      if (progress.finished())
        break;
      counts = std::move(expected.counts);
    }
  } catch (const Interrupted &) {
    if (progress.done() == 0)
      throw;
  } catch (const TimeLimitReached &) {
    if (progress.done() == 0)
      throw;
  }
  learned.best_step = progress.best_step();
  return learned;
}

TreeDensity learn_chow_liu(const TrainingRows &rows, const std::vector<double> &weights,
                           const Smoothing &smoothing, Watch &watch) {
  throw_if_stopped(watch);
  if (rows.holes())
    return learn_chow_liu_by_em(rows, weights, smoothing, watch).tree;
  const Training training(rows, weights, smoothing, watch);
  throw_if_stopped(watch);
  TreeLearner learner(training.smoother, &watch);
  SpanningTree tree;
  learner.learn(training.counts, rows.items().all_variables(), tree);
  return learner.density(training.counts, tree);
}

TreeWithLikelihood learn_chow_liu(const Dataset &data, const Smoothing &smoothing, Watch &watch) {
  const Items items(levels_of(data));
  const PairCounts counts = count_pairs(data, items, watch);
  const Smoother smoother(smoothing, items, counts);
  TreeLearner learner(smoother, &watch);
  SpanningTree tree;
  const double log_likelihood = learner.learn(counts, items.all_variables(), tree);
  return {learner.density(counts, tree), log_likelihood};
}

} // namespace optbn
