#include "core/treewidth/mutual_information.h"

#include "core/base/errors.h"
#include "core/base/parallel.h"
#include "core/data/observed_columns.h"
#include "core/data/row_source.h"
#include "core/data/set_counter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace optbn {

namespace {

// sum of c log c over the counts of a cells; counts of 1 add nothing.
double sum_of_logs(const CellCounts &cells) {
  double sum = 0;
  for (const double count : cells.counts)
    sum += count * std::log(count);
  return sum;
}

// The continuous columns with mean 0 and sum of squares 1; others stay empty.
std::vector<std::vector<double>> unit_columns(const Dataset &data) {
  std::vector<std::vector<double>> units(data.columns.size());
  for (std::size_t c = 0; c < units.size(); ++c) {
    if (data.columns[c].holes)
      continue;
    std::vector<double> &unit = units[c] = data.columns[c].values;
    double mean = 0, squares = 0;
    for (std::size_t row = 0; row < unit.size(); ++row)
      mean += data.weight(row) * unit[row] / static_cast<double>(data.total);
    for (std::size_t row = 0; row < unit.size(); ++row) {
      unit[row] -= mean;
      squares += data.weight(row) * unit[row] * unit[row];
    }
    for (double &value : unit)
      value /= squares > 0 ? std::sqrt(squares) : 1;
  }
  return units;
}

double information_of_r_squared(double r_squared) {
  return -std::log(std::max(1 - r_squared, std::numeric_limits<double>::epsilon())) / 2;
}

using Pairs = std::vector<std::array<Node, 2>>;

Pairs discrete_pairs(const Dataset &data) {
  Pairs pairs;
  for (Node b = 1; b < data.size(); ++b)
    for (Node a = 0; a < b; ++a)
      if (data.columns[a].discrete() && data.columns[b].discrete())
        pairs.push_back({a, b});
  return pairs;
}

void add_tables(const Dataset &data, MutualInformation &table, Watch &watch) {
  const Pairs pairs = discrete_pairs(data);
  // Pairs first: where a source has the rows, the counts fetched for pairs serve single columns,
  // too.
  const auto counter = make_set_counter(data);
  std::vector<const Node *> sets;
  for (const auto &pair : pairs)
    sets.push_back(pair.data());
  std::vector<double> joint(pairs.size()), single(data.columns.size());
  counter->count(sets, 2, 0, watch,
                 [&](std::size_t i, const CellCounts &cells) { joint[i] = sum_of_logs(cells); });
  std::vector<Node> discrete;
  for (Node v = 0; v < data.size(); ++v)
    if (data.columns[v].discrete())
      discrete.push_back(v);
  sets.clear();
  for (const Node &v : discrete)
    sets.push_back(&v);
  counter->count(sets, 1, 0, watch, [&](std::size_t i, const CellCounts &cells) {
    single[discrete[i]] = sum_of_logs(cells);
  });
  const auto total = static_cast<double>(data.total);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto [a, b] = pairs[i];
    const double sum = joint[i] - single[a] - single[b];
    table.set(a, b, std::max(0.0, sum / total + std::log(total)));
  }
}

// The same where values are missing: single columns, too, are counted among the rows of each pair.
void add_partial_tables(const Dataset &data, MutualInformation &table, Watch &watch) {
  const ObservedColumns columns(data);
  const auto counter = make_set_counter(columns.data());
  const Pairs pairs = discrete_pairs(data);
  Pairs counted;
  for (const auto &[a, b] : pairs)
    counted.insert(counted.end(), {{a, b}, {a, columns.of(b)}, {b, columns.of(a)}});
  std::vector<const Node *> sets;
  for (const auto &pair : counted)
    sets.push_back(pair.data());
  std::vector<double> logs(sets.size()), total(sets.size());
  counter->count(sets, 2, 0, watch, [&](std::size_t i, const CellCounts &cells) {
    logs[i] = sum_of_logs(cells);
    total[i] = std::accumulate(cells.counts.begin(), cells.counts.end(), 1.0 * cells.singletons);
  });
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const double rows = total[3 * i], sum = logs[3 * i] - logs[3 * i + 1] - logs[3 * i + 2];
    if (rows > 0)
      table.set(pairs[i][0], pairs[i][1], std::max(0.0, sum / rows + std::log(rows)));
  }
}

// Pairs with a continuous column, of rows in memory.
class RowPairs {
public:
  explicit RowPairs(const Dataset &data) : data_(data), units_(unit_columns(data)) {}

  double information(Node a, Node b) const {
    if (data_.columns[a].holes || data_.columns[b].holes)
      return RowPairs(known_rows(a, b)).information(0, 1);
    if (!data_.columns[a].discrete() && !data_.columns[b].discrete())
      return by_regression(a, b);
    return data_.columns[a].discrete() ? by_groups(a, b) : by_groups(b, a);
  }

private:
  // Two columns, and the rows that know both.
  Dataset known_rows(Node a, Node b) const {
    Dataset known;
    known.columns.resize(2);
    known.columns[0].levels = data_.columns[a].levels;
    known.columns[1].levels = data_.columns[b].levels;
    for (std::size_t row = 0; row < data_.rows; ++row) {
      if (data_.columns[a].missing(row) || data_.columns[b].missing(row))
        continue;
      for (const Node v : {a, b}) {
        Column &column = known.columns[v == b];
        if (column.discrete())
          column.codes.push_back(data_.columns[v].codes[row]);
        else
          column.values.push_back(data_.columns[v].values[row]);
      }
      known.weights.push_back(data_.weight(row));
      known.total += data_.weight(row);
      ++known.rows;
    }
    return known;
  }

  double by_regression(Node a, Node b) const {
    double correlation = 0;
    for (std::size_t row = 0; row < data_.rows; ++row)
      correlation += data_.weight(row) * units_[a][row] * units_[b][row];
    return information_of_r_squared(correlation * correlation);
  }

  double by_groups(Node group, Node value) const {
    const Column &column = data_.columns[group];
    std::vector<double> sum(column.levels, 0), size(column.levels, 0);
    for (std::size_t row = 0; row < data_.rows; ++row) {
      size[column.codes[row]] += data_.weight(row);
      sum[column.codes[row]] += data_.weight(row) * units_[value][row];
    }
    double explained = 0;
    for (unsigned level = 0; level < column.levels; ++level)
      if (size[level] > 0)
        explained += sum[level] * sum[level] / size[level];
    return information_of_r_squared(explained);
  }

  const Dataset &data_;
  const std::vector<std::vector<double>> units_; // empty where values are missing
};

void add_continuous(const Dataset &data, MutualInformation &table, Watch &watch) {
  const RowPairs pairs(data);
  parallel_for(watch, data.size(), [&](std::size_t task, unsigned) {
    const auto a = static_cast<Node>(task);
    for (Node b = a + 1u; b < data.size() && !watch.stopped(); ++b)
      if (!data.columns[a].discrete() || !data.columns[b].discrete())
        table.set(a, b, pairs.information(a, b));
  });
}

// The same for the rows of a source: from sums of squares within groups and about the mean of all.
void add_continuous(RowSource &source, const Dataset &data, MutualInformation &table,
                    Watch &watch) {
  std::vector<Node> continuous;
  for (Node v = 0; v < data.size(); ++v)
    if (!data.columns[v].discrete())
      continuous.push_back(v);
  const std::size_t n = continuous.size();
  if (n == 0)
    return;
  const Moments whole = source.moments({}).at(0);
  const auto squares = [n](const Moments &of, std::size_t i) { return of.products[i * (n + 1)]; };
  for (std::size_t b = 1; b < n; ++b)
    for (std::size_t a = 0; a < b; ++a) {
      const double product = whole.products[a * n + b];
      table.set(
          continuous[a], continuous[b],
          information_of_r_squared(product * product / squares(whole, a) / squares(whole, b)));
    }
  for (Node group = 0; group < data.size() && !watch.stopped(); ++group) {
    if (!data.columns[group].discrete())
      continue;
    std::vector<double> within(n, 0);
    for (const Moments &cell : source.moments({group}))
      for (std::size_t i = 0; i < n; ++i)
        within[i] += squares(cell, i);
    for (std::size_t i = 0; i < n; ++i)
      table.set(group, continuous[i], information_of_r_squared(1 - within[i] / squares(whole, i)));
  }
}

} // namespace

MutualInformation mutual_information(const Dataset &data, Watch &watch) {
  MutualInformation table{data.size(), std::vector<double>(data.columns.size() * data.size(), 0)};
  if (data.holes())
    add_partial_tables(data, table, watch);
  else
    add_tables(data, table, watch);
  if (data.source)
    add_continuous(*data.source, data, table, watch);
  else
    add_continuous(data, table, watch);
  throw_if_stopped(watch);
  return table;
}

} // namespace optbn
