#include "check.h"
#include "density_fixtures.h"
#include "score_fixtures.h"

#include "core/base/random.h"
#include "core/density/density_queries.h"
#include "core/density/learn/chow_liu.h"
#include "core/density/learn/latent_tree.h"

#include <cmath>
#include <vector>

using namespace optbn;
using density_test::mean_log_density;
using fixtures::discrete_table;

namespace {

// Rows of a chain of variables with two, three and four levels, each of which mostly follows the
// one before it, and half of the time the one two before it.
Dataset chain_rows(std::size_t rows, Node variables, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<std::uint16_t>> columns(variables, std::vector<std::uint16_t>(rows));
  std::vector<unsigned> levels;
  for (Node v = 0; v < variables; ++v)
    levels.push_back(2 + v % 3);
  for (std::size_t r = 0; r < rows; ++r)
    for (Node v = 0; v < variables; ++v) {
      const unsigned back = 1 + (v > 1 && random.below(2));
      columns[v][r] = static_cast<std::uint16_t>(v == 0 || random.below(4) == 0
                                                     ? random.below(levels[v])
                                                     : columns[v - back][r] % levels[v]);
    }
  return discrete_table(std::move(columns), std::move(levels));
}

LearnedMixture learn(const TrainingRows &rows, const TrainingRows *validation,
                     const LatentTreeSettings &settings, const DensityMixture *start = nullptr,
                     const Host &host = {}) {
  Watch watch(host);
  return learn_latent_tree(rows, validation, settings, start, watch);
}

LatentTreeSettings settings_of(unsigned states, double smoothing, unsigned most) {
  LatentTreeSettings settings;
  settings.states = states;
  settings.smoothing = smoothing;
  settings.steps = {most, most, 0};
  return settings;
}

const TreeDensity &tree_of(const DensityMixture &mixture) {
  return mixture.components[0].leaves[0];
}

} // namespace

TEST(latent_tree_is_a_distribution_with_a_hidden_parent_for_every_variable) {
  const TrainingRows rows(chain_rows(300, 5, 1));
  const LearnedMixture learned = learn(rows, nullptr, settings_of(3, 0.1, 25));
  const TreeDensity &tree = tree_of(learned.mixture);
  CHECK_EQUAL(tree.nodes.size(), 10u);
  unsigned hidden = 0;
  for (const TreeDensity::TreeNode &node : tree.nodes)
    if (node.variable == TreeDensity::kHidden) {
      ++hidden;
      CHECK_EQUAL(node.levels, 3u);
    } else {
      CHECK_EQUAL(unsigned{node.levels}, rows.levels(node.variable));
      CHECK(tree.nodes[node.parent].variable == TreeDensity::kHidden);
    }
  CHECK_EQUAL(hidden, 5u);

  PartialRows all; // every row there is
  all.columns.resize(rows.variables());
  density_test::for_each_row(rows.levels(), [&](const Row &row) {
    ++all.rows;
    for (Node v = 0; v < rows.variables(); ++v)
      all.columns[v].push_back(row[v]);
  });
  const Host host;
  Watch watch(host);
  double total = 0;
  for (const double log_density : log_densities(learned.mixture, all, watch))
    total += std::exp(log_density);
  CHECK_NEAR(total, 1, 1e-9);
}

TEST(latent_tree_steps_with_all_rows_never_lose) {
  const TrainingRows rows(chain_rows(500, 6, 2));
  const LearnedMixture begun = learn(rows, nullptr, settings_of(4, 0, 3));
  const LearnedMixture learned = learn(rows, nullptr, settings_of(4, 0, 40), &begun.mixture);
  CHECK_EQUAL(learned.training.size(), 40u);
  CHECK_NEAR(learned.training[0], mean_log_density(begun.mixture, rows), 1e-5);
  for (std::size_t i = 1; i < learned.training.size(); ++i)
    CHECK(learned.training[i] > learned.training[i - 1] - 1e-5);
  CHECK(learned.training.back() > learned.training[0] + 0.001);
}

TEST(latent_tree_passes_the_chow_liu_tree) {
  const TrainingRows rows(chain_rows(3000, 8, 3)), fresh(chain_rows(3000, 8, 4));
  const Host host;
  Watch watch(host);
  const DensityMixture chow_liu{
      rows.levels(), {1}, {uncut(learn_chow_liu(rows, {}, {Prior::laplace, 0.1}, watch))}};
  const LearnedMixture learned = learn(rows, nullptr, settings_of(8, 0.1, 60));
  CHECK(mean_log_density(learned.mixture, fresh) > mean_log_density(chow_liu, fresh) + 0.05);
}

TEST(latent_tree_keeps_the_step_that_is_best_on_validation_rows) {
  const TrainingRows rows(chain_rows(60, 6, 5)), validation(chain_rows(200, 6, 6));
  LatentTreeSettings settings = settings_of(8, 0, 80);
  settings.steps.patience = 4;
  const LearnedMixture learned = learn(rows, &validation, settings);
  CHECK_EQUAL(learned.training.size(), learned.validation.size());
  CHECK(learned.validation.size() < 80); // it learns by heart and is stopped
  for (const double value : learned.validation)
    CHECK(value <= learned.validation[learned.best_step]);
  CHECK_NEAR(learned.validation[learned.best_step], mean_log_density(learned.mixture, validation),
             1e-5);
}

TEST(latent_tree_weights_are_repeated_rows) {
  Dataset data = chain_rows(40, 4, 7);
  const LearnedMixture begun = learn(TrainingRows(data), nullptr, settings_of(3, 0.1, 2));
  data.weights.assign(40, 1);
  Dataset repeated = data;
  repeated.weights.clear();
  for (std::size_t r = 0; r < 10; ++r) {
    data.weights[r] = 3;
    for (Column &column : repeated.columns)
      for (unsigned again = 0; again < 2; ++again)
        column.codes.push_back(column.codes[r]);
  }
  data.total = repeated.total = repeated.rows = 60;
  const LatentTreeSettings settings = settings_of(3, 0.1, 10);
  const LearnedMixture a = learn(TrainingRows(data), nullptr, settings, &begun.mixture);
  const LearnedMixture b = learn(TrainingRows(repeated), nullptr, settings, &begun.mixture);
  CHECK_NEAR(a.training.back(), b.training.back(), 1e-5);
}

// So many rows that threads are worth it.
TEST(latent_tree_does_not_depend_on_threads) {
  const TrainingRows rows(chain_rows(10000, 6, 8)), validation(chain_rows(100, 6, 9));
  const LatentTreeSettings settings = settings_of(13, 0.1, 22);
  Host several;
  several.threads = 3;
  const LearnedMixture one = learn(rows, &validation, settings);
  const LearnedMixture three = learn(rows, &validation, settings, nullptr, several);
  CHECK(one.training == three.training && one.validation == three.validation);
  CHECK(tree_of(one.mixture).tables == tree_of(three.mixture).tables);
}

TEST(latent_tree_of_little) {
  const TrainingRows row(discrete_table({{1}, {0}, {0}}, {2, 1, 3}));
  const LearnedMixture of_row = learn(row, nullptr, settings_of(4, 0, 30));
  CHECK_NEAR(mean_log_density(of_row.mixture, row), 0, 1e-9);
  const TrainingRows column(discrete_table({{1, 0, 0, 0}}, {2}));
  const LearnedMixture of_column = learn(column, nullptr, settings_of(2, 0, 60));
  CHECK_NEAR(mean_log_density(of_column.mixture, column), (std::log(0.25) + 3 * std::log(0.75)) / 4,
             1e-5);
}

TEST(latent_tree_that_is_stopped_is_the_best_so_far) {
  const TrainingRows rows(chain_rows(2000, 6, 10));
  Host host;
  host.should_stop = [] { return StopReason::interrupt; };
  CHECK_THROWS(learn(rows, nullptr, settings_of(4, 0.1, 30), nullptr, host), Interrupted);
  unsigned steps = 0;
  host.should_stop = [&] { return steps >= 5 ? StopReason::time_limit : StopReason::none; };
  host.report_progress = [&](double done, double) { steps = static_cast<unsigned>(done); };
  const LearnedMixture learned = learn(rows, nullptr, settings_of(4, 0.1, 1000000), nullptr, host);
  CHECK(learned.training.size() >= 5 && learned.training.size() < 1000000);
  CHECK(mean_log_density(learned.mixture, rows) > -100);
}

TEST(latent_tree_that_is_stopped_within_its_first_step_is_what_it_had_learned) {
  const TrainingRows rows(chain_rows(60000, 10, 11));
  Host host;
  LearnedMixture learned;
  for (unsigned patience = 1; learned.mixture.components.empty(); ++patience) {
    unsigned asked = 0; // every 20 ms
    host.should_stop = [&] {
      return ++asked > patience ? StopReason::interrupt : StopReason::none;
    };
    try {
      learned = learn(rows, nullptr, settings_of(32, 0.1, 30), nullptr, host);
    } catch (const Interrupted &) { // before anything was learned
    }
  }
  CHECK_EQUAL(learned.mixture.components.size(), 1u);
  CHECK(mean_log_density(learned.mixture, rows) > -100);
}

// In steps over all rows; in single precision.
TEST(latent_tree_never_loses_where_levels_are_missing) {
  Random random(3);
  const Dataset data = chain_rows(400, 6, 3);
  PartialRows cells = TrainingRows(data).cells();
  for (auto &column : cells.columns)
    for (std::uint16_t &level : column)
      if (random.uniform() < 0.3)
        level = PartialRows::kMissing;
  const TrainingRows rows(cells, levels_of(data), {});
  const LearnedMixture start = learn(rows, nullptr, settings_of(3, 0, 20));
  const LearnedMixture learned = learn(rows, nullptr, settings_of(3, 0, 30), &start.mixture);
  for (std::size_t i = 2; i < learned.training.size(); ++i) // the first two are both of the start
    CHECK(learned.training[i] > learned.training[i - 1] - 1e-5);
  const Host host;
  Watch watch(host);
  const TreeBySteps tree = learn_chow_liu_by_em(rows, {}, {Prior::laplace, 1}, watch);
  CHECK(mean_log_density(learned.mixture, rows) > tree.training.back());
}
