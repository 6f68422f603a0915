#include "core/density/learn/ensemble.h"

#include "core/base/parallel.h"
#include "core/base/random.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>

namespace optbn {

namespace {

constexpr std::uint64_t kDrawsAtOnce = 1u << 16; // these take about a millisecond

// How often each row is drawn when as many are drawn, with replacement, as there are.
class Bootstrap {
public:
  explicit Bootstrap(const TrainingRows &rows) : rows_(rows.rows()) {
    ends_.resize(rows.weights().size());
    std::partial_sum(rows.weights().begin(), rows.weights().end(), ends_.begin());
    draws_ = static_cast<std::uint64_t>(std::llround(rows.total())); // of completions: rounded sums
  }

  // Weights may add up to billions of draws. Throws Interrupted or TimeLimitReached.
  std::vector<double> draw(Random &random, Watch &watch) const {
    std::vector<double> times(rows_, 0.0);
    for (std::uint64_t i = 0; i < draws_; ++i) {
      if (i % kDrawsAtOnce == 0)
        throw_if_stopped(watch);
      ++times[ends_.empty() ? random.below(static_cast<std::uint32_t>(rows_)) : weighted(random)];
    }
    return times;
  }

private:
  std::size_t weighted(Random &random) const {
    const double at = random.uniform() * ends_.back();
    return static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end() - 1, at) -
                                    ends_.begin());
  }

  const std::size_t rows_;
  std::vector<double> ends_; // cumulated weights; empty when all weights are 1
  std::uint64_t draws_;
};

std::vector<std::uint64_t> seeds_of(const Host &host, unsigned components) {
  std::vector<std::uint64_t> seeds;
  for (unsigned i = 0; i < components; ++i)
    seeds.push_back(host.seed(i));
  return seeds;
}

std::vector<CutsetNetwork> finished(std::vector<std::optional<CutsetNetwork>> learned) {
  std::vector<CutsetNetwork> components;
  for (std::optional<CutsetNetwork> &network : learned)
    if (network)
      components.push_back(std::move(*network));
  return components;
}

} // namespace

std::vector<CutsetNetwork> learn_ensemble(const TrainingRows &rows, const TrainingRows *pruning,
                                          const EnsembleSettings &settings, Watch &watch) {
  const bool pruned = settings.cutset.rule == CutRule::entropy && pruning != nullptr;
  const std::vector<std::uint64_t> seeds = seeds_of(watch.host(), settings.components);
  const Bootstrap bootstrap(rows);
  std::vector<std::optional<CutsetNetwork>> learned(settings.components);
  const auto learn = [&](std::size_t i, const Training &training, Random &random) {
    CutsetNetwork network =
        learn_cutset(training, settings.cutset, nullptr, random, watch, WhenStopped::abandon);
    if (pruned)
      network = prune(network, training, *pruning, watch);
    if (!watch.stopped()) // otherwise pruning may be incomplete
      learned[i] = std::move(network);
  };
  try {
    std::optional<Training> shared;
    if (!settings.bootstrap)
      shared.emplace(rows, std::vector<double>(), settings.cutset.smoothing, watch);
    parallel_for(watch, settings.components, [&](std::size_t i, unsigned) {
      Random random(seeds[i]);
      if (shared)
        return learn(i, *shared, random);
      const std::vector<double> weights = bootstrap.draw(random, watch);
      learn(i, Training(rows, weights, settings.cutset.smoothing, watch), random);
    });
  } catch (const Interrupted &) { // components that are finished are kept
  } catch (const TimeLimitReached &) {
  }
  return finished(std::move(learned));
}

} // namespace optbn
