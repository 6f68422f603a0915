#include "core/score/gaussian/average_regression.h"

#include "core/base/ascending.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace optbn {

AverageRegression::AverageRegression(const Dataset &data, double k)
    : data_(data), penalty_(k / static_cast<double>(data.total)), known_(data.size(), 0),
      least_residual_(data.size(), 0), tables_(data, k) {
  for (Node v = 0; v < data.size(); ++v)
    for (std::size_t row = 0; row < data.rows; ++row)
      known_[v] += data.columns[v].missing(row) ? 0 : data.weight(row);
}

bool AverageRegression::admits(Node child, Node parent) const {
  return !data_.columns[child].discrete() || data_.columns[parent].discrete();
}

bool AverageRegression::find_least_residuals(Watch &watch) {
  std::vector<Node> all(data_.columns.size());
  std::iota(all.begin(), all.end(), Node{0});
  const bool gaussian = std::none_of(data_.columns.begin(), data_.columns.end(),
                                     [](const Column &column) { return column.discrete(); });
  const CellRows rows(data_, {}, gaussian ? all : std::vector<Node>{});
  if (!gaussian || rows.size() == 0)
    return true;
  const CellFactors::Cells cells = CellFactors::factorise(data_, rows, all, watch);
  const std::vector<double> found =
      cells.empty() ? std::vector<double>{} : cells[0].factor.least_squares(watch);
  if (!found.empty())
    least_residual_ = found;
  return !found.empty();
}

double AverageRegression::bound(Node child, const Node *parents, unsigned size) const {
  if (data_.columns[child].discrete())
    return tables_.bound(child, parents, size);
  if (least_residual_[child] <= 0 || known_[child] <= size + 1.0)
    return kInfinity;
  return gaussian_log_likelihood(known_[child], size, std::sqrt(least_residual_[child])) /
             known_[child] -
         penalty(parents, size);
}

void AverageRegression::score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) {
  result.score.assign(batch.size(), -kInfinity);
  result.superset_bound.assign(batch.size(), kInfinity);
  if (batch.parents > 0 && !prepared_ && !(prepared_ = find_least_residuals(watch)))
    return;
  score_tables(batch, watch, result);
  const std::vector<Task> tasks = tasks_of(batch);
  parallel_for(watch, tasks.size(), [&](std::size_t number, unsigned) {
    score_task(tasks[number], batch, watch, result);
    watch.advance(tasks[number].families.size());
  });
}

void AverageRegression::score_tables(const FamilyBatch &batch, Watch &watch, FamilyScores &result) {
  FamilyBatch tables;
  tables.parents = batch.parents;
  std::vector<std::size_t> number;
  for (std::size_t i = 0; i < batch.size(); ++i)
    if (data_.columns[batch.child[i]].discrete()) {
      tables.add(batch.child[i], batch.parents_of(i));
      number.push_back(i);
    }
  if (number.empty())
    return;
  FamilyScores found;
  tables_.score(tables, watch, found);
  if (watch.stopped())
    return;
  for (std::size_t t = 0; t < number.size(); ++t) {
    result.score[number[t]] = found.score[t];
    result.superset_bound[number[t]] = found.superset_bound[t];
  }
}

std::vector<AverageRegression::Task> AverageRegression::tasks_of(const FamilyBatch &batch) const {
  std::map<std::vector<Node>, std::vector<std::size_t>> groups; // by joint set
  for (std::size_t i = 0; i < batch.size(); ++i)
    if (!data_.columns[batch.child[i]].discrete())
      groups[with({batch.parents_of(i), batch.parents_of(i) + batch.parents}, batch.child[i])]
          .push_back(i);
  std::vector<Task> tasks;
  for (auto &[set, families] : groups) {
    tasks.push_back({{}, {}, std::move(families)});
    for (const Node v : set)
      (data_.columns[v].discrete() ? tasks.back().discrete : tasks.back().continuous).push_back(v);
  }
  return tasks;
}

void AverageRegression::score_task(const Task &task, const FamilyBatch &batch, Watch &watch,
                                   FamilyScores &result) const {
  const std::vector<Node> &continuous = task.continuous;
  const CellRows rows(data_, task.discrete, continuous);
  double configurations = 1;
  for (const Node u : task.discrete)
    configurations *= data_.columns[u].levels;
  if (static_cast<double>(rows.size()) < configurations ||
      rows.least_total() <= static_cast<double>(continuous.size())) {
    for (const std::size_t i : task.families)
      result.superset_bound[i] = -kInfinity; // supersets have fewer rows or more parents
    return;
  }
  const std::vector<double> &totals = rows.totals();
  const double known = std::accumulate(totals.begin(), totals.end(), 0.0);
  const CellRegression regression(data_, rows, continuous);
  CellFactors::Cells factors; // where products have too few digits
  std::vector<ColumnFactor::Basis> bases;
  for (const std::size_t i : task.families) {
    std::vector<Eigen::Index> given;
    Eigen::Index child = 0;
    for (std::size_t j = 0; j < continuous.size(); ++j)
      if (continuous[j] == batch.child[i])
        child = static_cast<Eigen::Index>(j);
      else
        given.push_back(static_cast<Eigen::Index>(j));
    double sum = regression.log_likelihood(given, child);
    if (std::isnan(sum)) {
      if (factors.empty())
        factors = CellFactors::factorise(data_, rows, continuous, watch);
      if (factors.empty())
        return;
      sum = log_likelihood(factors, given, child, bases);
    }
    result.score[i] = sum / known - penalty(batch.parents_of(i), batch.parents);
  }
}

double AverageRegression::penalty(const Node *parents, unsigned size) const {
  double configurations = 1, continuous = 0;
  for (unsigned i = 0; i < size; ++i) {
    const Column &column = data_.columns[parents[i]];
    column.discrete() ? configurations *= column.levels : continuous += 1;
  }
  return penalty_ * (continuous + 2) * configurations;
}

} // namespace optbn
