#include "core/cutset/ensemble.h"

#include "core/base/parallel.h"
#include "core/base/random.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>

namespace optbn {

namespace {

// How often each row is drawn when as many are drawn, with replacement, as there are.
class Bootstrap {
public:
  explicit Bootstrap(const TrainingRows &rows) : rows_(rows.rows()) {
    ends_.resize(rows.weights().size());
    std::partial_sum(rows.weights().begin(), rows.weights().end(), ends_.begin());
    draws_ = static_cast<std::uint64_t>(rows.total());
  }

  std::vector<double> draw(Random &random) const {
    std::vector<double> times(rows_, 0.0);
    for (std::uint64_t i = 0; i < draws_; ++i)
      ++times[ends_.empty() ? random.below(static_cast<std::uint32_t>(rows_)) : weighted(random)];
    return times;
  }

private:
  std::size_t weighted(Random &random) const {
    const double at = random.uniform() * ends_.back();
    return static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end() - 1, at) -
                                    ends_.begin());
  }

  const std::size_t rows_;
  std::vector<double> ends_; // sums of the weights; empty when all rows weigh the same
  std::uint64_t draws_;
};

} // namespace

std::vector<CutsetNetwork> learn_ensemble(const TrainingRows &rows, const TrainingRows *pruning,
                                          const EnsembleSettings &settings, Watch &watch) {
  const bool pruned = settings.cutset.rule == CutRule::entropy && pruning != nullptr;
  std::vector<std::uint64_t> seeds;
  for (unsigned i = 0; i < settings.components; ++i)
    seeds.push_back(watch.host().seed(i));
  const Bootstrap bootstrap(rows);
  std::vector<std::optional<CutsetNetwork>> learned(settings.components);
  parallel_for(watch, settings.components, [&](std::size_t i, unsigned) {
    Random random(seeds[i]);
    const std::vector<double> weights =
        settings.bootstrap ? bootstrap.draw(random) : std::vector<double>();
    CutsetNetwork network = learn_cutset(rows, weights, settings.cutset, nullptr, random, watch);
    if (pruned && !watch.stopped())
      network = prune(network, rows, weights, settings.cutset.smoothing, *pruning, watch);
    if (watch.stopped()) // what was learned may be cut short
      return;
    learned[i] = std::move(network);
  });
  std::vector<CutsetNetwork> components;
  for (std::optional<CutsetNetwork> &network : learned)
    if (network)
      components.push_back(std::move(*network));
  return components;
}

} // namespace optbn
