#include "check.h"
#include "random_problem.h"
#include "score_fixtures.h"

#include "core/base/errors.h"
#include "core/treewidth/mutual_information.h"

using namespace optbn;
using namespace fixtures;

namespace {

MutualInformation information_of(const Dataset &data, unsigned threads = 1) {
  Host host;
  host.threads = threads;
  Watch watch(host);
  return mutual_information(data, watch);
}

// sum p log(p / (p p)), by definition.
double by_definition(const Dataset &data, Node a, Node b) {
  const auto one = count_cells(data, {a}), other = count_cells(data, {b});
  const auto total = static_cast<double>(data.total);
  double sum = 0;
  for (const auto &[cell, count] : count_cells(data, {a, b}))
    sum += count / total * std::log(count * total / (one.at({cell[0]}) * other.at({cell[1]})));
  return sum;
}

// Residual and total sum of squares of y on an intercept and x, or on groups.
double by_regression(const Dataset &data, Node y, Node x) {
  const std::vector<double> &values = data.columns[y].values;
  const Column &predictor = data.columns[x];
  const auto total = static_cast<double>(data.total);
  std::map<unsigned, std::pair<double, double>> group; // size, sum
  double mean_y = 0, mean_x = 0, xx = 0, xy = 0, around = 0, residual = 0;
  for (std::size_t row = 0; row < data.rows; ++row) {
    mean_y += data.weight(row) * values[row] / total;
    if (predictor.discrete()) {
      group[predictor.codes[row]].first += data.weight(row);
      group[predictor.codes[row]].second += data.weight(row) * values[row];
    } else {
      mean_x += data.weight(row) * predictor.values[row] / total;
    }
  }
  for (std::size_t row = 0; !predictor.discrete() && row < data.rows; ++row) {
    const double x_centred = predictor.values[row] - mean_x;
    xx += data.weight(row) * x_centred * x_centred;
    xy += data.weight(row) * x_centred * (values[row] - mean_y);
  }
  for (std::size_t row = 0; row < data.rows; ++row) {
    double fitted = mean_y;
    if (predictor.discrete()) {
      const auto &[size, sum] = group[predictor.codes[row]];
      fitted = sum / size;
    } else {
      fitted += xy / xx * (predictor.values[row] - mean_x);
    }
    around += data.weight(row) * (values[row] - mean_y) * (values[row] - mean_y);
    residual += data.weight(row) * (values[row] - fitted) * (values[row] - fitted);
  }
  return std::log(around / residual) / 2;
}

Dataset mixed_data(std::uint64_t seed, bool weighted) {
  Dataset data = random_table(seed, 150, 4, 4, weighted);
  add_continuous(data, seed, 3);
  for (std::size_t row = 0; row < data.rows; ++row) // so that the types depend
    data.columns[5].values[row] += data.columns[2].codes[row];
  return data;
}

} // namespace

TEST(mutual_information_is_as_defined) {
  for (const bool weighted : {false, true}) {
    const Dataset data = mixed_data(7, weighted);
    const MutualInformation table = information_of(data);
    CHECK_EQUAL(table.nodes, data.size());
    for (Node a = 0; a < data.size(); ++a)
      for (Node b = 0; b < data.size(); ++b) {
        CHECK_EQUAL(table(a, b), table(b, a));
        const bool tables = data.columns[a].discrete() && data.columns[b].discrete();
        if (a == b)
          CHECK_EQUAL(table(a, b), 0.0);
        else if (tables)
          CHECK_NEAR(table(a, b), by_definition(data, a, b), 1e-12);
        else if (!data.columns[a].discrete())
          CHECK_NEAR(table(a, b), by_regression(data, a, b), 1e-10);
      }
  }
}

TEST(mutual_information_of_what_determines_and_of_what_does_not) {
  Dataset data;
  data.rows = data.total = 8;
  add_discrete(data, 2, {0, 1, 0, 1, 0, 1, 0, 1});
  add_discrete(data, 4, {0, 1, 2, 3, 0, 1, 2, 3}); // determines the first
  add_discrete(data, 3, {0, 0, 0, 0, 1, 1, 1, 1}); // independent of both; a level never seen
  Column line, twice;
  line.values = {1, 2, 3, 4, 5, 6, 7, 8};
  twice.values = {-2, -4, -6, -8, -10, -12, -14, -16};
  data.columns.push_back(line);
  data.columns.push_back(twice);
  const MutualInformation table = information_of(data);
  CHECK_NEAR(table(0, 1), std::log(2.0), 1e-14);
  CHECK_NEAR(table(0, 2), 0.0, 1e-14);
  CHECK(table(0, 2) >= 0 && table(1, 2) >= 0);
  CHECK(table(3, 4) > 15 && table(3, 4) < 19);
}

TEST(mutual_information_does_not_depend_on_threads) {
  const Dataset data = mixed_data(9, true);
  CHECK(information_of(data, 3).value == information_of(data, 1).value);
}

TEST(mutual_information_stops_when_asked) {
  const Dataset data = mixed_data(9, false);
  const Host interrupted = host_stopping_after(0, 1);
  Watch one(interrupted);
  CHECK_THROWS(mutual_information(data, one), Interrupted);
  const Host late = host_stopping_after(0, 1, StopReason::time_limit);
  Watch other(late);
  CHECK_THROWS(mutual_information(data, other), TimeLimitReached);
}
