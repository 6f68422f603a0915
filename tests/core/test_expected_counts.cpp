#include "check.h"
#include "density_fixtures.h"
#include "score_fixtures.h"

#include "core/base/log_sum.h"
#include "core/density/counts/slice.h"
#include "core/density/density_queries.h"
#include "core/density/learn/chow_liu.h"
#include "core/density/learn/expected_counts.h"

#include <cmath>
#include <vector>

using namespace optbn;
using namespace density_test;

namespace {

// A tree over all variables.
TreeDensity tree_over(const std::vector<unsigned> &levels, double zeros, Random &random) {
  MixtureShape shape;
  shape.zeros = zeros;
  std::vector<Node> all(levels.size());
  std::iota(all.begin(), all.end(), Node{0});
  return random_tree(levels, all, shape, random);
}

std::vector<unsigned> some_levels(Node variables, unsigned most, Random &random) {
  std::vector<unsigned> levels;
  for (Node v = 0; v < variables; ++v)
    levels.push_back(1 + random.below(most));
  return levels;
}

// Rows of dependent variables with holes.
TrainingRows rows_with_holes(std::size_t rows, Node variables, unsigned most, double missing,
                             std::uint64_t seed) {
  Random random(seed);
  const Dataset data = fixtures::random_table(seed, rows, variables, most);
  PartialRows cells = TrainingRows(data).cells();
  for (auto &column : cells.columns)
    for (std::uint16_t &level : column)
      if (random.uniform() < missing)
        level = PartialRows::kMissing;
  return {std::move(cells), levels_of(data), {}};
}

ExpectedCounts counted(const TreeDensity &tree, const TrainingRows &rows,
                       const std::vector<double> &weights, unsigned threads = 1) {
  Host host;
  host.threads = threads;
  Watch watch(host);
  return expected_counts(tree, rows, weights, watch);
}

void check_same_tables(const PairCounts &counts, const PairCounts &expected, const Items &items,
                       double tolerance) {
  CHECK_NEAR(counts.total, expected.total, tolerance);
  std::vector<double> table(1000), other(1000);
  for (Node u = 0; u < items.variables(); ++u)
    for (Node v = 0; v < items.variables(); ++v)
      if (u != v) {
        table_counts(counts, items, u, v, table.data());
        table_counts(expected, items, u, v, other.data());
        for (std::size_t cell = 0; cell < items.levels(u) * items.levels(v); ++cell)
          CHECK_NEAR(table[cell], other[cell], tolerance);
      }
}

} // namespace

// Against the enumeration of all rows.
TEST(expected_counts_are_posteriors_of_pairs) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    const std::vector<unsigned> levels = some_levels(6, seed % 2 ? 2 : 4, random);
    const TreeDensity tree = tree_over(levels, seed % 3 ? 0 : 0.3, random);
    const DensityMixture mixture{levels, {1.0}, {uncut(tree)}};
    const TrainingRows rows(random_rows(levels, 20, 0.5, random), levels, {});
    std::vector<double> weights;
    for (std::size_t r = 0; r < 20; ++r)
      weights.push_back(random.below(4) == 0 ? 0 : random.uniform());

    double log_likelihood = 0;
    std::vector<RowEnumeration> enumerated;
    for (std::size_t r = 0; r < 20; ++r) {
      enumerated.emplace_back(mixture, evidence_of(rows.cells(), r));
      if (enumerated[r].total == 0)
        weights[r] = 0;
      if (weights[r] > 0)
        log_likelihood += weights[r] * std::log(enumerated[r].total);
    }
    const ExpectedCounts found = counted(tree, rows, weights);
    CHECK_NEAR(found.log_likelihood, log_likelihood, 1e-10);
    std::vector<double> table(16);
    for (Node u = 0; u < 6; ++u)
      for (Node v = 0; v < 6; ++v) {
        if (u == v)
          continue;
        std::vector<double> expected(levels[u] * levels[v], 0.0);
        for (std::size_t r = 0; r < 20; ++r) {
          if (weights[r] == 0)
            continue;
          const std::vector<double> joint = enumerated[r].joint({u, v});
          for (std::size_t cell = 0; cell < joint.size(); ++cell)
            expected[cell] += weights[r] * joint[cell];
        }
        table_counts(found.counts, rows.items(), u, v, table.data());
        for (std::size_t cell = 0; cell < expected.size(); ++cell)
          CHECK_NEAR(table[cell], expected[cell], 1e-12);
      }
  }
}

TEST(expected_counts_of_whole_rows_are_counts) {
  const Host host;
  Watch watch(host);
  Random random(1);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Dataset data = fixtures::random_table(seed, 50, 5, seed % 2 ? 2 : 4, true);
    const TrainingRows rows(data);
    const PairCounts counts = Slice(rows, {}).counted();
    const TreeDensity tree = tree_over(rows.levels(), 0, random);
    check_same_tables(counted(tree, rows, rows.own_weights()).counts, counts, rows.items(), 1e-11);
    check_same_tables(available_counts(rows, rows.own_weights(), watch), counts, rows.items(),
                      1e-11);
  }
}

TEST(expected_counts_do_not_depend_on_threads) {
  Random random(2);
  const TrainingRows rows = rows_with_holes(500, 7, 3, 0.3, 2);
  const TreeDensity tree = tree_over(rows.levels(), 0, random);
  const ExpectedCounts one = counted(tree, rows, rows.own_weights(), 1);
  const ExpectedCounts three = counted(tree, rows, rows.own_weights(), 3);
  CHECK_EQUAL(one.log_likelihood, three.log_likelihood);
  for (std::size_t i = 0; i < rows.items().size(); ++i)
    for (std::size_t j = 0; j < rows.items().size(); ++j)
      CHECK_EQUAL(one.counts.row(i)[j], three.counts.row(i)[j]);
}

// Thousands of children that contradict each other, at each of which one level is nearly impossible.
TEST(expected_counts_do_not_underflow) {
  constexpr Node kChildren = 4000;
  TreeDensity tree;
  const std::uint32_t root = tree.add(0, 2, TreeDensity::kRoot);
  std::fill(tree.tables.begin(), tree.tables.end(), 0.5);
  PartialRows cells{1, {{PartialRows::kMissing}}};
  for (Node v = 1; v <= kChildren; ++v) {
    tree.add(v, 2, root);
    const double p[] = {1e-3, 1 - 1e-3, 1 - 1e-3, 1e-3};
    std::copy(p, p + 4, tree.tables.end() - 4);
    cells.columns.push_back({static_cast<std::uint16_t>(v % 2)});
  }
  const TrainingRows rows(cells, std::vector<unsigned>(kChildren + 1, 2), {});
  const ExpectedCounts found = counted(tree, rows, {1.0});
  CHECK_NEAR(found.counts.alone(0), 0.5, 1e-9);
  CHECK_NEAR(found.log_likelihood, kChildren / 2 * (std::log(1e-3) + std::log1p(-1e-3)), 1e-6);
}

// Margins are shares of the rows that know a variable; odds ratios those of the rows that know both,
// apart from a thousandth of the others.
TEST(available_counts_are_as_defined) {
  const Host host;
  Watch watch(host);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const TrainingRows rows = rows_with_holes(400, 4, 3, 0.2, seed);
    const auto &columns = rows.cells().columns;
    const PairCounts counts = available_counts(rows, rows.own_weights(), watch);
    std::vector<double> table(9), margin(3);
    for (Node v = 0; v < 4; ++v) {
      level_counts(counts, rows.items(), v, margin.data());
      const auto known =
          400 - std::count(columns[v].begin(), columns[v].end(), PartialRows::kMissing);
      for (unsigned x = 0; x < rows.levels(v); ++x) {
        const auto count = std::count(columns[v].begin(), columns[v].end(), x);
        CHECK_NEAR(margin[x] / 400, double(count) / double(known), 1e-9);
      }
      for (Node u = 0; u < v; ++u) {
        const unsigned size = rows.levels(u);
        std::vector<double> both(size * rows.levels(v), 0.0);
        for (std::size_t r = 0; r < 400; ++r)
          if (columns[u][r] != PartialRows::kMissing && columns[v][r] != PartialRows::kMissing)
            ++both[columns[v][r] * size + columns[u][r]];
        table_counts(counts, rows.items(), u, v, table.data());
        const auto log_odds = [&](const std::vector<double> &of, unsigned x, unsigned y) {
          return std::log(of[0] * of[y * size + x] / (of[x] * of[y * size]));
        };
        for (unsigned y = 1; y < rows.levels(v); ++y)
          for (unsigned x = 1; x < size; ++x)
            if (both[0] * both[x] * both[y * size] * both[y * size + x] > 0)
              CHECK_NEAR(log_odds(table, x, y), log_odds(both, x, y), 0.02);
      }
    }
  }
}

// Weak data, in which cells are empty and pairs of variables never known together.
TEST(available_counts_are_counts) {
  const Host host;
  Watch watch(host);
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const TrainingRows rows = rows_with_holes(8, 5, 4, 0.6, seed);
    const PairCounts counts = available_counts(rows, rows.own_weights(), watch);
    std::vector<double> table(16), margin(4);
    for (Node u = 0; u < 5; ++u)
      for (Node v = 0; v < 5; ++v) {
        if (u == v)
          continue;
        table_counts(counts, rows.items(), u, v, table.data());
        level_counts(counts, rows.items(), u, margin.data());
        for (unsigned x = 0; x < rows.levels(u); ++x) {
          double sum = 0;
          for (unsigned y = 0; y < rows.levels(v); ++y)
            sum += table[y * rows.levels(u) + x];
          CHECK_NEAR(sum, margin[x], 1e-4);
        }
      }
  }
}

// The objective is computed from all rows that there can be.
TEST(tree_by_em_never_loses) {
  const Host host;
  Watch watch(host);
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Prior priors[] = {Prior::uniform, Prior::joint, Prior::laplace};
    const Prior prior = priors[seed % 3];
    const TrainingRows rows = rows_with_holes(60, 5, prior == Prior::laplace ? 2 : 3, 0.3, seed);
    const Smoothing smoothing = {prior, seed % 2 ? 0.0 : 0.3};
    const double n = rows.total();
    const double imaginary = prior == Prior::uniform ? smoothing.alpha
                             : prior == Prior::laplace
                                 ? 4 * smoothing.alpha
                                 : smoothing.alpha * n / (n + 1 + smoothing.alpha * n);
    const auto objective = [&](const TreeDensity &tree) {
      const DensityMixture mixture{rows.levels(), {1.0}, {uncut(tree)}};
      double sum = 0, cells = 0, even = 0;
      for (const double log_p : log_densities(mixture, rows.cells(), watch))
        sum += log_p;
      for_each_row(rows.levels(), [&](const Row &row) {
        ++cells;
        if (imaginary > 0)
          even += std::log(probability(tree, row));
      });
      return sum + imaginary * even / cells;
    };
    TreeDensity tree = tree_of_counts(available_counts(rows, rows.own_weights(), watch),
                                      rows.items(), smoothing, watch);
    const double first = objective(tree);
    double before = first;
    for (unsigned step = 0; step < 40; ++step) {
      tree = tree_of_counts(expected_counts(tree, rows, rows.own_weights(), watch).counts,
                            rows.items(), smoothing, watch);
      const double after = objective(tree);
      CHECK(after > before - 1e-9);
      before = after;
    }
    const TreeBySteps learned = learn_chow_liu_by_em(rows, {}, smoothing, watch);
    CHECK(objective(learned.tree) > first - 1e-9);
    CHECK_NEAR(objective(learned.tree), before, 1e-3 * n);
    CHECK_EQUAL(learned.best_step + 1u, learned.training.size());
    const DensityMixture mixture{rows.levels(), {1.0}, {uncut(learned.tree)}};
    CHECK_NEAR(mean_log_density(mixture, rows), learned.training.back(), 1e-12);
  }
}

// A row with nothing, a variable known once, and one known never.
TEST(tree_by_em_of_hostile_rows) {
  const Host host;
  Watch watch(host);
  for (const Prior prior :
       {Prior::joint, Prior::marginal, Prior::product, Prior::laplace, Prior::uniform})
    for (const double alpha : {0.0, 0.1})
      for (const unsigned levels : {2u, 3u}) {
        PartialRows cells = rows_with_holes(30, 6, 2, 0.5, 7).cells();
        for (auto &column : cells.columns)
          column[4] = PartialRows::kMissing;
        cells.columns[2].assign(30, PartialRows::kMissing);
        cells.columns[2][9] = 1;
        cells.columns[3].assign(30, PartialRows::kMissing);
        const TrainingRows rows(cells, std::vector<unsigned>(6, levels), {});
        const TreeBySteps learned = learn_chow_liu_by_em(rows, {}, {prior, alpha}, watch);
        CHECK(std::isfinite(learned.training.back()));
        double sum = 0;
        for_each_row(rows.levels(), [&](const Row &row) { sum += probability(learned.tree, row); });
        CHECK_NEAR(sum, 1, 1e-9);
      }
}

TEST(tree_by_em_stops_when_asked) {
  Host host;
  host.should_stop = [] { return StopReason::interrupt; };
  Watch watch(host);
  const TrainingRows rows = rows_with_holes(30, 6, 2, 0.5, 7);
  CHECK_THROWS(learn_chow_liu_by_em(rows, {}, {Prior::joint, 0.1}, watch), Interrupted);
}
