#include "core/treewidth/annealing/k_tree_annealing.h"

#include "core/base/invariant.h"
#include "core/base/parallel.h"
#include "core/base/random.h"
#include "core/structure/graph.h"
#include "core/treewidth/annealing/k_tree_growth.h"
#include "core/treewidth/annealing/ordered_k_tree.h"
#include "core/treewidth/within/k_tree_dp.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace optbn {

namespace {

using Clock = std::chrono::steady_clock;

// Up to this width the dynamic program within the best k-tree is fast.
constexpr unsigned kLargestPolishedWidth = 6;
constexpr double kBytesPerChain = 2e8; // of cached bags

// Steps of the first reheating cycle for each node, and the ratio of the lengths of successive
// cycles.
constexpr double kFirstCycle = 2000, kCycleGrowth = 1.5;
// The initial temperature is this quantile of the losses of sampled changes, the final temperature
// a fraction of it.
constexpr double kLossQuantile = 0.25, kCooling = 100;
constexpr unsigned kSampledChanges = 1000;
// Steps between checks of the clock and of the memory, and between calls of renumber().
constexpr unsigned kCheckInterval = 256, kRenumberInterval = 16 * kCheckInterval;

// Probability of regrowing a part: lower for more than so many nodes, as it takes time like n^2.
constexpr double kRegrow = 0.05, kRegrowNodes = 70;
// The most nodes that are regrown at a time.
constexpr double kMostRegrown = 200;
// Probabilities of the other kinds of step; the rest moves a node in the order.
constexpr double kRename = 0.2, kTransplant = 0.6;
// transplant() tries 1, 2, 4, ... bags: so many different numbers.
constexpr unsigned kTrialNumbers = 5;

class Chain {
public:
  Chain(const ParentSets &candidates, const SetTrie &sets,
        const std::vector<std::vector<Node>> &related, unsigned k, std::uint64_t seed)
      : random_(seed), candidates_(candidates), grower_(sets, k), cache_(sets, k + 1),
        related_(related) {}

  void begin(const KTreeAnnealingOptions &options, std::size_t chain) {
    began_ = Clock::now();
    iterations_ = options.iterations;
    seconds_ = options.seconds;
    set_state(chain < options.start.size() ? options.start[chain] : grower_.grow({}, random_));
    best_gain_ = state_->gain();
    state_is_best_ = true;
  }

  bool begun() const { return state_.has_value(); }

  void run(const KTreeAnnealingOptions &options, double target, Watch &watch) {
    const double scale = kRegrowNodes / state_->nodes();
    regrow_ = kRegrow * std::min(1.0, scale * scale);
    initial_temperature_ = loss_quantile();
    double length = kFirstCycle * state_->nodes();
    for (unsigned idle = 0; idle < options.patience && steps_ < iterations_;
         length *= kCycleGrowth) {
      const double before = best_gain_;
      const bool last = steps_left() < (1 + kCycleGrowth) * length;
      reheating_cycle(length, last, target, watch);
      if (best_gain_ >= target || watch.stopped() || last)
        break;
      idle = best_gain_ > before + 1e-9 ? 0 : idle + 1;
      if (idle > 0)
        restart();
    }
    record_best();
  }

  double steps() const { return steps_; }
  double best_gain() const { return best_gain_; }
  const OrderedKTree &best() const { return state_is_best_ ? *state_ : *best_; }
  struct Gain {
    Clock::time_point when;
    double gain;
  };
  const std::vector<Gain> &improvements() const { return improvements_; }

private:
  void set_state(const KTree &tree) {
    state_.emplace(cache_, related_, tree, initial_order(tree));
    state_->improve_order(random_);
    state_is_best_ = false;
  }

  void restart() {
    if (state_is_best_)
      save_best();
    set_state(grower_.grow({}, random_));
  }

  // That of the best network within the k-tree, if it is found fast; otherwise a random order.
  std::vector<Node> initial_order(const KTree &tree) {
    if (tree.k <= kLargestPolishedWidth) {
      const Network best = best_within(tree, candidates_, cache_.all());
      if (!best.empty())
        return topological_order(graph_of(candidates_, best));
    }
    std::vector<Node> order(tree.nodes);
    std::iota(order.begin(), order.end(), Node{0});
    random_.shuffle(order);
    return order;
  }

  // From the initial temperature to the final one in so many steps, or in all that are left.
  void reheating_cycle(double length, bool last, double target, Watch &watch) {
    for (double at = 0; at < length && best_gain_ < target; ++at, ++steps_) {
      if (static_cast<std::uint64_t>(at) % kCheckInterval == 0) {
        if (watch.stopped() || steps_ >= iterations_)
          return;
        if (last) // a time limit ends it by the watch
          length = at + std::min(std::max<double>(steps_left(), kCheckInterval + 1),
                                 iterations_ - steps_);
        temperature_ = initial_temperature_ * std::pow(kCooling, -at / length);
        limit_memory();
      }
      step();
    }
  }

  // Estimated from the rate so far.
  double steps_left() const {
    const double passed = std::chrono::duration<double>(Clock::now() - began_).count();
    const double rate = (steps_ + kSampledChanges) / std::max(passed, 1e-3);
    return std::min(iterations_ - steps_, std::max(0.0, seconds_ - passed) * rate);
  }

  void step() {
    if (random_.uniform() < regrow_)
      return regrow();
    const double kind = random_.uniform();
    const double before = state_->gain();
    const bool made = kind < kRename ? state_->rename(temperature_, random_)
                      : kind < kRename + kTransplant
                          ? state_->transplant(1U << random_.below(kTrialNumbers), random_)
                          : state_->reorder(temperature_, random_);
    const double after = state_->gain();
    if (!made || !accepts(after - before))
      return state_->undo();
    if (state_is_best_ && after < before) { // saves the best state; another change will follow
      state_->undo();
      return save_best();
    }
    state_->commit();
    if (after > best_gain_ + 1e-9) {
      best_gain_ = after;
      state_is_best_ = true;
    }
  }

  void regrow() {
    const KTree tree = state_->tree();
    if (tree.bags() < 2)
      return;
    KTree grown = grower_.regrow(tree, random_count(tree.bags()), random_style(), random_);
    OrderedKTree next(cache_, related_, grown, state_->order());
    next.improve_order(random_);
    if (!accepts(next.gain() - state_->gain()))
      return;
    if (state_is_best_ && next.gain() < best_gain_)
      save_best();
    state_ = std::move(next);
    if (state_->gain() > best_gain_ + 1e-9) {
      best_gain_ = state_->gain();
      state_is_best_ = true;
    }
  }

  // By the rule of Metropolis.
  bool accepts(double gain) {
    return gain >= 0 || (temperature_ > 0 && random_.uniform() < std::exp(gain / temperature_));
  }

  void save_best() {
    best_ = state_;
    state_is_best_ = false;
    record_best();
  }

  void record_best() {
    if (improvements_.empty() || best_gain_ > improvements_.back().gain)
      improvements_.push_back({Clock::now(), best_gain_});
  }

  // How many nodes to regrow.
  std::size_t random_count(std::size_t bags) {
    constexpr double kFractions[] = {0, 0.25, 0.5, 0.9};
    const double most = kFractions[random_.below(4)] * static_cast<double>(bags);
    const double bound = std::clamp<double>(most, 4, kMostRegrown);
    return std::min<std::size_t>(1 + random_.below(static_cast<std::uint32_t>(bound)), bags - 1);
  }

  KTreeGrower::Style random_style() {
    constexpr double kNoise[] = {0, 0.5, 1, 2};
    return {random_.below(2) == 0, kNoise[random_.below(4)]};
  }

  double loss_quantile() {
    std::vector<double> losses;
    const double before = state_->gain();
    for (unsigned trial = 0; trial < kSampledChanges; ++trial) {
      const bool made = trial % 2 ? state_->rename(0, random_) : state_->transplant(4, random_);
      const double loss = before - state_->gain();
      if (made && loss > 1e-9 && loss < cache_.all().penalty())
        losses.push_back(loss);
      state_->undo();
    }
    if (losses.empty())
      return 0;
    const auto quantile = losses.begin() + static_cast<std::ptrdiff_t>(
                                               kLossQuantile * static_cast<double>(losses.size()));
    std::nth_element(losses.begin(), quantile, losses.end());
    return *quantile;
  }

  void limit_memory() {
    if (steps_ > next_renumber_) {
      state_->renumber();
      next_renumber_ = steps_ + kRenumberInterval;
    }
    if (cache_.bytes() < kBytesPerChain)
      return;
    cache_.clear();
    state_->refresh();
    if (best_)
      best_->refresh();
  }

  Random random_;
  const ParentSets &candidates_;
  KTreeGrower grower_;
  BagSets cache_;
  const std::vector<std::vector<Node>> &related_;
  std::optional<OrderedKTree> state_, best_;
  double best_gain_ = 0;
  bool state_is_best_ = false; // otherwise best_ is
  double regrow_ = 0, initial_temperature_ = 0, temperature_ = 0;
  Clock::time_point began_;
  double iterations_ = 0, seconds_ = 0, steps_ = 0, next_renumber_ = 0;
  std::vector<Gain> improvements_;
};

} // namespace

KTreeAnnealingResult k_tree_annealing(const ParentSets &candidates, unsigned k,
                                      const KTreeAnnealingOptions &options, Watch &watch) {
  const SetTrie sets(candidates, k);
  const std::vector<std::vector<Node>> related = related_nodes(candidates, k);
  std::vector<Chain> chains;
  chains.reserve(options.chains);
  for (unsigned i = 0; i < options.chains; ++i)
    chains.emplace_back(candidates, sets, related, k, watch.host().seed(i));
  const double target = options.target - sets.baseline_sum();
  parallel_for(watch, chains.size(), [&](std::size_t i, unsigned) {
    if (watch.stopped())
      return;
    chains[i].begin(options, i);
    chains[i].run(options, target, watch);
  });
  if (!chains[0].begun()) // stopped beforehand
    chains[0].begin(options, 0);
  KTreeAnnealingResult result;
  const Chain *best = &chains[0];
  for (const Chain &chain : chains) {
    result.steps += chain.steps();
    if (chain.begun() && chain.best_gain() > best->best_gain())
      best = &chain;
  }
  result.tree = best->best().tree();
  result.network = k <= kLargestPolishedWidth ? best_within(result.tree, candidates, sets)
                                              : best->best().network(candidates);
  OPTBN_INVARIANT(result.network.empty() ||
                      covers(result.tree, graph_of(candidates, result.network)),
                  "the network is within its k-tree");
  for (const Chain::Gain &gain : best->improvements())
    result.improvements.push_back({gain.when, gain.gain + sets.baseline_sum()});
  return result;
}

} // namespace optbn
