#include "core/score/local_score.h"

#include "core/base/ascending.h"
#include "core/base/parallel.h"
#include "core/score/gaussian/average_regression.h"
#include "core/score/gaussian/bge_score.h"
#include "core/score/gaussian/predictive_regression.h"
#include "core/score/gaussian/regression_score.h"
#include "core/score/intervention_score.h"
#include "core/score/local_structure/ft_score.h"
#include "core/score/local_structure/pcart_score.h"
#include "core/score/mixed_families.h"
#include "core/score/structure_prior.h"
#include "core/score/table/averaged_score.h"
#include "core/score/table/node_average.h"
#include "core/score/table/predictive_score.h"
#include "core/score/table/table_score.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace optbn {

namespace {

bool all_discrete(const Dataset &data) {
  return std::all_of(data.columns.begin(), data.columns.end(),
                     [](const Column &column) { return column.discrete(); });
}

std::unique_ptr<LocalScore> make_full_table(const Dataset &data, const ScoreSettings &settings) {
  if (!all_discrete(data))
    return std::make_unique<FtScore>(data, settings);
  if (settings.leaf.iss > 0)
    return std::make_unique<TableScore>(data, TableKind::bde, settings.leaf.iss);
  return std::make_unique<TableScore>(data, TableKind::uniform, settings.leaf.alpha);
}

std::unique_ptr<LocalScore> make_score_of_data(const Dataset &data, const ScoreSettings &settings) {
  const std::string &label = settings.label;
  if (label == "nal" || label == "pnal")
    return std::make_unique<NodeAverage>(data, settings.k);
  if (label == "nal-g" || label == "pnal-g" || label == "nal-cg" || label == "pnal-cg")
    return std::make_unique<AverageRegression>(data, settings.k);
  if (data.holes())
    throw std::invalid_argument("missing values under score " + label);
  if (label == "loglik" || label == "bic" || label == "aic" || label == "ebic")
    return std::make_unique<TableScore>(data, TableKind::likelihood, settings.k);
  if (label == "fnml")
    return std::make_unique<TableScore>(data, TableKind::fnml);
  if (label == "qnml")
    return std::make_unique<TableScore>(data, TableKind::qnml);
  if (label == "bde" || label == "mbde")
    return std::make_unique<TableScore>(data, TableKind::bde, settings.iss);
  if (label == "bds")
    return std::make_unique<TableScore>(data, TableKind::bds, settings.iss);
  if (label == "bdla")
    return std::make_unique<AveragedScore>(data, settings.sizes);
  if (label == "k2")
    return std::make_unique<TableScore>(data, TableKind::uniform, 1);
  if (label == "bdj")
    return std::make_unique<TableScore>(data, TableKind::uniform, 0.5);
  if (label == "bge")
    return std::make_unique<BgeScore>(data, settings.iss_mu, settings.iss_w, settings.nu);
  if (label == "loglik-g" || label == "bic-g" || label == "aic-g" || label == "ebic-g" ||
      label == "loglik-cg" || label == "bic-cg" || label == "aic-cg" || label == "ebic-cg")
    return std::make_unique<RegressionScore>(data, settings.k);
  if (label == "pred-loglik")
    return std::make_unique<PredictiveScore>(std::make_shared<PooledRows>(data, settings.newdata),
                                             settings.iss);
  if (label == "pred-loglik-g" || label == "pred-loglik-cg")
    return std::make_unique<PredictiveRegression>(data, settings.newdata, settings.iss);
  if (label == "pcart")
    return std::make_unique<PcartScore>(data, settings);
  if (label == "ft")
    return make_full_table(data, settings);
  if (label == "pcart-p" || label == "ft-p") {
    ScoreSettings base = settings;
    base.label = label.substr(0, label.size() - 2);
    return std::make_unique<StructurePrior>(make_score_of_data(data, base),
                                            uniform_over_sizes(data.size()));
  }
  throw std::invalid_argument("unknown score label: " + label);
}

} // namespace

void for_each_family(const std::vector<Extensions> &batch, double operations, Watch &watch,
                     const std::function<void(std::size_t, unsigned)> &body) {
  constexpr double kWorthThreads = 1e6;
  double all = 0;
  for (const Extensions &family : batch)
    all += operations * static_cast<double>(family.added.size());
  if (all > kWorthThreads) {
    parallel_for(watch, batch.size(), body);
    return;
  }
  for (std::size_t i = 0; i < batch.size() && !watch.stopped(); ++i)
    body(i, 0);
}

std::vector<double> LocalScore::score_nearly(const FamilyBatch &batch, Watch &watch) {
  FamilyScores scores;
  score(batch, watch, scores);
  return std::move(scores.score);
}

void LocalScore::extend(std::vector<Extensions> &batch, Watch &watch) {
  std::vector<std::vector<std::size_t>> all(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    batch[i].score.resize(batch[i].added.size());
    all[i].resize(batch[i].added.size());
    std::iota(all[i].begin(), all[i].end(), std::size_t{0});
  }
  extend_some(batch, all, watch);
}

void LocalScore::extend_some(std::vector<Extensions> &batch,
                             const std::vector<std::vector<std::size_t>> &which, Watch &watch) {
  MixedFamilies families;
  for (std::size_t i = 0; i < batch.size(); ++i)
    for (const std::size_t j : which[i])
      families.add(batch[i].child, with(batch[i].parents, batch[i].added[j]));
  const std::vector<double> scores = families.score(*this, watch);
  auto next = scores.begin();
  for (std::size_t i = 0; i < batch.size(); ++i)
    for (const std::size_t j : which[i])
      batch[i].score[j] = *next++;
}

void LocalScore::reduce(std::vector<Reductions> &batch, Watch &watch) {
  for (Reductions &family : batch)
    family.score.assign(family.removed.size(), std::numeric_limits<double>::quiet_NaN());
  reduce_others(batch, watch);
}

void LocalScore::reduce_others(std::vector<Reductions> &batch, Watch &watch) {
  MixedFamilies families;
  std::vector<double *> missing;
  for (Reductions &family : batch)
    for (std::size_t i = 0; i < family.removed.size(); ++i)
      if (std::isnan(family.score[i])) {
        families.add(family.child, without(family.parents, family.removed[i]));
        missing.push_back(&family.score[i]);
      }
  if (missing.empty() || watch.stopped())
    return;
  const std::vector<double> scores = families.score_nearly(*this, watch);
  for (std::size_t i = 0; i < missing.size(); ++i)
    *missing[i] = scores[i];
}

void LocalScore::score_others(const FamilyBatch &batch, std::vector<double> &scores, Watch &watch) {
  FamilyBatch others;
  others.parents = batch.parents;
  for (std::size_t i = 0; i < batch.size(); ++i)
    if (std::isnan(scores[i]))
      others.add(batch.child[i], batch.parents_of(i));
  if (others.size() == 0 || watch.stopped())
    return;
  FamilyScores found;
  score(others, watch, found);
  auto next = found.score.begin();
  for (double &one : scores)
    if (std::isnan(one))
      one = *next++;
}

std::unique_ptr<LocalScore> make_score(const Dataset &data, const ScoreSettings &settings) {
  const StructureWorth &worth = settings.worth;
  const auto of_rows = [&settings](const Dataset &rows) {
    return make_score_of_data(rows, settings);
  };
  std::unique_ptr<LocalScore> base;
  if (!settings.set.empty())
    base = std::make_unique<InterventionScore>(data, settings.set, of_rows);
  else if (!settings.left.empty())
    base = std::make_unique<InterventionScore>(data, settings.left, of_rows);
  else
    base = of_rows(data);
  if (worth.constant.empty())
    return base;
  const std::size_t n = data.size();
  if (worth.constant.size() != n || !(worth.single.empty() || worth.single.size() == n * n))
    throw std::invalid_argument("the prior is one over other nodes");
  return std::make_unique<StructurePrior>(std::move(base), settings.worth);
}

} // namespace optbn
