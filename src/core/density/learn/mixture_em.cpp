#include "core/density/learn/mixture_em.h"

#include "core/base/invariant.h"
#include "core/base/log_sum.h"
#include "core/base/parallel.h"
#include "core/base/random.h"
#include "core/density/density_queries.h"
#include "core/density/learn/chow_liu.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace optbn {

namespace {

// Makes log densities, component by component, into posteriors of the components, and returns the
// mean log-likelihood. A row that no component admits is divided among them by the weights.
double make_posteriors(std::vector<double> &logs, const std::vector<double> &weights,
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
        double &share = logs[c * n + r];
        share = most > kLogZero && weights[c] > 0 ? weights[c] * std::exp(share - most)
                                                  : weights[c] * (most == kLogZero);
        sum += share;
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

// At random, by row.
std::vector<double> random_shares(std::size_t rows, std::size_t components, bool hard,
                                  Random &random) {
  std::vector<double> shares(rows * components, 0.0);
  for (std::size_t r = 0; r < rows; ++r) {
    if (hard) {
      shares[random.below(static_cast<std::uint32_t>(components)) * rows + r] = 1;
      continue;
    }
    double sum = 0;
    for (std::size_t c = 0; c < components; ++c)
      sum += shares[c * rows + r] = -std::log(1 - random.uniform());
    for (std::size_t c = 0; c < components; ++c)
      shares[c * rows + r] /= sum;
  }
  return shares;
}

// One climb, from where it starts to where it ends.
class MixtureClimb {
public:
  MixtureClimb(const TrainingRows &rows, const TrainingRows *validation,
               const MixtureSettings &settings, Random &random, unsigned steps_before, Watch &watch)
      : rows_(rows), validation_(validation), settings_(settings), random_(random),
        steps_before_(steps_before), watch_(watch), judge_(settings.steps) {}

  void from_shares(std::vector<double> shares) {
    const std::size_t components = shares.size() / rows_.rows();
    DensityMixture mixture{rows_.levels(), std::vector<double>(components),
                           std::vector<CutsetNetwork>(components)};
    maximise(mixture, shares);
    from_mixture(std::move(mixture));
  }

  void from_mixture(DensityMixture mixture) {
    for (;;) {
      std::vector<double> shares = expect(mixture);
      watch_.restart(static_cast<double>(settings_.starts) * settings_.steps.most);
      watch_.advance(steps_before_ + judge_.done());
      if (judge_.finished())
        return;
      maximise(mixture, shares);
    }
  }

  const StepWatch &judge() const { return judge_; }
  LearnedMixture &learned() { return learned_; }

private:
  // The posteriors of the components, by row; and notes how good the mixture is.
  std::vector<double> expect(const DensityMixture &mixture) {
    const Watch::PausedProgress paused(watch_);
    std::vector<double> shares = component_log_densities(mixture, rows_.cells(), watch_);
    const double training = make_posteriors(shares, mixture.weights, rows_, watch_);
    throw_if_stopped(watch_);
    double value = training;
    if (validation_ != nullptr) {
      value = mean_log_likelihood(mixture, *validation_, watch_);
      learned_.validation.push_back(value);
    }
    learned_.training.push_back(training);
    if (judge_.offer(value))
      learned_.mixture = mixture;
    learned_.best_step = judge_.best_step();
    return shares;
  }

  // Weights and components from the rows, each of which belongs to a component by its share.
  void maximise(DensityMixture &mixture, std::vector<double> &shares) {
    const std::size_t n = rows_.rows(), components = mixture.components.size();
    std::vector<std::uint64_t> seeds(components);
    for (std::uint64_t &seed : seeds)
      seed = random_.next();
    const Watch::PausedProgress paused(watch_);
    parallel_for(watch_, components, [&](std::size_t c, unsigned) {
      std::vector<double> weights(shares.begin() + static_cast<std::ptrdiff_t>(c * n),
                                  shares.begin() + static_cast<std::ptrdiff_t>((c + 1) * n));
      double sum = 0;
      for (std::size_t r = 0; r < n; ++r)
        sum += weights[r] *= rows_.weight(r);
      mixture.weights[c] = sum / rows_.total();
      mixture.components[c] = component(weights, seeds[c]);
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

  const TrainingRows &rows_;
  const TrainingRows *const validation_;
  const MixtureSettings &settings_;
  Random &random_;
  const unsigned steps_before_;
  Watch &watch_;
  StepWatch judge_;
  LearnedMixture learned_;
};

// climb(run, start) for all starts; the best of them, or of those that came to something before the
// watch stopped.
template <class Start>
LearnedMixture best_of(const TrainingRows &rows, const TrainingRows *validation,
                       const MixtureSettings &settings, unsigned starts, Watch &watch,
                       Start start) {
  LearnedMixture best;
  double value = kLogZero;
  for (unsigned i = 0; i < starts; ++i) {
    Random random(watch.host().seed(i));
    MixtureClimb climb(rows, validation, settings, random, i * settings.steps.most, watch);
    try {
      start(climb, random);
    } catch (const Interrupted &) {
      if (climb.judge().done() == 0 && best.mixture.components.empty())
        throw;
    } catch (const TimeLimitReached &) {
      if (climb.judge().done() == 0 && best.mixture.components.empty())
        throw;
    }
    if (climb.judge().done() > 0 &&
        (best.mixture.components.empty() || climb.judge().best() > value)) {
      value = climb.judge().best();
      best = std::move(climb.learned());
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
  return best_of(rows, validation, settings, start != nullptr ? 1 : settings.starts, watch,
                 [&](MixtureClimb &climb, Random &random) {
                   if (start != nullptr)
                     climb.from_mixture(*start);
                   else
                     climb.from_shares(
                         random_shares(rows.rows(), settings.components, settings.hard, random));
                 });
}

LearnedMixture learn_mixture(const TrainingRows &rows, const TrainingRows *validation,
                             const MixtureSettings &settings,
                             const std::vector<double> &responsibilities, Watch &watch) {
  return best_of(rows, validation, settings, 1, watch,
                 [&](MixtureClimb &climb, Random &) { climb.from_shares(responsibilities); });
}

} // namespace optbn
