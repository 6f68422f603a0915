#include "core/treewidth/annealing/k_tree_annealing.h"

#include "core/base/invariant.h"
#include "core/base/parallel.h"
#include "core/structure/anytime.h"
#include "core/structure/graph.h"
#include "core/treewidth/annealing/k_tree_annealer.h"
#include "core/treewidth/within/k_tree_dp.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>

namespace optbn {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kContestants = 8; // a power of two
// Steps of the first run in the first tournament, for each node; and the fewest for which more than
// one contestant is worth while.
constexpr double kFirstSteps = 100, kLeastSteps = 30;
// From one tournament to the next, and from one round to the next.
constexpr double kStepsGrowth = 2, kRoundGrowth = 2;
// The last tournament is the one after which less time would be left than it takes itself, and half
// of that again.
constexpr double kLast = 2.5;
// The final temperature is a fraction of the first one.
constexpr double kCooling = 100;

unsigned rounds(std::size_t contestants) {
  unsigned count = 1;
  for (; contestants > 1; contestants /= 2)
    ++count;
  return count;
}

// All rounds have the same number of steps.
double steps_of(std::size_t contestants, double steps_of_run) {
  return static_cast<double>(contestants) * rounds(contestants) * steps_of_run;
}

class Tournaments {
public:
  Tournaments(const ParentSets &candidates, unsigned k, const KTreeAnnealingOptions &options,
              Watch &watch)
      : candidates_(candidates), k_(k), options_(options), watch_(watch), sets_(candidates, k),
        related_(related_nodes(candidates, k)), target_(options.target - sets_.baseline_sum()),
        random_(watch.host().seed(kContestants)) {
    for (unsigned i = 0; i < std::max(1u, watch.host().threads); ++i)
      annealers_.push_back(std::make_unique<KTreeAnnealer>(candidates, sets_, related_, k));
    for (std::size_t i = 0; i < kContestants; ++i)
      streams_.emplace_back(watch.host().seed(i));
  }

  KTreeAnnealingResult run() {
    begin();
    double steps_of_run = kFirstSteps * candidates_.size();
    for (unsigned idle = 0; idle < patience() && !over(); steps_of_run *= kStepsGrowth) {
      const double before = champion_->gain();
      play(steps_of_run);
      idle = champion_->gain() > before + 1e-9 ? 0 : idle + 1;
    }
    return result();
  }

private:
  struct Contestant {
    Random *random;
    std::optional<OrderedKTree> state; // none before the first round
    double gain() const { return state ? state->gain() : -std::numeric_limits<double>::infinity(); }
  };

  // Finds the first champion, the temperature of first rounds, and how fast steps are.
  void begin() {
    KTreeAnnealer &annealer = *annealers_.front();
    began_ = Clock::now();
    champion_ = options_.start.bags() > 0 ? annealer.ordered(options_.start, random_)
                                          : annealer.grown(random_);
    improvements_.push_back({Clock::now(), champion_->gain()});
    if (over())
      return;
    OrderedKTree sample = annealer.grown(random_);
    const double before = seconds();
    temperature_ = annealer.typical_loss(std::move(sample), random_);
    first_rate_ = KTreeAnnealer::kSampledChanges / std::max(seconds() - before, 1e-6);
  }

  void play(double steps_of_run) {
    const double left = steps_left();
    const bool last = left < kLast * steps_of(kContestants, steps_of_run);
    std::size_t contestants = kContestants;
    while (last && contestants > 1 &&
           left < steps_of(contestants, kLeastSteps * candidates_.size()))
      contestants /= 2;
    std::vector<Contestant> field(contestants);
    for (std::size_t i = 0; i < contestants; ++i)
      field[i].random = &streams_[i];
    const bool first = steps_ == 0;
    if (first)
      field.front().state = champion_;
    double temperature = temperature_;
    for (unsigned left_over = rounds(contestants); !over(); temperature /= kRoundGrowth) {
      if (last)
        steps_of_run = std::ceil(steps_left() / (left_over * static_cast<double>(field.size())));
      play_round(field, temperature, steps_of_run);
      if (--left_over == 0)
        return;
      keep_better_half(field);
      if (!first && left_over + 1 == rounds(contestants))
        field.back().state = champion_;
      steps_of_run *= kRoundGrowth;
    }
  }

  // The first contestant that reaches the target makes those after it superfluous, so that the
  // result does not depend on which of them were run.
  void play_round(std::vector<Contestant> &field, double temperature, double steps_of_run) {
    const KTreeAnnealer::Schedule schedule{
        temperature, std::min(temperature, temperature_ / kCooling), steps_of_run, target_};
    const double known = champion_->gain();
    std::vector<double> steps(field.size(), 0);
    std::vector<std::vector<Improvement>> improvements(field.size());
    std::atomic<std::size_t> winner = field.size();
    parallel_for(watch_, field.size(), [&](std::size_t i, unsigned worker) {
      const auto stopped = [&] { return watch_.stopped() || winner < i; };
      if (stopped())
        return;
      KTreeAnnealer &annealer = *annealers_[worker];
      Contestant &contestant = field[i];
      if (!contestant.state)
        contestant.state = annealer.grown(*contestant.random);
      KTreeAnnealer::Run run = annealer.run(std::move(*contestant.state), schedule, known, stopped,
                                            *contestant.random, improvements[i]);
      contestant.state = std::move(run.best);
      steps[i] = run.steps;
      std::size_t best = winner;
      while (contestant.gain() >= target_ && i < best && !winner.compare_exchange_weak(best, i)) {
      }
    });
    for (std::size_t i = 0; i < field.size() && i <= winner; ++i) {
      steps_ += steps[i];
      improvements_.insert(improvements_.end(), improvements[i].begin(), improvements[i].end());
      if (field[i].gain() > champion_->gain())
        champion_ = field[i].state;
    }
  }

  static void keep_better_half(std::vector<Contestant> &field) {
    std::stable_sort(field.begin(), field.end(),
                     [](const Contestant &a, const Contestant &b) { return a.gain() > b.gain(); });
    field.resize(std::max<std::size_t>(1, field.size() / 2));
  }

  unsigned patience() const {
    return std::isinf(options_.seconds) ? options_.patience : std::numeric_limits<unsigned>::max();
  }

  bool over() {
    return champion_->gain() >= target_ || watch_.stopped() || steps_ >= options_.iterations ||
           seconds() >= options_.seconds;
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

  // Estimated from the rate so far.
  double steps_left() const {
    const double passed = seconds();
    const double rate = steps_ > 0 ? steps_ / std::max(passed, 1e-3) : first_rate_;
    return std::min(options_.iterations - steps_, std::max(0.0, options_.seconds - passed) * rate);
  }

  KTreeAnnealingResult result() const {
    KTreeAnnealingResult result;
    result.steps = steps_;
    result.tree = champion_->tree();
    result.network = k_ <= kLargestPolishedWidth ? best_within(result.tree, candidates_, sets_)
                                                 : champion_->network(candidates_);
    OPTBN_INVARIANT(result.network.empty() ||
                        covers(result.tree, graph_of(candidates_, result.network)),
                    "the network is within its k-tree");
    result.improvements = in_order(improvements_);
    for (Improvement &improvement : result.improvements)
      improvement.score += sets_.baseline_sum();
    return result;
  }

  const ParentSets &candidates_;
  const unsigned k_;
  const KTreeAnnealingOptions &options_;
  Watch &watch_;
  const SetTrie sets_;
  const std::vector<std::vector<Node>> related_;
  const double target_; // as a gain
  Random random_;
  std::vector<Random> streams_;                           // by contestant
  std::vector<std::unique_ptr<KTreeAnnealer>> annealers_; // by worker
  std::optional<OrderedKTree> champion_;
  double temperature_ = 0, first_rate_ = 0;
  Clock::time_point began_;
  double steps_ = 0;
  std::vector<Improvement> improvements_;
};

} // namespace

KTreeAnnealingResult k_tree_annealing(const ParentSets &candidates, unsigned k,
                                      const KTreeAnnealingOptions &options, Watch &watch) {
  return Tournaments(candidates, k, options, watch).run();
}

} // namespace optbn
