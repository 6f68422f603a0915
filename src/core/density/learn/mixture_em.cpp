#include "core/density/learn/mixture_em.h"

#include "core/base/invariant.h"
#include "core/base/log_sum.h"
#include "core/base/parallel.h"
#include "core/base/random.h"
#include "core/density/density_queries.h"
#include "core/density/learn/chow_liu.h"
#include "core/density/learn/expected_counts.h"
#include "core/density/learn/row_completions.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace optbn {

namespace {

// Turns log densities, component by component, into responsibilities, the posteriors of the
// components, and returns the mean log-likelihood. A row that is impossible in all components is
// divided among them by the weights.
double compute_responsibilities(std::vector<double> &logs, const std::vector<double> &weights,
                                const TrainingRows &rows, Watch &watch) {
  constexpr std::size_t kRowsATime = 1024;
  const std::size_t n = rows.rows(), strips = (n + kRowsATime - 1) / kRowsATime;
  std::vector<double> sums(strips, 0.0);
  parallel_for(watch, strips, [&](std::size_t strip, unsigned) {
    for (std::size_t r = strip * kRowsATime; r < std::min(n, (strip + 1) * kRowsATime); ++r) {
      double most = kLogZero, sum = 0;
      for (std::size_t c = 0; c < weights.size(); ++c)
        if (weights[c] > 0)
          most = std::max(most, logs[c * n + r]);
      for (std::size_t c = 0; c < weights.size(); ++c) {
        double &responsibility = logs[c * n + r];
        responsibility = most > kLogZero && weights[c] > 0
                             ? weights[c] * std::exp(responsibility - most)
                             : weights[c] * (most == kLogZero);
        sum += responsibility;
      }
      for (std::size_t c = 0; c < weights.size(); ++c)
        logs[c * n + r] /= sum;
      if (rows.weight(r) > 0)
        sums[strip] += rows.weight(r) * (most + std::log(sum));
    }
  });
  double total = 0;
  for (const double sum : sums)
    total += sum;
  return total / rows.total();
}

double mean_log_likelihood(const DensityMixture &mixture, const TrainingRows &rows, Watch &watch) {
  const std::vector<double> logs = log_densities(mixture, rows.cells(), watch);
  double sum = 0;
  for (std::size_t r = 0; r < rows.rows(); ++r)
    if (rows.weight(r) > 0)
      sum += rows.weight(r) * logs[r];
  return sum / rows.total();
}

// Random responsibilities of each row.
std::vector<double> random_responsibilities(std::size_t rows, std::size_t components, bool hard,
                                            Random &random) {
  std::vector<double> responsibilities(rows * components, 0.0);
  for (std::size_t r = 0; r < rows; ++r) {
    if (hard) {
      responsibilities[random.below(static_cast<std::uint32_t>(components)) * rows + r] = 1;
      continue;
    }
    double sum = 0;
    for (std::size_t c = 0; c < components; ++c)
      sum += responsibilities[c * rows + r] = -std::log(1 - random.uniform());
    for (std::size_t c = 0; c < components; ++c)
      responsibilities[c * rows + r] /= sum;
  }
  return responsibilities;
}

// The host of a task of parallel_for(), which stays on its thread.
Host host_of_task(Watch &watch) {
  Host host = nested_host(watch);
  host.threads = 1;
  return host;
}

// Expectation-maximisation from one start.
class MixtureEm {
public:
  MixtureEm(const TrainingRows &rows, const TrainingRows *validation,
            const MixtureSettings &settings, Random &random, unsigned steps_before, Watch &watch)
      : rows_(rows), validation_(validation), settings_(settings), random_(random),
        steps_before_(steps_before), watch_(watch), progress_(settings.steps) {}

  void run_from_responsibilities(std::vector<double> responsibilities) {
    const std::size_t components = responsibilities.size() / rows_.rows();
    DensityMixture mixture{rows_.levels(), std::vector<double>(components),
                           std::vector<CutsetNetwork>(components)};
    maximise(mixture, responsibilities);
    run_from_mixture(std::move(mixture));
  }

  void run_from_mixture(DensityMixture mixture) {
    for (;;) {
      std::vector<double> responsibilities = expect(mixture);
      watch_.restart(static_cast<double>(settings_.starts) * settings_.steps.most);
      watch_.advance(steps_before_ + progress_.done());
      if (progress_.finished())
        return;
      maximise(mixture, responsibilities);
    }
  }

  const EmProgress &progress() const { return progress_; }
  LearnedMixture &learned() { return learned_; }

private:
  // The responsibilities; records the likelihood of the mixture.
  std::vector<double> expect(const DensityMixture &mixture) {
    const Watch::PausedProgress paused(watch_);
    std::vector<double> responsibilities = component_log_densities(mixture, rows_.cells(), watch_);
    const double training =
        compute_responsibilities(responsibilities, mixture.weights, rows_, watch_);
    throw_if_stopped(watch_);
    double value = training;
    if (validation_ != nullptr) {
      value = mean_log_likelihood(mixture, *validation_, watch_);
      learned_.validation.push_back(value);
    }
    learned_.training.push_back(training);
    if (progress_.add_step(value))
      learned_.mixture = mixture;
    learned_.best_step = progress_.best_step();
    return responsibilities;
  }

  // Learns weights and components from the rows, weighted by the responsibilities.
  void maximise(DensityMixture &mixture, std::vector<double> &responsibilities) {
    const std::size_t n = rows_.rows(), components = mixture.components.size();
    std::vector<std::uint64_t> seeds(components);
    for (std::uint64_t &seed : seeds)
      seed = random_.next();
    const Watch::PausedProgress paused(watch_);
    parallel_for(watch_, components, [&](std::size_t c, unsigned) {
      std::vector<double> weights(responsibilities.begin() + static_cast<std::ptrdiff_t>(c * n),
                                  responsibilities.begin() +
                                      static_cast<std::ptrdiff_t>((c + 1) * n));
      double sum = 0;
      for (std::size_t r = 0; r < n; ++r)
        sum += weights[r] *= rows_.weight(r);
      mixture.weights[c] = sum / rows_.total();
      mixture.components[c] = rows_.holes() ? component(mixture.components[c], weights, seeds[c])
                                            : component(weights, seeds[c]);
    });
    throw_if_stopped(watch_);
    OPTBN_INVARIANT(
        about_equal(std::accumulate(mixture.weights.begin(), mixture.weights.end(), 0.0), 1),
        "the weights of a mixture sum to 1");
  }

  CutsetNetwork component(const std::vector<double> &weights, std::uint64_t seed) {
    if (!settings_.cuts)
      return uncut(learn_chow_liu(rows_, weights, settings_.cutset.smoothing, watch_));
    Random random(seed);
    return learn_cutset(rows_, weights, settings_.cutset, nullptr, random, watch_);
  }

  // The same from rows with missing levels, whose posteriors are those of the component `before`; at
  // first it has no nodes, and the available cases take its place.
  CutsetNetwork component(const CutsetNetwork &before, const std::vector<double> &weights,
                          std::uint64_t seed) {
    const Host host = host_of_task(watch_);
    Watch watch(host);
    const auto tree_of = [&](const PairCounts &counts) {
      return uncut(tree_of_counts(counts, rows_.items(), settings_.cutset.smoothing, watch));
    };
    const bool first = before.nodes.empty();
    if (!settings_.cuts && !first)
      return tree_of(expected_counts(before.leaves[0], rows_, weights, watch).counts);
    const CutsetNetwork start = first ? tree_of(available_counts(rows_, weights, watch)) : before;
    if (!settings_.cuts)
      return start;
    Random random(seed);
    const TrainingRows whole =
        completions(rows_, weights, {rows_.levels(), {1.0}, {start}}, kCompletions, random, watch);
    return learn_cutset(whole, {}, settings_.cutset, nullptr, random, watch);
  }

  const TrainingRows &rows_;
  const TrainingRows *const validation_;
  const MixtureSettings &settings_;
  Random &random_;
  const unsigned steps_before_;
  Watch &watch_;
  EmProgress progress_;
  LearnedMixture learned_;
};

// Runs start(em, random) for all starts; returns the best, or the best of those with a result
// before the watch stopped.
template <class Start>
LearnedMixture best_of_starts(const TrainingRows &rows, const TrainingRows *validation,
                              const MixtureSettings &settings, unsigned starts, Watch &watch,
                              Start start) {
  LearnedMixture best;
  double value = kLogZero;
  for (unsigned i = 0; i < starts; ++i) {
    Random random(watch.host().seed(i));
    MixtureEm em(rows, validation, settings, random, i * settings.steps.most, watch);
    try {
      start(em, random);
    } catch (const Interrupted &) {
      if (em.progress().done() == 0 && best.mixture.components.empty())
        throw;
    } catch (const TimeLimitReached &) {
      if (em.progress().done() == 0 && best.mixture.components.empty())
        throw;
    }
    if (em.progress().done() > 0 &&
        (best.mixture.components.empty() || em.progress().best() > value)) {
      value = em.progress().best();
      best = std::move(em.learned());
    }
    if (watch.stopped())
      break;
  }
  return best;
}

} // namespace

LearnedMixture learn_mixture(const TrainingRows &rows, const TrainingRows *validation,
                             const MixtureSettings &settings, const DensityMixture *start,
                             Watch &watch) {
  return best_of_starts(rows, validation, settings, start != nullptr ? 1 : settings.starts, watch,
                        [&](MixtureEm &em, Random &random) {
                          if (start != nullptr)
                            em.run_from_mixture(*start);
                          else
                            em.run_from_responsibilities(random_responsibilities(
                                rows.rows(), settings.components, settings.hard, random));
                        });
}

LearnedMixture learn_mixture(const TrainingRows &rows, const TrainingRows *validation,
                             const MixtureSettings &settings,
                             const std::vector<double> &responsibilities, Watch &watch) {
  return best_of_starts(rows, validation, settings, 1, watch, [&](MixtureEm &em, Random &) {
    em.run_from_responsibilities(responsibilities);
  });
}

} // namespace optbn
