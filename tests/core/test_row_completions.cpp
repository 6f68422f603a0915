#include "check.h"
#include "density_fixtures.h"

#include "core/density/learn/row_completions.h"

#include <cmath>
#include <map>
#include <vector>

using namespace optbn;
using namespace density_test;

namespace {

TrainingRows completed(const TrainingRows &rows, const std::vector<double> &weights,
                       const DensityMixture &model, unsigned most, unsigned threads = 1) {
  Host host;
  host.threads = threads;
  Watch watch(host);
  Random random(5);
  return completions(rows, weights, model, most, random, watch);
}

double total_of(const std::vector<double> &weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

std::map<Row, double> weight_by_row(const TrainingRows &rows) {
  std::map<Row, double> found;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    Row row;
    for (const auto &column : rows.cells().columns)
      row.push_back(column[r]);
    found[row] += rows.weight(r);
  }
  return found;
}

} // namespace

// With all configurations, one row at a time, against enumeration; with draws approximately.
TEST(row_completions_are_the_posterior) {
  for (unsigned kind = 0; kind < 12; ++kind) {
    Random random(kind);
    const DensityMixture mixture = random_mixture(shape_of_kind(kind), random);
    const PartialRows cells = random_rows(mixture.levels, 8, 0.6, random);
    for (std::size_t r = 0; r < cells.rows; ++r) {
      PartialRows one{1, {}};
      for (const auto &column : cells.columns)
        one.columns.push_back({column[r]});
      const TrainingRows rows(one, mixture.levels, {});
      const RowEnumeration enumerated(mixture, evidence_of(cells, r));
      if (enumerated.total == 0)
        continue;
      const std::map<Row, double> whole = weight_by_row(completed(rows, {0.7}, mixture, 1000));
      const std::map<Row, double> drawn = weight_by_row(completed(rows, {900}, mixture, 1));
      double sum = 0;
      for (std::size_t i = 0; i < enumerated.rows.size(); ++i) {
        const double p = enumerated.weights[i] / enumerated.total;
        const auto found = whole.find(enumerated.rows[i]), other = drawn.find(enumerated.rows[i]);
        const double weight = found == whole.end() ? 0 : found->second;
        const double share = other == drawn.end() ? 0 : other->second / 900;
        CHECK_NEAR(weight, 0.7 * p, 1e-12);
        CHECK_NEAR(share, p, 0.1);
        sum += weight;
      }
      CHECK_NEAR(sum, 0.7, 1e-12);
    }
  }
}

TEST(row_completions_keep_weights_and_what_is_known) {
  Random random(3);
  MixtureShape shape;
  shape.variables = 9;
  shape.components = 3;
  const DensityMixture mixture = random_mixture(shape, random);
  const TrainingRows rows(random_rows(mixture.levels, 300, 0.5, random), mixture.levels, {});
  std::vector<double> weights;
  for (std::size_t r = 0; r < 300; ++r)
    weights.push_back(random.below(3) * random.uniform());
  const TrainingRows whole = completed(rows, weights, mixture, 6);
  CHECK(!whole.holes());
  CHECK_NEAR(whole.total(), total_of(weights), 1e-9);
  for (std::size_t v = 0; v < 9; ++v)
    for (const std::uint16_t level : whole.cells().columns[v])
      CHECK(level < mixture.levels[v]);
}

TEST(row_completions_do_not_depend_on_threads) {
  Random random(4);
  MixtureShape shape;
  shape.variables = 12;
  shape.components = 4;
  const DensityMixture mixture = random_mixture(shape, random);
  const TrainingRows rows(random_rows(mixture.levels, 500, 0.5, random), mixture.levels, {});
  const TrainingRows one = completed(rows, rows.own_weights(), mixture, 8, 1);
  const TrainingRows three = completed(rows, rows.own_weights(), mixture, 8, 3);
  CHECK(one.cells().columns == three.cells().columns);
  CHECK(one.weights() == three.weights());
}

TEST(row_completions_of_impossible_rows_are_random) {
  TreeDensity tree;
  for (Node v = 0; v < 6; ++v) {
    tree.add(v, 2, TreeDensity::kRoot);
    tree.tables[tree.tables.size() - 2] = 1; // level 0 is certain
  }
  const DensityMixture mixture{std::vector<unsigned>(6, 2), {1.0}, {uncut(tree)}};
  constexpr std::uint16_t kGap = PartialRows::kMissing;
  const TrainingRows rows({1, {{1}, {kGap}, {kGap}, {kGap}, {kGap}, {kGap}}}, mixture.levels, {});
  for (const unsigned most : {4u, 100u}) {
    const TrainingRows whole = completed(rows, {1.0}, mixture, most);
    CHECK_EQUAL(whole.rows(), most == 4 ? 4u : 32u);
    CHECK_NEAR(whole.total(), 1, 1e-12);
    for (const std::uint16_t level : whole.cells().columns[0])
      CHECK_EQUAL(level, 1);
  }
}
