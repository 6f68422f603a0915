#include "core/score/regression_score.h"

#include "core/base/ascending.h"
#include "core/base/parallel.h"
#include "core/score/residual_products.h"
#include "core/score/table_score.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace optbn {

namespace {

constexpr double kTwoPi = 6.283185307179586;
constexpr double kRounding = 1e-9; // taken off a bound that rounding may have raised
constexpr std::size_t kFamiliesPerTask = 1024;
constexpr Eigen::Index kColumnsAtOnce = 64;
constexpr std::size_t kCellsKept = 64; // sets of discrete parents whose cells extend() keeps

double gaussian_log_likelihood(double rows, double parents, double residual) {
  const double freedom = rows - parents - 1;
  return -rows / 2 * std::log(kTwoPi * residual / freedom) - freedom / 2;
}

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
  whole_ = make_cells({});
  least_residual_.assign(data.size(), 0);
}

bool RegressionScore::prepare(Watch &watch) {
  if (!prepared_)
    prepared_ = whole_[0].factor.factorise(watch) && find_least_residuals(watch);
  return prepared_;
}

bool RegressionScore::find_least_residuals(Watch &watch) {
  const Eigen::MatrixXd &triangle = whole_[0].factor.triangle();
  const Eigen::Index n = triangle.cols();
  if (continuous_.size() < data_.size() || triangle.rows() < n ||
      triangle.diagonal().cwiseAbs().minCoeff() == 0)
    return true;
  // Row v of the inverse is the direction of column v that all others leave, divided by its length.
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(n);
  for (Eigen::Index from = 0; from < n; from += kColumnsAtOnce) {
    if (watch.stopped())
      return false;
    const Eigen::Index width = std::min(kColumnsAtOnce, n - from);
    const Eigen::MatrixXd inverse = triangle.triangularView<Eigen::Upper>().solve(
        Eigen::MatrixXd::Identity(n, n).middleCols(from, width));
    squares += inverse.rowwise().squaredNorm();
  }
  for (Node v = 0; v < data_.size(); ++v)
    least_residual_[v] = (1 - kRounding) / squares[v];
  return true;
}

bool RegressionScore::prepare_to_extend(Watch &watch) {
  if (!prepare(watch))
    return false;
  if (kept_.size() > kCellsKept)
    kept_.clear();
  if (kept_.find({}) != kept_.end())
    return true;
  const Eigen::MatrixXd products = whole_[0].factor.products(watch);
  if (products.size() == 0 && !continuous_.empty())
    return false;
  kept_[{}] = {whole_, {{whole_[0].total, products}}};
  return true;
}

bool RegressionScore::admits(Node child, Node parent) const {
  return !data_.columns[child].discrete() || data_.columns[parent].discrete();
}

double RegressionScore::bound(Node child, const Node *parents, unsigned size) const {
  if (least_residual_[child] <= 0 || static_cast<double>(data_.total) <= size + 1.0)
    return kInfinity;
  // The likelihood of a given RSS falls with the number of parents, so fewest parents bound it.
  return gaussian_log_likelihood(static_cast<double>(data_.total), size, least_residual_[child]) -
         penalty(parents, size);
}

void RegressionScore::score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) {
  const unsigned size = batch.parents;
  result.score.assign(batch.size(), -kInfinity);
  result.superset_bound.assign(batch.size(), kInfinity);
  if (size > 0 && !prepare(watch))
    return;

  // Discrete children are tables; continuous ones are grouped by their discrete parents.
  FamilyBatch tables;
  tables.parents = size;
  std::vector<std::size_t> table_families;
  std::map<std::vector<Node>, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (data_.columns[batch.child[i]].discrete()) {
      table_families.push_back(i);
      tables.add(batch.child[i], batch.parents_of(i));
    } else {
      const std::vector<Node> discrete = discrete_among(batch.parents_of(i), size);
      if (least_total(discrete) > static_cast<double>(size - discrete.size()) + 1)
        groups[discrete].push_back(i);
      else
        result.superset_bound[i] = -kInfinity; // which has fewer rows still, or more parents
    }
  }
  if (!table_families.empty()) {
    FamilyScores scores;
    tables_->score(tables, watch, scores);
    if (watch.stopped())
      return;
    for (std::size_t i = 0; i < table_families.size(); ++i) {
      result.score[table_families[i]] = scores.score[i];
      result.superset_bound[table_families[i]] = scores.superset_bound[i];
    }
  }

  // A group with discrete parents is one task, as its cells are made for it; the others share the
  // one cell of all rows and are cut into pieces.
  struct Task {
    const std::vector<Node> *discrete;
    const std::size_t *begin, *end;
  };
  std::vector<Task> tasks;
  for (const auto &[discrete, families] : groups) {
    const std::size_t piece = discrete.empty() ? kFamiliesPerTask : families.size();
    for (std::size_t from = 0; from < families.size(); from += piece)
      tasks.push_back({&discrete, families.data() + from,
                       families.data() + std::min(from + piece, families.size())});
  }
  const auto run = [&](std::size_t task, unsigned) {
    const Task &job = tasks[task];
    const bool split = !job.discrete->empty();
    const auto kept = kept_.find(*job.discrete);
    const bool known = !split || kept != kept_.end();
    const std::vector<Cell> own = known ? std::vector<Cell>() : make_cells(*job.discrete);
    const std::vector<Cell> &cells = !split ? whole_ : known ? kept->second.cells : own;
    Work work;
    for (const std::size_t *i = job.begin; i != job.end && !watch.stopped(); ++i) {
      result.score[*i] = family_score(cells, batch.child[*i], batch.parents_of(*i), size, work);
    }
    watch.advance(static_cast<std::uint64_t>(job.end - job.begin));
  };
  if (data_.source) { // answers the main thread only
    for (std::size_t task = 0; task < tasks.size() && !watch.stopped(); ++task)
      run(task, 0);
  } else {
    parallel_for(watch, tasks.size(), run);
  }
}

// From cross products, of cells that are kept or of the family's own.
std::vector<double> RegressionScore::score_nearly(const FamilyBatch &batch, Watch &watch) {
  const unsigned size = batch.parents;
  std::vector<double> scores(batch.size(), std::numeric_limits<double>::quiet_NaN());
  if (!prepare_to_extend(watch))
    return scores;
  const auto score = [&](std::size_t i) {
    const Node *parents = batch.parents_of(i);
    const std::vector<Node> discrete = discrete_among(parents, size);
    const std::vector<Eigen::Index> given = regressors_of(parents, size);
    const Eigen::Index child = position_[batch.child[i]];
    const auto kept = kept_.find(discrete);
    const double found = kept != kept_.end() ? log_likelihood(kept->second.products, given, child)
                                             : log_likelihood_alone(discrete, given, child);
    return found - penalty(parents, size);
  };
  parallel_for(watch, batch.size(), [&](std::size_t i, unsigned) {
    if (!data_.columns[batch.child[i]].discrete() && !data_.source)
      scores[i] = score(i);
  });
  score_others(batch, scores, watch);
  return scores;
}

void RegressionScore::extend(std::vector<Extensions> &batch, Watch &watch) {
  if (!prepare_to_extend(watch))
    return;
  std::vector<std::size_t> tables, regressions;
  for (std::size_t i = 0; i < batch.size(); ++i)
    (data_.columns[batch[i].child].discrete() ? tables : regressions).push_back(i);
  extend_tables(batch, tables, watch);

  std::vector<FamilyCells> cells;
  for (const std::size_t i : regressions) {
    if (watch.stopped())
      return;
    cells.push_back(cells_of(batch[i]));
  }
  std::vector<std::vector<std::size_t>> others(batch.size());
  const auto run = [&](std::size_t r, unsigned) {
    extend_regression(batch[regressions[r]], cells[r], others[regressions[r]]);
  };
  parallel_for(watch, regressions.size(), run);
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

RegressionScore::FamilyCells RegressionScore::cells_of(const Extensions &family) {
  const std::vector<Node> &parents = family.parents;
  const std::vector<Node> discrete =
      discrete_among(parents.data(), static_cast<unsigned>(parents.size()));
  FamilyCells cells{&kept_cells(discrete), {}};
  for (const Node u : family.added) {
    cells.split.push_back(nullptr);
    if (!data_.columns[u].discrete() || data_.source)
      continue;
    // A first discrete parent is tried for all children: its cells are made for all columns.
    const std::vector<Node> joint = with(discrete, u);
    const auto known = discrete.empty() ? kept_.end() : kept_.find(joint);
    if (discrete.empty())
      cells.split.back() = &kept_cells(joint).products;
    else if (known != kept_.end())
      cells.split.back() = &known->second.products;
  }
  return cells;
}

// A further continuous parent regresses within the cells that there are; a discrete one makes
// others.
void RegressionScore::extend_regression(Extensions &family, const FamilyCells &cells,
                                        std::vector<std::size_t> &others) const {
  const std::vector<Eigen::Index> given =
      regressors_of(family.parents.data(), static_cast<unsigned>(family.parents.size()));
  const std::vector<Node> discrete =
      discrete_among(family.parents.data(), static_cast<unsigned>(family.parents.size()));
  family.score.assign(family.added.size(), 0);
  std::vector<char> alone(family.added.size(), 0);
  extend_within_cells(family, *cells.own, given);
  std::vector<Node> joint = family.parents;
  for (std::size_t j = 0; j < family.added.size(); ++j) {
    const bool splits = data_.columns[family.added[j]].discrete();
    if (splits && data_.source)
      alone[j] = 1;
    else if (splits && cells.split[j])
      family.score[j] = log_likelihood(*cells.split[j], given, position_[family.child]);
    else if (splits)
      family.score[j] =
          log_likelihood_alone(with(discrete, family.added[j]), given, position_[family.child]);
    alone[j] = alone[j] || std::isnan(family.score[j]); // too few digits
    joint.push_back(family.added[j]);
    family.score[j] -= penalty(joint.data(), static_cast<unsigned>(joint.size()));
    joint.pop_back();
    if (alone[j])
      others.push_back(j);
  }
}

void RegressionScore::extend_within_cells(Extensions &family, const KeptCells &cells,
                                          const std::vector<Eigen::Index> &given) const {
  std::vector<std::size_t> number;
  std::vector<Eigen::Index> added;
  for (std::size_t j = 0; j < family.added.size(); ++j)
    if (!data_.columns[family.added[j]].discrete()) {
      number.push_back(j);
      added.push_back(position_[family.added[j]]);
    }
  std::vector<double> found;
  for (std::size_t c = 0; c < cells.cells.size(); ++c) {
    extend_in_cell(cells.cells[c], cells.products[c], position_[family.child], given, added, found);
    for (std::size_t i = 0; i < number.size(); ++i)
      family.score[number[i]] += found[i];
  }
}

// From cross products where these hold digits enough.
void RegressionScore::extend_in_cell(const Cell &cell, const CellProducts &products,
                                     Eigen::Index child, const std::vector<Eigen::Index> &given,
                                     const std::vector<Eigen::Index> &added,
                                     std::vector<double> &found) const {
  const auto parents = static_cast<double>(given.size() + 1);
  found.assign(added.size(), -kInfinity);
  if (cell.total <= parents + 1)
    return;
  ResidualProducts residual;
  residual.regress(products.products, child, given);
  std::vector<std::size_t> number; // of those that need more digits
  std::vector<Eigen::Index> others;
  for (std::size_t i = 0; i < added.size(); ++i) {
    if (residual.exact(added[i])) {
      found[i] = gaussian_log_likelihood(cell.total, parents, residual.left_beside(added[i]));
    } else {
      number.push_back(i);
      others.push_back(added[i]);
    }
  }
  if (others.empty())
    return;
  ColumnFactor::ExtendedLengths lengths;
  cell.factor.extend_lengths(given, others, child, lengths);
  for (std::size_t i = 0; i < others.size(); ++i) {
    const double left = lengths.child[static_cast<Eigen::Index>(i)];
    if (left > 0)
      found[number[i]] = gaussian_log_likelihood(cell.total, parents, left * left);
  }
}

double RegressionScore::log_likelihood(const std::vector<CellProducts> &cells,
                                       const std::vector<Eigen::Index> &given,
                                       Eigen::Index child) const {
  ResidualProducts residual;
  double sum = 0;
  for (const CellProducts &cell : cells)
    if (cell.total <= static_cast<double>(given.size()) + 1)
      return -kInfinity;
  for (const CellProducts &cell : cells) {
    residual.regress_child(cell.products, child, given);
    if (!residual.exact())
      return std::numeric_limits<double>::quiet_NaN();
    sum += gaussian_log_likelihood(cell.total, static_cast<double>(given.size()), residual.left());
  }
  return sum;
}

// Two passes over the rows, so that the products are those of centred columns.
std::vector<RegressionScore::CellProducts>
RegressionScore::products_of_family(const std::vector<Node> &discrete,
                                    const std::vector<Eigen::Index> &given,
                                    Eigen::Index child) const {
  std::vector<Eigen::Index> columns = given;
  columns.push_back(child);
  const auto width = static_cast<Eigen::Index>(columns.size());
  std::vector<const double *> values;
  for (const Eigen::Index position : columns)
    values.push_back(data_.columns[continuous_[static_cast<std::size_t>(position)]].values.data());
  std::size_t count = 0;
  const std::vector<std::uint32_t> cell = number_cells(discrete, count);
  std::vector<CellProducts> cells(count, {0, Eigen::MatrixXd::Zero(width, width)});
  Eigen::MatrixXd mean = Eigen::MatrixXd::Zero(width, static_cast<Eigen::Index>(count));
  for (std::size_t row = 0; row < data_.rows; ++row) {
    const double weight = data_.weight(row);
    cells[cell[row]].total += weight;
    for (Eigen::Index i = 0; i < width; ++i)
      mean(i, cell[row]) += weight * values[static_cast<std::size_t>(i)][row];
  }
  for (std::size_t c = 0; c < count; ++c)
    mean.col(static_cast<Eigen::Index>(c)) /= cells[c].total;
  Eigen::VectorXd centred(width);
  for (std::size_t row = 0; row < data_.rows; ++row) {
    Eigen::MatrixXd &products = cells[cell[row]].products;
    for (Eigen::Index i = 0; i < width; ++i)
      centred[i] = values[static_cast<std::size_t>(i)][row] - mean(i, cell[row]);
    for (Eigen::Index i = 0; i < width; ++i) {
      const double weighted = data_.weight(row) * centred[i];
      for (Eigen::Index j = 0; j <= i; ++j)
        products(j, i) += weighted * centred[j];
    }
  }
  for (CellProducts &one : cells)
    one.products = one.products.selfadjointView<Eigen::Upper>().toDenseMatrix();
  return cells;
}

double RegressionScore::log_likelihood_alone(const std::vector<Node> &discrete,
                                             const std::vector<Eigen::Index> &given,
                                             Eigen::Index child) const {
  std::vector<Eigen::Index> first(given.size());
  std::iota(first.begin(), first.end(), Eigen::Index{0});
  return log_likelihood(products_of_family(discrete, given, child), first,
                        static_cast<Eigen::Index>(given.size()));
}

// Of every row the number of its configuration of some discrete columns, of those that occur.
std::vector<std::uint32_t> RegressionScore::number_cells(const std::vector<Node> &discrete,
                                                         std::size_t &count) const {
  constexpr std::uint32_t kNone = UINT32_MAX;
  std::vector<std::uint32_t> cell(data_.rows, 0), number;
  count = 1;
  for (const Node u : discrete) {
    const Column &column = data_.columns[u];
    number.assign(count * column.levels, kNone);
    count = 0;
    for (std::size_t row = 0; row < data_.rows; ++row) {
      std::uint32_t &known = number[cell[row] * std::size_t{column.levels} + column.codes[row]];
      if (known == kNone)
        known = static_cast<std::uint32_t>(count++);
      cell[row] = known;
    }
  }
  return cell;
}

const RegressionScore::KeptCells &RegressionScore::kept_cells(const std::vector<Node> &discrete) {
  const auto found = kept_.find(discrete);
  if (found != kept_.end())
    return found->second;
  KeptCells &kept = kept_[discrete];
  kept.cells = make_cells(discrete);
  const Host calm;
  Watch watch(calm);
  for (const Cell &cell : kept.cells)
    kept.products.push_back({cell.total, cell.factor.products(watch)});
  return kept;
}

std::vector<Eigen::Index> RegressionScore::regressors_of(const Node *parents, unsigned size) const {
  std::vector<Eigen::Index> positions;
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

std::vector<RegressionScore::Cell>
RegressionScore::make_cells(const std::vector<Node> &discrete) const {
  std::vector<Cell> cells;
  if (data_.source) {
    for (const Moments &moments : data_.source->moments(discrete))
      cells.push_back(make_cell(moments));
    return cells;
  }
  const Host calm;
  Watch watch(calm);
  for (const auto &[unused, rows] : group_rows(discrete)) {
    cells.push_back(make_cell(rows));
    if (!discrete.empty()) // that of all rows may take long
      cells.back().factor.factorise(watch);
  }
  return cells;
}

std::map<std::vector<std::uint16_t>, std::vector<std::size_t>>
RegressionScore::group_rows(const std::vector<Node> &discrete) const {
  std::map<std::vector<std::uint16_t>, std::vector<std::size_t>> rows_of;
  std::vector<std::uint16_t> configuration(discrete.size());
  for (std::size_t row = 0; row < data_.rows; ++row) {
    for (std::size_t i = 0; i < discrete.size(); ++i)
      configuration[i] = data_.columns[discrete[i]].codes[row];
    rows_of[configuration].push_back(row);
  }
  return rows_of;
}

double RegressionScore::least_total(const std::vector<Node> &discrete) {
  if (data_.source || discrete.empty())
    return kInfinity;
  const auto known = least_total_.find(discrete);
  if (known != least_total_.end())
    return known->second;
  double least = kInfinity;
  for (const auto &[unused, rows] : group_rows(discrete)) {
    double total = 0;
    for (const std::size_t row : rows)
      total += data_.weight(row);
    least = std::min(least, total);
  }
  return least_total_.emplace(discrete, least).first->second;
}

RegressionScore::Cell RegressionScore::make_cell(const Moments &moments) {
  const auto n = static_cast<Eigen::Index>(moments.mean.size());
  return {moments.rows, ColumnFactor::of_products(
                            Eigen::Map<const Eigen::MatrixXd>(moments.products.data(), n, n))};
}

RegressionScore::Cell RegressionScore::make_cell(const std::vector<std::size_t> &rows) const {
  Eigen::VectorXd weight(static_cast<Eigen::Index>(rows.size()));
  Eigen::MatrixXd values(weight.size(), static_cast<Eigen::Index>(continuous_.size()));
  for (Eigen::Index i = 0; i < values.rows(); ++i) {
    const std::size_t row = rows[static_cast<std::size_t>(i)];
    weight[i] = data_.weight(row);
    for (const Node v : continuous_)
      values(i, position_[v]) = data_.columns[v].values[row];
  }
  const double total = weight.sum();
  const Eigen::RowVectorXd mean = weight.transpose() * values / total;
  values.rowwise() -= mean;
  return {total, ColumnFactor(weight.cwiseSqrt().asDiagonal() * values)};
}

double RegressionScore::family_score(const std::vector<Cell> &cells, Node child,
                                     const Node *parents, unsigned size, Work &work) const {
  work.columns = regressors_of(parents, size);
  work.columns.push_back(position_[child]);
  double sum = -penalty(parents, size);
  for (const Cell &cell : cells) {
    sum += log_likelihood(cell, work);
    if (sum == -kInfinity)
      break;
  }
  return sum;
}

double RegressionScore::log_likelihood(const Cell &cell, Work &work) const {
  const auto parents = static_cast<double>(work.columns.size() - 1);
  if (cell.total <= parents + 1)
    return -kInfinity;
  cell.factor.residual_lengths(work.columns, work.basis, work.lengths);
  const double residual = work.lengths.back() * work.lengths.back();
  return residual > 0 ? gaussian_log_likelihood(cell.total, parents, residual) : -kInfinity;
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
