#include "core/density/learn/chow_liu.h"

#include "core/data/source_counter.h"
#include "core/density/learn/spanning_tree.h"
#include "core/density/learn/training.h"

#include <array>

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

} // namespace

TreeDensity learn_chow_liu(const TrainingRows &rows, const std::vector<double> &weights,
                           const Smoothing &smoothing, Watch &watch) {
  throw_if_stopped(watch);
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
