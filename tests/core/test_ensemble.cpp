#include "check.h"
#include "cutset_fixtures.h"

#include "core/base/random.h"
#include "core/density/density_queries.h"
#include "core/density/learn/ensemble.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace optbn;

namespace {

// Two hidden halves of the rows, variables of two to four levels.
Dataset random_rows(std::size_t rows, Node variables, std::uint64_t seed) {
  Random random(seed);
  Dataset data;
  data.rows = data.total = rows;
  data.columns.resize(variables);
  for (Node v = 0; v < variables; ++v) {
    data.columns[v].levels = 2 + v % 3;
    data.columns[v].codes.resize(rows);
  }
  for (std::size_t r = 0; r < rows; ++r) {
    const unsigned half = random.below(2);
    for (Node v = 0; v < variables; ++v)
      data.columns[v].codes[r] = static_cast<std::uint16_t>(
          random.below(3) == 0 ? random.below(data.columns[v].levels) : half);
  }
  return data;
}

EnsembleSettings settings_of(CutRule rule, bool bootstrap) {
  EnsembleSettings settings;
  settings.components = 8;
  settings.bootstrap = bootstrap;
  settings.cutset.rule = rule;
  settings.cutset.min_rows = 40;
  return settings;
}

std::vector<CutsetNetwork> learn(const TrainingRows &rows, const EnsembleSettings &settings,
                                 const TrainingRows *pruning = nullptr, const Host &host = {}) {
  Watch watch(host);
  return learn_ensemble(rows, pruning, settings, watch);
}

bool same(const std::vector<CutsetNetwork> &a, const std::vector<CutsetNetwork> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), cutset_test::same_network);
}

double mean_log_density(const std::vector<CutsetNetwork> &components, const TrainingRows &rows) {
  const std::vector<double> weights(components.size(), 1 / static_cast<double>(components.size()));
  const DensityMixture mixture{rows.levels(), weights, components};
  const Host host;
  Watch watch(host);
  double sum = 0;
  for (const double log_density : log_densities(mixture, rows.cells(), watch))
    sum += log_density;
  return sum / static_cast<double>(rows.rows());
}

} // namespace

TEST(ensemble_is_better_than_its_members) {
  const TrainingRows rows(random_rows(400, 7, 1)), fresh(random_rows(2000, 7, 2));
  for (const EnsembleSettings &settings :
       {settings_of(CutRule::likelihood, true), settings_of(CutRule::random, false),
        settings_of(CutRule::entropy, true)}) {
    const std::vector<CutsetNetwork> components = learn(rows, settings);
    CHECK_EQUAL(components.size(), 8u);
    double mean = 0;
    for (const CutsetNetwork &component : components)
      mean += mean_log_density({component}, fresh) / 8;
    CHECK(mean_log_density(components, fresh) > mean + 0.01);
  }
}

// The root of a network without a cut shows how often rows were drawn.
TEST(ensemble_draws_as_many_rows_as_there_are) {
  Dataset data = random_rows(300, 1, 3);
  data.weights.assign(300, 1);
  for (std::size_t r = 0; r < 100; ++r)
    data.weights[r] = 4;
  data.total = 600;
  const TrainingRows rows(data);
  double weight_of_1 = 0;
  for (std::size_t r = 0; r < 300; ++r)
    weight_of_1 += data.columns[0].codes[r] * data.weights[r];
  EnsembleSettings settings = settings_of(CutRule::likelihood, true);
  settings.components = 400;
  settings.cutset.smoothing.alpha = 0;
  const double p = weight_of_1 / 600;
  double mean = 0, variance = 0;
  for (const CutsetNetwork &component : learn(rows, settings)) {
    const double share = component.leaves[0].tables[1];
    CHECK_NEAR(share * 600, std::round(share * 600), 1e-9); // a whole number of 600 draws
    mean += share / 400;
    variance += (share - p) * (share - p) / 400;
  }
  CHECK_NEAR(mean, p, 5 * std::sqrt(p * (1 - p) / 600 / 400));
  CHECK_NEAR(variance, p * (1 - p) / 600, 0.4 * p * (1 - p) / 600);
}

TEST(ensemble_members_have_streams_of_their_own) {
  const TrainingRows rows(random_rows(300, 6, 4));
  const EnsembleSettings settings = settings_of(CutRule::random, true);
  const std::vector<CutsetNetwork> whole = learn(rows, settings);
  EnsembleSettings part = settings;
  part.components = 3;
  CHECK(same({whole.begin(), whole.begin() + 3}, learn(rows, part)));
  CHECK(!cutset_test::same_network(whole[0], whole[1]));
}

TEST(ensemble_members_are_what_is_learned_alone) {
  const TrainingRows rows(random_rows(300, 6, 11)), validation(random_rows(100, 6, 12));
  for (const CutRule rule : {CutRule::random, CutRule::entropy}) {
    const EnsembleSettings settings = settings_of(rule, false);
    const std::vector<CutsetNetwork> components = learn(rows, settings, &validation);
    for (std::size_t i = 0; i < components.size(); ++i) {
      const Host host;
      Watch watch(host);
      Random random(host.seed(i));
      const Training training(rows, {}, settings.cutset.smoothing, watch);
      CutsetNetwork alone = learn_cutset(rows, {}, settings.cutset, nullptr, random, watch);
      if (rule == CutRule::entropy)
        alone = prune(alone, training, validation, watch);
      CHECK(cutset_test::same_network(components[i], alone));
    }
  }
}

TEST(ensemble_without_bootstrap_and_chance_repeats_itself) {
  const TrainingRows rows(random_rows(300, 6, 5));
  const std::vector<CutsetNetwork> components =
      learn(rows, settings_of(CutRule::likelihood, false));
  for (const CutsetNetwork &component : components)
    CHECK(cutset_test::same_network(component, components[0]));
}

TEST(ensemble_of_the_entropy_rule_is_pruned) {
  const TrainingRows rows(random_rows(300, 6, 6)), validation(random_rows(200, 6, 7));
  EnsembleSettings settings = settings_of(CutRule::entropy, true);
  settings.cutset.min_rows = 4;
  const std::vector<CutsetNetwork> grown = learn(rows, settings);
  const std::vector<CutsetNetwork> pruned = learn(rows, settings, &validation);
  std::size_t before = 0, after = 0;
  for (std::size_t i = 0; i < grown.size(); ++i) {
    before += grown[i].leaves.size();
    after += pruned[i].leaves.size();
    CHECK(mean_log_density({pruned[i]}, validation) >=
          mean_log_density({grown[i]}, validation) - 1e-12);
  }
  CHECK(after < before);
  settings.cutset.rule = CutRule::random; // others are not
  CHECK(same(learn(rows, settings), learn(rows, settings, &validation)));
}

TEST(ensemble_does_not_depend_on_threads) {
  const TrainingRows rows(random_rows(300, 6, 8));
  Host several;
  several.threads = 3;
  for (const CutRule rule : {CutRule::likelihood, CutRule::random})
    CHECK(same(learn(rows, settings_of(rule, true)),
               learn(rows, settings_of(rule, true), nullptr, several)));
}

TEST(ensemble_that_is_stopped_has_whole_members) {
  const TrainingRows rows(random_rows(1000, 12, 9));
  const EnsembleSettings settings = settings_of(CutRule::random, false);
  Host host;
  host.should_stop = [] { return StopReason::interrupt; };
  CHECK_EQUAL(learn(rows, settings, nullptr, host).size(), 0u);
  double done = 0;
  host.should_stop = [&] { return done >= 2000 ? StopReason::time_limit : StopReason::none; };
  host.report_progress = [&](double now, double) { done = now; };
  EnsembleSettings many = settings;
  many.components = 20000;
  const std::vector<CutsetNetwork> some = learn(rows, many, nullptr, host);
  CHECK(some.size() >= 2 && some.size() < 20000);
  EnsembleSettings few = settings;
  few.components = 2;
  CHECK(same({some.begin(), some.begin() + 2}, learn(rows, few)));
}

TEST(ensemble_of_one_row) {
  const TrainingRows row(random_rows(1, 4, 10));
  for (const bool bootstrap : {true, false}) {
    const std::vector<CutsetNetwork> components =
        learn(row, settings_of(CutRule::random, bootstrap));
    CHECK_EQUAL(components.size(), 8u);
    CHECK(std::isfinite(mean_log_density(components, row)));
  }
}
