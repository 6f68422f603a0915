#include "core/score/gaussian/regression_score.h"

#include "core/base/ascending.h"
#include "core/base/parallel.h"
#include "core/score/table/table_score.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace optbn {

namespace {

constexpr std::size_t kRegressionsPerTask = 1024;
constexpr double kExtensionBytes = 1.3e8; // of what extend() keeps
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

} // namespace

RegressionScore::RegressionScore(const Dataset &data, double penalty)
    : data_(data), penalty_(penalty), position_(data.columns.size()),
      tables_(std::make_unique<TableScore>(data, TableKind::likelihood, penalty)) {
  for (Node v = 0; v < data.size(); ++v) {
    if (data.columns[v].discrete())
      continue;
    position_[v] = static_cast<Eigen::Index>(continuous_.size());
    continuous_.push_back(v);
  }
  all_rows_.push_back(data_.source ? query_source({}).at(0) : cell_of_all_rows());
  factors_ = std::make_unique<CellFactors>(data_, continuous_);
  least_residual_.assign(data.size(), 0);
}

bool RegressionScore::prepare(Watch &watch) {
  if (!prepared_)
    prepared_ = all_rows_[0].factor.factorise(watch) && find_least_residuals(watch);
  return prepared_;
}

bool RegressionScore::find_least_residuals(Watch &watch) {
  if (continuous_.size() < data_.columns.size())
    return true;
  const std::vector<double> found = all_rows_[0].factor.least_squares(watch);
  if (!found.empty())
    least_residual_ = found;
  return !found.empty();
}

bool RegressionScore::prepare_to_extend(Watch &watch) {
  if (!prepare(watch))
    return false;
  double bytes = 0;
  for (const auto &[discrete, cached] : cache_)
    bytes += discrete.empty() ? 0 : cached.products.bytes();
  if (bytes > kExtensionBytes)
    cache_.erase(std::next(cache_.begin()), cache_.end()); // all but the first, that of all rows
  if (find_cached({}))
    return true;
  const Eigen::MatrixXd products = all_rows_[0].factor.products(watch);
  if (products.size() == 0 && !continuous_.empty())
    return false;
  cache_[{}] = {CellProducts({all_rows_[0].total}, {products}), all_rows_};
  return true;
}

bool RegressionScore::admits(Node child, Node parent) const {
  return !data_.columns[child].discrete() || data_.columns[parent].discrete();
}

double RegressionScore::bound(Node child, const Node *parents, unsigned size) const {
  if (least_residual_[child] <= 0 || static_cast<double>(data_.total) <= size + 1.0)
    return kInfinity;
  // The likelihood of a given RSS falls with the number of parents, so fewest parents bound it.
  return gaussian_log_likelihood(static_cast<double>(data_.total), size,
                                 std::sqrt(least_residual_[child])) -
         penalty(parents, size);
}

void RegressionScore::score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) {
  const unsigned size = batch.parents;
  result.score.assign(batch.size(), -kInfinity);
  result.superset_bound.assign(batch.size(), kInfinity);
  if (size > 0 && !prepare(watch))
    return;

  // Discrete children are tables; continuous ones are grouped by their discrete parents.
  std::vector<std::size_t> tables;
  std::map<std::vector<Node>, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (data_.columns[batch.child[i]].discrete()) {
      tables.push_back(i);
      continue;
    }
    const std::vector<Node> discrete = discrete_among(batch.parents_of(i), size);
    if (least_total(discrete) > static_cast<double>(size - discrete.size()) + 1)
      groups[discrete].push_back(i);
    else
      result.superset_bound[i] = -kInfinity; // supersets have fewer rows or more parents
  }
  score_tables(batch, tables, watch, result);

  std::vector<Task> tasks;
  for (const auto &[discrete, families] : groups) {
    const std::size_t chunk = families_at_once(batch, discrete, families);
    for (std::size_t from = 0; from < families.size(); from += chunk)
      tasks.push_back({&discrete, families.data() + from,
                       families.data() + std::min(from + chunk, families.size())});
  }
  const auto run = [&](std::size_t number, unsigned) {
    const Task &task = tasks[number];
    if (task.discrete->empty())
      score_by_factors(batch, task, all_rows_, watch, result.score);
    else if (data_.source)
      score_by_factors(batch, task, query_source(*task.discrete), watch, result.score);
    else
      score_by_products(batch, task, watch, result.score);
    for (const std::size_t *i = task.begin; i != task.end; ++i)
      result.score[*i] -= penalty(batch.parents_of(*i), size);
    watch.advance(static_cast<std::uint64_t>(task.end - task.begin));
  };
  if (data_.source) { // a source is queried from the main thread only
    for (std::size_t task = 0; task < tasks.size() && !watch.stopped(); ++task)
      run(task, 0);
  } else {
    parallel_for(watch, tasks.size(), run);
  }
}

void RegressionScore::score_tables(const FamilyBatch &batch, const std::vector<std::size_t> &which,
                                   Watch &watch, FamilyScores &result) {
  if (which.empty())
    return;
  FamilyBatch tables;
  tables.parents = batch.parents;
  for (const std::size_t i : which)
    tables.add(batch.child[i], batch.parents_of(i));
  FamilyScores scores;
  tables_->score(tables, watch, scores);
  if (watch.stopped())
    return;
  for (std::size_t t = 0; t < which.size(); ++t) {
    result.score[which[t]] = scores.score[t];
    result.superset_bound[which[t]] = scores.superset_bound[t];
  }
}

// With discrete parents, all of them if that takes fewer cross products than each by itself.
std::size_t RegressionScore::families_at_once(const FamilyBatch &batch,
                                              const std::vector<Node> &discrete,
                                              const std::vector<std::size_t> &families) const {
  if (discrete.empty())
    return kRegressionsPerTask;
  if (data_.source)
    return families.size();
  const auto all = static_cast<double>(
      columns_of(batch, families.data(), families.data() + families.size()).size());
  const auto each = static_cast<double>(batch.parents - discrete.size() + 1);
  return all * all < each * each * static_cast<double>(families.size()) ? families.size() : 1;
}

// Ascending.
RegressionScore::Positions RegressionScore::columns_of(const FamilyBatch &batch,
                                                       const std::size_t *begin,
                                                       const std::size_t *end) const {
  std::vector<char> used(continuous_.size(), 0);
  for (const std::size_t *i = begin; i != end; ++i) {
    used[static_cast<std::size_t>(position_[batch.child[*i]])] = 1;
    for (const Eigen::Index column : regressors_of(batch.parents_of(*i), batch.parents))
      used[static_cast<std::size_t>(column)] = 1;
  }
  Positions columns;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i])
      columns.push_back(static_cast<Eigen::Index>(i));
  return columns;
}

void RegressionScore::score_by_factors(const FamilyBatch &batch, const Task &task,
                                       const Cells &cells, Watch &watch,
                                       std::vector<double> &scores) const {
  std::vector<ColumnFactor::Basis> bases;
  for (const std::size_t *i = task.begin; i != task.end && !watch.stopped(); ++i)
    scores[*i] = optbn::log_likelihood(cells, regressors_of(batch.parents_of(*i), batch.parents),
                                       position_[batch.child[*i]], bases);
}

void RegressionScore::score_by_products(const FamilyBatch &batch, const Task &task, Watch &watch,
                                        std::vector<double> &scores) {
  const Positions columns = columns_of(batch, task.begin, task.end);
  const auto position = [&](Eigen::Index column) {
    return std::lower_bound(columns.begin(), columns.end(), column) - columns.begin();
  };
  std::vector<Node> nodes;
  for (const Eigen::Index column : columns)
    nodes.push_back(continuous_[static_cast<std::size_t>(column)]);
  const CellRows rows(data_, *task.discrete);
  const CellRegression regression(data_, rows, nodes);
  std::vector<std::size_t> others;
  for (const std::size_t *i = task.begin; i != task.end && !watch.stopped(); ++i) {
    Positions given = regressors_of(batch.parents_of(*i), batch.parents);
    std::transform(given.begin(), given.end(), given.begin(), position);
    scores[*i] = regression.log_likelihood(given, position(position_[batch.child[*i]]));
    if (std::isnan(scores[*i]))
      others.push_back(*i);
  }
  if (others.empty() || watch.stopped())
    return;
  if (const auto cells = factors_of(*task.discrete, watch))
    score_by_factors(batch, {task.discrete, others.data(), others.data() + others.size()}, *cells,
                     watch, scores);
  else
    for (const std::size_t i : others)
      scores[i] = by_factors(*task.discrete, regressors_of(batch.parents_of(i), batch.parents),
                             position_[batch.child[i]], watch);
}

// A cached result is not owned: it stays valid until the cache changes.
std::shared_ptr<const RegressionScore::Cells>
RegressionScore::factors_of(const std::vector<Node> &discrete, Watch &watch) {
  const CachedCells *cached = find_cached(discrete);
  if (cached && !cached->cells.empty())
    return {std::shared_ptr<void>(), &cached->cells};
  return factors_->joint() ? factors_->of_all(discrete, watch) : nullptr;
}

double RegressionScore::by_factors(const std::vector<Node> &discrete, const Positions &given,
                                   Eigen::Index child, Watch &watch) {
  std::vector<ColumnFactor::Basis> bases;
  if (const auto cells = factors_of(discrete, watch))
    return optbn::log_likelihood(*cells, given, child, bases);
  if (watch.stopped())
    return kUnknown;
  Positions columns = given, first(given.size());
  columns.push_back(child);
  std::iota(first.begin(), first.end(), Eigen::Index{0});
  return optbn::log_likelihood(factors_->of(discrete, columns, watch), first,
                               static_cast<Eigen::Index>(given.size()), bases);
}

double RegressionScore::by_family_products(const std::vector<Node> &discrete,
                                           const Positions &given, Eigen::Index child) const {
  std::vector<Node> nodes;
  Positions first;
  for (const Eigen::Index column : given) {
    first.push_back(static_cast<Eigen::Index>(first.size()));
    nodes.push_back(continuous_[static_cast<std::size_t>(column)]);
  }
  nodes.push_back(continuous_[static_cast<std::size_t>(child)]);
  const CachedCells *cached = find_cached(discrete);
  const bool grouped = cached && cached->products.rows().size() > 0;
  const CellRows computed = grouped ? CellRows() : CellRows(data_, discrete);
  const CellRows &rows = grouped ? cached->products.rows() : computed;
  if (rows.least_total() <= static_cast<double>(given.size()) + 1)
    return -kInfinity;
  return CellRegression(data_, rows, nodes)
      .log_likelihood(first, static_cast<Eigen::Index>(first.size()));
}

std::vector<double> RegressionScore::score_nearly(const FamilyBatch &batch, Watch &watch) {
  const unsigned size = batch.parents;
  std::vector<double> scores(batch.size(), kUnknown);
  if (!prepare_to_extend(watch))
    return scores;
  parallel_for(watch, batch.size(), [&](std::size_t i, unsigned) {
    const Node *parents = batch.parents_of(i);
    if (!data_.columns[batch.child[i]].discrete() && !data_.source)
      scores[i] = log_likelihood(discrete_among(parents, size), regressors_of(parents, size),
                                 position_[batch.child[i]], watch) -
                  penalty(parents, size);
  });
  score_others(batch, scores, watch);
  return scores;
}

double RegressionScore::by_products(const std::vector<Node> &discrete, const Positions &given,
                                    Eigen::Index child) const {
  const CachedCells *cached = find_cached(discrete);
  if (cached && cached->products.covers(given, child))
    return cached->products.log_likelihood(given, child);
  return by_family_products(discrete, given, child);
}

double RegressionScore::log_likelihood(const std::vector<Node> &discrete, const Positions &given,
                                       Eigen::Index child, Watch &watch) {
  const double found = by_products(discrete, given, child);
  return std::isnan(found) ? by_factors(discrete, given, child, watch) : found;
}

void RegressionScore::extend(std::vector<Extensions> &batch, Watch &watch) {
  if (!prepare_to_extend(watch))
    return;
  std::vector<std::size_t> tables, regressions;
  for (std::size_t i = 0; i < batch.size(); ++i)
    (data_.columns[batch[i].child].discrete() ? tables : regressions).push_back(i);
  extend_tables(batch, tables, watch);
  if (watch.stopped() || !compute_for(batch, regressions, watch))
    return;
  std::vector<std::vector<std::size_t>> others(batch.size());
  parallel_for(watch, regressions.size(), [&](std::size_t r, unsigned) {
    extend_regression(batch[regressions[r]], others[regressions[r]], watch);
  });
  extend_some(batch, others, watch);
}

void RegressionScore::extend_tables(std::vector<Extensions> &batch,
                                    const std::vector<std::size_t> &which, Watch &watch) {
  if (which.empty())
    return;
  std::vector<Extensions> tables;
  for (const std::size_t i : which)
    tables.push_back(std::move(batch[i]));
  tables_->extend(tables, watch);
  for (std::size_t t = 0; t < which.size(); ++t)
    batch[which[t]] = std::move(tables[t]);
}

const RegressionScore::CachedCells *
RegressionScore::find_cached(const std::vector<Node> &discrete) const {
  const auto found = cache_.find(discrete);
  return found == cache_.end() ? nullptr : &found->second;
}

bool RegressionScore::compute_for(const std::vector<Extensions> &batch,
                                  const std::vector<std::size_t> &which, Watch &watch) {
  std::map<std::vector<Node>, Positions> needed;
  for (const std::size_t i : which) {
    const std::vector<Node> &parents = batch[i].parents;
    const auto size = static_cast<unsigned>(parents.size());
    Positions &columns = needed[discrete_among(parents.data(), size)];
    for (const Eigen::Index regressor : regressors_of(parents.data(), size))
      insert(columns, regressor);
    insert(columns, position_[batch[i].child]);
    if (parents.empty() && !data_.source) // a first parent is tried for all children
      for (const Node u : batch[i].added)
        if (data_.columns[u].discrete())
          needed[{u}];
  }
  for (const auto &[discrete, columns] : needed) {
    if (watch.stopped())
      return false;
    if (!find_cached(discrete))
      cache_[discrete] = data_.source ? to_cached(query_source(discrete))
                                      : CachedCells{CellProducts(CellRows(data_, discrete)), {}};
    if (!cache_[discrete].products.compute(data_, continuous_, columns, watch))
      return false;
  }
  return true;
}

// A further continuous parent is a regressor in the same cells; a discrete one splits the cells.
void RegressionScore::extend_regression(Extensions &family, std::vector<std::size_t> &others,
                                        Watch &watch) {
  const auto size = static_cast<unsigned>(family.parents.size());
  const Positions given = regressors_of(family.parents.data(), size);
  const std::vector<Node> discrete = discrete_among(family.parents.data(), size);
  family.score.assign(family.added.size(), kUnknown);
  extend_within_cells(family, discrete, given, watch);
  std::vector<Node> joint = family.parents;
  for (std::size_t j = 0; j < family.added.size(); ++j) {
    if (data_.columns[family.added[j]].discrete() && !data_.source)
      family.score[j] =
          log_likelihood(with(discrete, family.added[j]), given, position_[family.child], watch);
    if (std::isnan(family.score[j]))
      others.push_back(j);
    joint.push_back(family.added[j]);
    family.score[j] -= penalty(joint.data(), size + 1);
    joint.pop_back();
  }
}

// By cross products where these have enough digits, otherwise by the factors of the cells, if there
// are factors of all columns.
void RegressionScore::extend_within_cells(Extensions &family, const std::vector<Node> &discrete,
                                          const Positions &given, Watch &watch) {
  const Eigen::Index child = position_[family.child];
  std::vector<std::size_t> number, too_few_digits;
  Positions added, others;
  for (std::size_t j = 0; j < family.added.size(); ++j)
    if (!data_.columns[family.added[j]].discrete()) {
      number.push_back(j);
      added.push_back(position_[family.added[j]]);
    }
  const std::vector<double> found = find_cached(discrete)->products.extend(given, added, child);
  for (std::size_t i = 0; i < added.size(); ++i) {
    family.score[number[i]] = found[i];
    if (std::isnan(found[i])) {
      too_few_digits.push_back(number[i]);
      others.push_back(added[i]);
    }
  }
  if (others.empty())
    return;
  const auto cells = factors_of(discrete, watch);
  if (!cells)
    return;
  for (const std::size_t j : too_few_digits)
    family.score[j] = 0;
  const auto regressors = static_cast<double>(given.size() + 1);
  for (const Cell &cell : *cells) {
    ColumnFactor::ExtendedLengths lengths;
    cell.factor.extend_lengths(given, others, child, lengths);
    for (std::size_t i = 0; i < others.size(); ++i)
      family.score[too_few_digits[i]] += gaussian_log_likelihood(
          cell.total, regressors, lengths.child[static_cast<Eigen::Index>(i)]);
  }
}

void RegressionScore::reduce(std::vector<Reductions> &batch, Watch &watch) {
  if (!prepare_to_extend(watch))
    return;
  parallel_for(watch, batch.size(), [&](std::size_t i, unsigned) { reduce_regression(batch[i]); });
  reduce_others(batch, watch);
}

void RegressionScore::reduce_regression(Reductions &family) const {
  family.score.assign(family.removed.size(), kUnknown);
  if (data_.columns[family.child].discrete())
    return;
  const auto size = static_cast<unsigned>(family.parents.size());
  const Eigen::Index child = position_[family.child];
  const Positions given = regressors_of(family.parents.data(), size);
  const CachedCells *cached = find_cached(discrete_among(family.parents.data(), size));
  if (given.empty() || !cached || !cached->products.covers(given, child))
    return;
  const std::vector<double> reduced = cached->products.reduce(given, child);
  for (std::size_t i = 0; i < family.removed.size(); ++i) {
    const Node removed = family.removed[i];
    if (data_.columns[removed].discrete())
      continue;
    const auto position = std::lower_bound(given.begin(), given.end(), position_[removed]);
    const std::vector<Node> rest = without(family.parents, removed);
    family.score[i] = reduced[static_cast<std::size_t>(position - given.begin())] -
                      penalty(rest.data(), size - 1);
  }
}

RegressionScore::Positions RegressionScore::regressors_of(const Node *parents,
                                                          unsigned size) const {
  Positions positions;
  for (unsigned i = 0; i < size; ++i)
    if (!data_.columns[parents[i]].discrete())
      positions.push_back(position_[parents[i]]);
  return positions;
}

std::vector<Node> RegressionScore::discrete_among(const Node *parents, unsigned size) const {
  std::vector<Node> discrete;
  std::copy_if(parents, parents + size, std::back_inserter(discrete),
               [this](Node u) { return data_.columns[u].discrete(); });
  return discrete;
}

RegressionScore::CachedCells RegressionScore::to_cached(Cells cells) {
  const Host unstopped;
  Watch watch(unstopped);
  std::vector<double> total;
  std::vector<Eigen::MatrixXd> products;
  for (const Cell &cell : cells) {
    total.push_back(cell.total);
    products.push_back(cell.factor.products(watch));
  }
  return {CellProducts(total, products), std::move(cells)};
}

RegressionScore::Cells RegressionScore::query_source(const std::vector<Node> &discrete) const {
  Cells cells;
  for (const Moments &moments : data_.source->moments(discrete)) {
    const auto n = static_cast<Eigen::Index>(moments.mean.size());
    cells.push_back({moments.rows, ColumnFactor::of_products(Eigen::Map<const Eigen::MatrixXd>(
                                       moments.products.data(), n, n))});
  }
  return cells;
}

RegressionScore::Cell RegressionScore::cell_of_all_rows() const {
  const CellRows rows(data_, {});
  Eigen::MatrixXd values(static_cast<Eigen::Index>(data_.rows),
                         static_cast<Eigen::Index>(continuous_.size()));
  for (const Node v : continuous_)
    values.col(position_[v]) = rows.centred(data_, v);
  return {static_cast<double>(data_.total), ColumnFactor(std::move(values))};
}

double RegressionScore::least_total(const std::vector<Node> &discrete) {
  if (data_.source || discrete.empty())
    return kInfinity;
  const auto cached = least_total_.find(discrete);
  if (cached != least_total_.end())
    return cached->second;
  return least_total_.emplace(discrete, CellRows(data_, discrete).least_total()).first->second;
}

double RegressionScore::penalty(const Node *parents, unsigned size) const {
  double configurations = 1, continuous = 0;
  for (unsigned i = 0; i < size; ++i) {
    const Column &column = data_.columns[parents[i]];
    column.discrete() ? configurations *= column.levels : continuous += 1;
  }
  return penalty_ * (continuous + 2) * configurations;
}

} // namespace optbn
