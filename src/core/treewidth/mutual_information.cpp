#include "core/treewidth/mutual_information.h"

#include "core/base/errors.h"
#include "core/base/parallel.h"
#include "core/data/counting.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace optbn {

namespace {

// sum of c log c over the counts of a spectrum; counts of 1 add nothing.
double sum_of_logs(const Spectrum &spectrum) {
  double sum = 0;
  for (const double count : spectrum.counts)
    sum += count * std::log(count);
  return sum;
}

// The continuous columns with mean 0 and sum of squares 1; others stay empty.
std::vector<std::vector<double>> unit_columns(const Dataset &data) {
  std::vector<std::vector<double>> units(data.columns.size());
  for (std::size_t c = 0; c < units.size(); ++c) {
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

double information_of_share(double explained) {
  return -std::log(std::max(1 - explained, std::numeric_limits<double>::epsilon())) / 2;
}

class Pairs {
public:
  Pairs(const Dataset &data, unsigned threads)
      : data_(data), distinct_(distinct_rows(data)), bits_(distinct_), units_(unit_columns(data)),
        alone_(data.columns.size(), 0) {
    for (unsigned i = 0; i < threads; ++i)
      counters_.push_back(std::make_unique<CellCounter>(distinct_, bits_));
    for (Node v = 0; v < data.size(); ++v)
      if (discrete(v))
        alone_[v] = sum_of_logs(counters_[0]->count(&v, 1));
  }

  // a < b
  double information(Node a, Node b, unsigned worker) {
    if (discrete(a) && discrete(b))
      return of_table(a, b, *counters_[worker]);
    if (!discrete(a) && !discrete(b))
      return of_line(a, b);
    return discrete(a) ? of_groups(a, b) : of_groups(b, a);
  }

private:
  bool discrete(Node v) const { return data_.columns[v].discrete(); }

  double of_table(Node a, Node b, CellCounter &counter) {
    const Node both[] = {a, b};
    const auto total = static_cast<double>(data_.total);
    const double sum = sum_of_logs(counter.count(both, 2)) - alone_[a] - alone_[b];
    return std::max(0.0, sum / total + std::log(total));
  }

  double of_line(Node a, Node b) const {
    double correlation = 0;
    for (std::size_t row = 0; row < data_.rows; ++row)
      correlation += data_.weight(row) * units_[a][row] * units_[b][row];
    return information_of_share(correlation * correlation);
  }

  double of_groups(Node group, Node value) const {
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
    return information_of_share(explained);
  }

  const Dataset &data_;
  const Dataset distinct_; // the discrete columns
  const BitColumns bits_;
  const std::vector<std::vector<double>> units_;
  std::vector<double> alone_; // sum_of_logs() of each discrete column
  std::vector<std::unique_ptr<CellCounter>> counters_;
};

} // namespace

MutualInformation mutual_information(const Dataset &data, Watch &watch) {
  const Node n = data.size();
  MutualInformation table{n, std::vector<double>(std::size_t{n} * n, 0)};
  Pairs pairs(data, std::max(1u, watch.host().threads));
  parallel_for(watch, n, [&](std::size_t task, unsigned worker) {
    const auto a = static_cast<Node>(task);
    for (Node b = a + 1u; b < n && !watch.stopped(); ++b)
      table.value[std::size_t{a} * n + b] = table.value[std::size_t{b} * n + a] =
          pairs.information(a, b, worker);
  });
  if (watch.reason() == StopReason::interrupt)
    throw Interrupted();
  if (watch.reason() == StopReason::time_limit)
    throw TimeLimitReached();
  return table;
}

} // namespace optbn
