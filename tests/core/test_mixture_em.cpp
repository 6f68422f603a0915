#include "check.h"
#include "density_fixtures.h"
#include "score_fixtures.h"

#include "core/base/log_sum.h"
#include "core/base/random.h"
#include "core/density/density_queries.h"
#include "core/density/learn/chow_liu.h"
#include "core/density/learn/mixture_em.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using namespace optbn;
using density_test::mean_log_density;
using fixtures::discrete_table;

namespace {

// Rows of three clusters; in each of them levels are likelier the nearer they are to one of its
// own.
Dataset cluster_rows(std::size_t rows, Node variables, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<std::uint16_t>> columns(variables, std::vector<std::uint16_t>(rows));
  std::vector<unsigned> levels;
  for (Node v = 0; v < variables; ++v)
    levels.push_back(2 + v % 3);
  for (std::size_t r = 0; r < rows; ++r) {
    const unsigned cluster = random.below(3);
    for (Node v = 0; v < variables; ++v)
      columns[v][r] = static_cast<std::uint16_t>(
          random.below(5) == 0 ? random.below(levels[v]) : (cluster * (v + 1)) % levels[v]);
  }
  return discrete_table(std::move(columns), std::move(levels));
}

MixtureSettings settings_of(unsigned components, double alpha, unsigned most) {
  MixtureSettings settings;
  settings.components = components;
  settings.cutset.smoothing = {Prior::laplace, alpha};
  settings.steps = {most, most, 0};
  return settings;
}

LearnedMixture learn(const TrainingRows &rows, const TrainingRows *validation,
                     const MixtureSettings &settings, const DensityMixture *start = nullptr,
                     const Host &host = {}) {
  Watch watch(host);
  return learn_mixture(rows, validation, settings, start, watch);
}

void check_weights(const DensityMixture &mixture) {
  CHECK_EQUAL(mixture.weights.size(), mixture.components.size());
  CHECK_NEAR(std::accumulate(mixture.weights.begin(), mixture.weights.end(), 0.0), 1, 1e-12);
}

} // namespace

TEST(mixture_of_trees_never_loses_without_smoothing) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const TrainingRows rows(cluster_rows(200, 6, seed));
    const LearnedMixture learned = learn(rows, nullptr, settings_of(4, 0, 25));
    CHECK_EQUAL(learned.training.size(), 25u);
    for (std::size_t i = 1; i < learned.training.size(); ++i)
      CHECK(learned.training[i] > learned.training[i - 1] - 1e-12);
    CHECK(learned.training.back() > learned.training[0] + 0.01);
    CHECK_NEAR(mean_log_density(learned.mixture, rows), learned.training[learned.best_step], 1e-12);
    check_weights(learned.mixture);
  }
}

// One step from given responsibilities, against trees learned from the weighted rows and sums over
// the rows by the definition.
TEST(mixture_step_is_as_defined) {
  const Dataset data = cluster_rows(50, 5, 4);
  const TrainingRows rows(data);
  Random random(5);
  std::vector<double> first(50), second(50), shares;
  for (std::size_t r = 0; r < 50; ++r)
    second[r] = 1 - (first[r] = random.uniform());
  shares = first;
  shares.insert(shares.end(), second.begin(), second.end());
  const Host host;
  Watch watch(host);
  const LearnedMixture learned =
      learn_mixture(rows, nullptr, settings_of(2, 0.1, 2), shares, watch);

  for (unsigned step = 0; step < 2; ++step) {
    const double weight = std::accumulate(first.begin(), first.end(), 0.0) / 50;
    const DensityMixture mixture{
        rows.levels(),
        {weight, 1 - weight},
        {uncut(learn_chow_liu(rows, first, {Prior::laplace, 0.1}, watch)),
         uncut(learn_chow_liu(rows, second, {Prior::laplace, 0.1}, watch))}};
    const std::vector<double> logs = component_log_densities(mixture, rows.cells(), watch);
    double sum = 0;
    for (std::size_t r = 0; r < 50; ++r) {
      const double a = weight * std::exp(logs[r]), b = (1 - weight) * std::exp(logs[50 + r]);
      sum += std::log(a + b);
      first[r] = a / (a + b);
      second[r] = b / (a + b);
    }
    CHECK_NEAR(learned.training[step], sum / 50, 1e-12);
    if (step == learned.best_step)
      CHECK_NEAR(learned.mixture.weights[0], weight, 1e-12);
  }
}

TEST(mixture_finds_clusters) {
  const TrainingRows rows(cluster_rows(2000, 9, 6)), fresh(cluster_rows(2000, 9, 7));
  MixtureSettings settings = settings_of(3, 0.1, 60);
  const double one = mean_log_density(learn(rows, nullptr, settings_of(1, 0.1, 2)).mixture, fresh);
  for (const bool hard : {true, false}) {
    settings.hard = hard;
    settings.starts = 3;
    const LearnedMixture learned = learn(rows, nullptr, settings);
    CHECK(mean_log_density(learned.mixture, fresh) > one + 0.1);
  }
}

TEST(mixture_of_cutset_networks_learns_and_cuts) {
  const TrainingRows rows(cluster_rows(1500, 8, 8)), validation(cluster_rows(500, 8, 9));
  MixtureSettings settings = settings_of(3, 0.1, 12);
  settings.cuts = true;
  settings.cutset.min_rows = 50;
  settings.cutset.max_depth = 1;
  for (const CutRule rule : {CutRule::likelihood, CutRule::entropy, CutRule::random}) {
    settings.cutset.rule = rule;
    const LearnedMixture learned = learn(rows, &validation, settings);
    check_weights(learned.mixture);
    std::size_t cuts = 0;
    for (const CutsetNetwork &component : learned.mixture.components) {
      CHECK(component.leaves.size() <= 4u);
      cuts += component.leaves.size() > 1;
    }
    CHECK(rule == CutRule::likelihood || cuts > 0);
    CHECK_NEAR(mean_log_density(learned.mixture, validation), learned.validation[learned.best_step],
               1e-12);
  }
}

TEST(mixture_stops_when_validation_rows_gain_no_more) {
  const TrainingRows rows(cluster_rows(80, 9, 10)), validation(cluster_rows(300, 9, 11));
  MixtureSettings settings = settings_of(10, 0.01, 100);
  settings.steps.patience = 2;
  const LearnedMixture learned = learn(rows, &validation, settings);
  CHECK(learned.validation.size() < 100);
  CHECK_EQUAL(learned.validation.size(), learned.best_step + 3u);
  for (const double value : learned.validation)
    CHECK(value <= learned.validation[learned.best_step]);
}

TEST(mixture_takes_the_best_start) {
  const TrainingRows rows(cluster_rows(150, 7, 12));
  MixtureSettings settings = settings_of(4, 0.1, 8);
  double best = kLogZero;
  for (std::uint64_t start = 0; start < 4; ++start) {
    Host host;
    host.seed = [&](std::uint64_t i) { return i + start; };
    const LearnedMixture learned = learn(rows, nullptr, settings, nullptr, host);
    best = std::max(best, learned.training[learned.best_step]);
  }
  settings.starts = 4;
  const LearnedMixture learned = learn(rows, nullptr, settings);
  CHECK_EQUAL(learned.training[learned.best_step], best);
}

TEST(mixture_goes_on_from_another) {
  const TrainingRows rows(cluster_rows(200, 6, 13));
  const LearnedMixture whole = learn(rows, nullptr, settings_of(3, 0, 12));
  const LearnedMixture begun = learn(rows, nullptr, settings_of(3, 0, 5));
  const LearnedMixture rest = learn(rows, nullptr, settings_of(3, 0, 8), &begun.mixture);
  CHECK_EQUAL(rest.training[0], begun.training[4]); // step 0 is where it goes on from
  for (std::size_t i = 0; i < rest.training.size(); ++i)
    CHECK_NEAR(rest.training[i], whole.training[4 + i], 1e-12);
}

TEST(mixture_with_empty_components) {
  // More components than rows, and rows of which one component alone could make sense.
  const TrainingRows rows(discrete_table({{0, 1, 1}, {0, 1, 2}}, {2, 3}));
  for (const double alpha : {0.0, 0.1})
    for (const bool hard : {true, false}) {
      MixtureSettings settings = settings_of(8, alpha, 10);
      settings.hard = hard;
      const LearnedMixture learned = learn(rows, &rows, settings);
      check_weights(learned.mixture);
      CHECK(mean_log_density(learned.mixture, rows) > -5);
      for (const double value : learned.training)
        CHECK(std::isfinite(value));
    }
}

TEST(mixture_with_impossible_validation_rows) {
  const TrainingRows rows(discrete_table({{0, 0, 0}, {0, 1, 1}}, {2, 2}));
  const TrainingRows impossible(discrete_table({{1}, {0}}, {2, 2}));
  const LearnedMixture learned = learn(rows, &impossible, settings_of(2, 0, 5));
  CHECK_EQUAL(learned.validation[0], kLogZero);
  check_weights(learned.mixture);
  CHECK(mean_log_density(learned.mixture, rows) > -2);
}

TEST(mixture_weights_are_repeated_rows) {
  Dataset data = cluster_rows(40, 4, 14);
  data.weights.assign(40, 1);
  Dataset repeated = data;
  repeated.weights.clear();
  for (std::size_t r = 0; r < 10; ++r) {
    data.weights[r] = 2;
    for (Column &column : repeated.columns)
      column.codes.push_back(column.codes[r]);
  }
  data.total = repeated.total = repeated.rows = 50;
  const LearnedMixture begun = learn(TrainingRows(data), nullptr, settings_of(3, 0.1, 2));
  const LearnedMixture a =
      learn(TrainingRows(data), nullptr, settings_of(3, 0.1, 8), &begun.mixture);
  const LearnedMixture b =
      learn(TrainingRows(repeated), nullptr, settings_of(3, 0.1, 8), &begun.mixture);
  for (std::size_t i = 0; i < 8; ++i)
    CHECK_NEAR(a.training[i], b.training[i], 1e-10);
}

TEST(mixture_does_not_depend_on_threads) {
  const TrainingRows rows(cluster_rows(3000, 6, 15)), validation(cluster_rows(300, 6, 16));
  MixtureSettings settings = settings_of(4, 0.1, 6);
  settings.starts = 2;
  Host several;
  several.threads = 3;
  for (const bool cuts : {false, true}) {
    settings.cuts = cuts;
    settings.cutset.rule = CutRule::random;
    const LearnedMixture one = learn(rows, &validation, settings);
    const LearnedMixture three = learn(rows, &validation, settings, nullptr, several);
    CHECK(one.training == three.training && one.validation == three.validation);
    CHECK(one.mixture.weights == three.mixture.weights);
  }
}

TEST(mixture_that_is_stopped_is_the_best_so_far) {
  const TrainingRows rows(cluster_rows(2000, 8, 17));
  Host host;
  host.should_stop = [] { return StopReason::time_limit; };
  CHECK_THROWS(learn(rows, nullptr, settings_of(3, 0.1, 10), nullptr, host), TimeLimitReached);
  unsigned steps = 0;
  host.should_stop = [&] { return steps >= 3 ? StopReason::interrupt : StopReason::none; };
  host.report_progress = [&](double done, double) { steps = static_cast<unsigned>(done); };
  const LearnedMixture learned = learn(rows, nullptr, settings_of(5, 0.1, 1000000), nullptr, host);
  CHECK(learned.training.size() >= 3 && learned.training.size() < 1000000);
  CHECK_NEAR(mean_log_density(learned.mixture, rows), learned.training[learned.best_step], 1e-12);
}

namespace {

TrainingRows with_holes(const Dataset &data, double missing, std::uint64_t seed) {
  Random random(seed);
  PartialRows cells = TrainingRows(data).cells();
  for (auto &column : cells.columns)
    for (std::uint16_t &level : column)
      if (random.uniform() < missing)
        level = PartialRows::kMissing;
  return {std::move(cells), levels_of(data), {}};
}

} // namespace

// With imaginary rows of the prior, and without: the likelihood of what is known, and theirs.
TEST(mixture_of_trees_never_loses_where_levels_are_missing) {
  const Host host;
  Watch watch(host);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const TrainingRows rows = with_holes(cluster_rows(200, 5, seed), 0.3, seed);
    MixtureSettings settings = settings_of(3, seed % 2 ? 0.0 : 2.0, 25);
    settings.cutset.smoothing.prior = Prior::uniform;
    const double alpha = settings.cutset.smoothing.alpha;
    DensityMixture mixture = learn(rows, nullptr, settings).mixture;
    settings.steps.most = 2; // the mixture itself, and a step from it
    double before = kLogZero;
    for (unsigned step = 0; step < 10; ++step) {
      double sum = 0;
      for (const double log_p : log_densities(mixture, rows.cells(), watch))
        sum += log_p;
      if (alpha > 0) {
        double cells = 0, even = 0;
        density_test::for_each_row(rows.levels(), [&](const Row &row) {
          ++cells;
          for (const CutsetNetwork &tree : mixture.components)
            even += std::log(density_test::probability(tree, row));
        });
        sum += alpha * even / cells;
      }
      CHECK(sum > before - 1e-8);
      before = sum;
      const LearnedMixture next = learn(rows, nullptr, settings, &mixture);
      if (next.best_step == 0)
        break; // the likelihood without imaginary rows may fall
      mixture = next.mixture;
    }
  }
}

TEST(mixtures_learn_clusters_where_levels_are_missing) {
  const TrainingRows rows = with_holes(cluster_rows(1500, 9, 6), 0.2, 1);
  const TrainingRows fresh(cluster_rows(2000, 9, 7));
  MixtureSettings settings = settings_of(3, 0.1, 30);
  settings.starts = 3;
  settings.cutset.rule = CutRule::entropy;
  settings.cutset.min_rows = 100;
  settings.cutset.max_depth = 1;
  const double one = mean_log_density(learn(rows, nullptr, settings_of(1, 0.1, 5)).mixture, fresh);
  for (const bool cuts : {false, true}) {
    settings.cuts = cuts;
    const LearnedMixture learned = learn(rows, nullptr, settings);
    CHECK(mean_log_density(learned.mixture, fresh) > one + 0.1);
    check_weights(learned.mixture);
    Host host;
    host.threads = 3;
    const LearnedMixture by_three = learn(rows, nullptr, settings, nullptr, host);
    CHECK(by_three.training == learned.training);
  }
}
