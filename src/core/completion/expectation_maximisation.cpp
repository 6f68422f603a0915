#include "core/completion/expectation_maximisation.h"

#include <cmath>
#include <limits>

namespace optbn {

namespace {

constexpr std::size_t kGroupsPerPoll = 64;

// What does not change with the parameters, which are those of the network at each time.
class Expectation {
public:
  Expectation(const Dataset &data, const MixedNetwork &network)
      : data_(data), network_(network), known_(network),
        finder_(network, IslandFinder::Barren::left_out),
        groups_(group_islands(data, network, finder_)), posterior_(network, data) {
    known_.add_known(data, network);
  }

  // The log-likelihood of what is known; the statistics are those expected.
  double take(FamilyStatistics &statistics, Watch &watch) {
    statistics = known_;
    double log_likelihood = known_.expected_log_density(network_);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (g % kGroupsPerPoll == 0)
        throw_if_stopped(watch);
      const IslandRows &group = groups_[g];
      posterior_.prepare(finder_.island(group.island), group.rows[0]);
      for (std::size_t i = 0; i < group.rows.size(); ++i) {
        const double log_density = posterior_.solve(group.rows[i]);
        log_likelihood += group.weights[i] * log_density;
        if (log_density > -std::numeric_limits<double>::infinity())
          statistics.add(posterior_, data_, network_, group.rows[i], group.weights[i]);
      }
    }
    return log_likelihood;
  }

private:
  const Dataset &data_;
  const MixedNetwork &network_;
  FamilyStatistics known_;
  IslandFinder finder_;
  const std::vector<IslandRows> groups_;
  IslandPosterior posterior_;
};

} // namespace

EmResult expectation_maximisation(const Dataset &data, const MixedNetwork &network,
                                  const Estimation &how, const Convergence &convergence,
                                  Watch &watch) {
  EmResult result{network, FamilyStatistics(network), {}, {}, false};
  Expectation expectation(data, result.network);
  const double enough = convergence.tolerance * static_cast<double>(data.total);
  for (unsigned iteration = 0;; ++iteration) {
    result.log_likelihood.push_back(expectation.take(result.statistics, watch));
    result.objective.push_back(result.log_likelihood.back() + log_prior(result.network, how));
    const std::size_t n = result.objective.size();
    result.converged = n > 1 && result.objective[n - 1] - result.objective[n - 2] <= enough;
    if (result.converged || iteration == convergence.most)
      return result;
    maximise(result.statistics, how, result.network);
    watch.advance(1);
  }
}

} // namespace optbn
