#include "core/cutset/chow_liu.h"

#include "core/cutset/slice.h"
#include "core/cutset/spanning_tree.h"

#include <numeric>

namespace optbn {

TreeDensity learn_chow_liu(const TrainingRows &rows, const std::vector<double> &weights,
                           const Smoothing &smoothing, Watch &watch) {
  throw_if_stopped(watch);
  const PairCounts counts = Slice(rows, weights).counted();
  throw_if_stopped(watch);
  const Smoother smoother(smoothing, rows.items(), counts);
  TreeLearner learner(smoother);
  std::vector<Node> scope(rows.variables());
  std::iota(scope.begin(), scope.end(), Node{0});
  SpanningTree tree;
  learner.learn(counts, scope, tree);
  return learner.density(counts, tree);
}

} // namespace optbn
