#include "core/cutset/chow_liu.h"

#include "core/cutset/spanning_tree.h"
#include "core/cutset/training.h"

namespace optbn {

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

} // namespace optbn
