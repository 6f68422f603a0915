#include "check.h"

#include "core/base/log_sum.h"
#include "core/base/random.h"
#include "core/density/learn/mixture_weights.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using namespace optbn;

namespace {

MixtureWeights fit(const std::vector<double> &logs, std::size_t components,
                   const std::vector<double> &row_weights = {}, const Host &host = {}) {
  Watch watch(host);
  return fit_weights(logs, components, row_weights, watch);
}

// Components that are each good at rows of their own kind, far below the smallest number.
std::vector<double> random_logs(std::size_t rows, std::size_t components, Random &random) {
  std::vector<double> logs(rows * components);
  for (std::size_t r = 0; r < rows; ++r) {
    const double level = -2000 * random.uniform();
    const std::size_t kind = random.below(3);
    for (std::size_t c = 0; c < components; ++c)
      logs[c * rows + r] = level - 3 * random.uniform() - (c % 3 == kind ? 0 : 1);
  }
  return logs;
}

double mean_log_likelihood(const std::vector<double> &logs, const std::vector<double> &weights,
                           const std::vector<double> &row_weights) {
  const std::size_t rows = logs.size() / weights.size();
  double sum = 0, total = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    double most = kLogZero, p = 0;
    for (std::size_t c = 0; c < weights.size(); ++c)
      most = std::max(most, logs[c * rows + r]);
    for (std::size_t c = 0; c < weights.size(); ++c)
      p += weights[c] * std::exp(logs[c * rows + r] - most);
    const double weight = row_weights.empty() ? 1 : row_weights[r];
    sum += weight > 0 ? weight * (most + std::log(p)) : 0;
    total += weight;
  }
  return sum / total;
}

} // namespace

// Of two components the best weight can be found by trying all.
TEST(mixture_weights_of_two_are_the_best) {
  Random random(1);
  for (unsigned repeat = 0; repeat < 20; ++repeat) {
    const std::vector<double> logs = random_logs(30 + random.below(100), 2, random);
    const MixtureWeights fitted = fit(logs, 2);
    double best = kLogZero;
    for (unsigned i = 0; i <= 2000; ++i)
      best = std::max(best, mean_log_likelihood(logs, {i / 2000.0, 1 - i / 2000.0}, {}));
    CHECK(fitted.log_likelihood > best - 1e-5);
    CHECK_NEAR(fitted.log_likelihood, mean_log_likelihood(logs, fitted.weights, {}), 1e-9);
  }
}

TEST(mixture_weights_cannot_be_bettered) {
  Random random(2);
  for (const std::size_t components : {1, 5, 40}) {
    const std::vector<double> logs = random_logs(300, components, random);
    std::vector<double> row_weights(300);
    for (double &weight : row_weights)
      weight = random.below(4);
    const MixtureWeights fitted = fit(logs, components, row_weights);
    CHECK_NEAR(std::accumulate(fitted.weights.begin(), fitted.weights.end(), 0.0), 1, 1e-12);
    CHECK_NEAR(fitted.log_likelihood, mean_log_likelihood(logs, fitted.weights, row_weights), 1e-9);
    const std::vector<double> equal(components, 1.0 / static_cast<double>(components));
    CHECK(fitted.log_likelihood > mean_log_likelihood(logs, equal, row_weights) - 1e-9);
    for (unsigned i = 0; i < 100; ++i) { // a little of anything else does no good
      std::vector<double> other = fitted.weights;
      for (double &weight : other)
        weight *= 0.9;
      other[random.below(static_cast<std::uint32_t>(components))] += 0.1;
      CHECK(mean_log_likelihood(logs, other, row_weights) < fitted.log_likelihood + 1e-5);
    }
  }
}

TEST(mixture_weights_see_impossible_rows) {
  // The first component alone explains the first row, nothing the last.
  const std::vector<double> logs = {-1, -2, kLogZero, kLogZero, -1, kLogZero};
  const MixtureWeights fitted = fit(logs, 2);
  CHECK(fitted.weights[0] > 0.5 && fitted.weights[1] > 0.1);
  CHECK_EQUAL(fitted.log_likelihood, kLogZero);
  const MixtureWeights without = fit(logs, 2, {1, 1, 0});
  CHECK(std::isfinite(without.log_likelihood));
  const MixtureWeights nothing = fit({kLogZero, kLogZero}, 2);
  CHECK_EQUAL(nothing.weights[0], 0.5);
  CHECK_EQUAL(nothing.log_likelihood, kLogZero);
}

// So many rows that threads are worth it.
TEST(mixture_weights_do_not_depend_on_threads) {
  Random random(3);
  const std::vector<double> logs = random_logs(50000, 41, random);
  Host several;
  several.threads = 3;
  CHECK(fit(logs, 41).weights == fit(logs, 41, {}, several).weights);
}

TEST(mixture_weights_that_are_stopped_are_no_worse_than_equal_ones) {
  Random random(4);
  const std::vector<double> logs = random_logs(500, 10, random);
  Host host;
  host.should_stop = [] { return StopReason::interrupt; };
  const MixtureWeights fitted = fit(logs, 10, {}, host);
  CHECK(fitted.weights == std::vector<double>(10, 0.1));
  CHECK_NEAR(fitted.log_likelihood, mean_log_likelihood(logs, fitted.weights, {}), 1e-9);
}
