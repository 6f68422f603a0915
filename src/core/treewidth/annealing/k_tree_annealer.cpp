#include "core/treewidth/annealing/k_tree_annealer.h"

#include "core/structure/graph.h"
#include "core/treewidth/within/k_tree_dp.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace optbn {

namespace {

constexpr double kMostBytes = 2e8; // of cached bags

// The temperature's unit is this quantile of the losses of sampled changes.
constexpr double kLossQuantile = 0.25;
// Steps between checks of the clock and of the memory, and between calls of renumber().
constexpr unsigned kCheckInterval = 256, kRenumberInterval = 16 * kCheckInterval;

// Regrowing takes time like n^2: for more than so many nodes it is done less often, and fewer
// k-trees are grown to begin with.
constexpr double kRegrow = 0.05, kGrown = 20, kRegrowNodes = 70;
// The most nodes that are regrown at a time.
constexpr double kMostRegrown = 200;
// Probabilities of the other kinds of step; the rest moves a node in the order.
constexpr double kRename = 0.18, kTransplant = 0.64;
// Of transplanting more than one node, and how many then at most.
constexpr double kSeveral = 0.15;
constexpr unsigned kMostSeveral = 6;
// transplant() tries 1, 2, 4, ... bags: so many different numbers.
constexpr unsigned kTrialNumbers = 5;

double share_of_large(Node nodes) {
  const double scale = kRegrowNodes / nodes;
  return std::min(1.0, scale * scale);
}

std::vector<Node> random_order(Node nodes, Random &random) {
  std::vector<Node> order(nodes);
  std::iota(order.begin(), order.end(), Node{0});
  random.shuffle(order);
  return order;
}

// How many nodes to regrow.
std::size_t random_count(std::size_t bags, Random &random) {
  constexpr double kFractions[] = {0, 0.25, 0.5, 0.9};
  const double most = kFractions[random.below(4)] * static_cast<double>(bags);
  const double bound = std::clamp<double>(most, 4, kMostRegrown);
  return std::min<std::size_t>(1 + random.below(static_cast<std::uint32_t>(bound)), bags - 1);
}

double random_noise(Random &random) {
  constexpr double kNoise[] = {0, 0.5, 1, 2};
  return kNoise[random.below(4)];
}

unsigned random_trials(Random &random) { return 1U << random.below(kTrialNumbers); }

} // namespace

KTreeAnnealer::KTreeAnnealer(const ParentSets &candidates, const SetTrie &sets,
                             const std::vector<std::vector<Node>> &related, unsigned k)
    : candidates_(candidates), related_(related), grower_(sets, k), cache_(sets, k + 1),
      regrow_(kRegrow * share_of_large(candidates.size())) {}

OrderedKTree KTreeAnnealer::ordered(const KTree &tree, Random &random) {
  OrderedKTree state(cache_, related_, tree, initial_order(tree, random));
  state.improve_order(random);
  return state;
}

std::vector<Node> KTreeAnnealer::initial_order(const KTree &tree, Random &random) {
  if (tree.k <= kLargestPolishedWidth) {
    const Network best = best_within(tree, candidates_, cache_.all());
    if (!best.empty())
      return topological_order(graph_of(candidates_, best));
  }
  return random_order(tree.nodes, random);
}

OrderedKTree KTreeAnnealer::grown(Random &random) {
  constexpr double kLittleNoise = 0.3;
  std::optional<OrderedKTree> best;
  const double count = std::max(1.0, kGrown * share_of_large(candidates_.size()));
  for (double i = 0; i < count; ++i) {
    const KTree tree = grower_.grow(random.below(2) * kLittleNoise, random);
    OrderedKTree state(cache_, related_, tree, random_order(tree.nodes, random));
    state.improve_order(random);
    if (!best || state.gain() > best->gain())
      best = std::move(state);
  }
  return std::move(*best);
}

double KTreeAnnealer::typical_loss(OrderedKTree state, Random &random) {
  std::vector<double> losses;
  const double before = state.gain();
  for (unsigned trial = 0; trial < kSampledChanges; ++trial) {
    const bool made = trial % 2 ? state.rename(0, random) : state.transplant(1, 4, 0, random);
    const double loss = before - state.gain();
    if (made && loss > 1e-9 && loss < cache_.all().penalty())
      losses.push_back(loss);
    state.undo();
  }
  if (losses.empty())
    return 0;
  const auto quantile = losses.begin() + static_cast<std::ptrdiff_t>(
                                             kLossQuantile * static_cast<double>(losses.size()));
  std::nth_element(losses.begin(), quantile, losses.end());
  return *quantile;
}

KTreeAnnealer::Run KTreeAnnealer::run(OrderedKTree start, const Schedule &schedule, double known,
                                      const std::function<bool()> &stopped, Random &random,
                                      std::vector<Improvement> &improvements) {
  state_ = std::move(start);
  state_->refresh(cache_);
  best_.reset();
  best_gain_ = state_->gain();
  double steps = 0;
  for (; steps < schedule.steps && best_gain_ < schedule.target; ++steps) {
    const auto whole = static_cast<std::uint64_t>(steps);
    if (whole % kCheckInterval == 0) {
      if (stopped())
        break;
      if (best_gain_ > known) {
        known = best_gain_;
        improvements.push_back({std::chrono::steady_clock::now(), known});
      }
      temperature_ = schedule.from > 0 ? schedule.from * std::pow(schedule.to / schedule.from,
                                                                  steps / schedule.steps)
                                       : 0;
      if (whole % kRenumberInterval == 0)
        state_->renumber();
      limit_memory();
    }
    step(random);
  }
  if (best_gain_ > known)
    improvements.push_back({std::chrono::steady_clock::now(), best_gain_});
  return {best_ ? std::move(*best_) : std::move(*state_), steps};
}

void KTreeAnnealer::step(Random &random) {
  if (random.uniform() < regrow_)
    return regrow(random);
  const double before = state_->gain();
  const bool made = change(random);
  const double after = state_->gain();
  if (!made || !accepts(after - before, random))
    return state_->undo();
  if (!best_ && after < before) { // saves the best state; another change will follow
    state_->undo();
    return save_best();
  }
  state_->commit();
  update_best();
}

bool KTreeAnnealer::change(Random &random) {
  const double kind = random.uniform();
  if (kind < kRename)
    return state_->rename(temperature_, random);
  if (kind >= kRename + kTransplant)
    return state_->reorder(temperature_, random);
  const unsigned count = random.uniform() < kSeveral ? 2 + random.below(kMostSeveral - 1) : 1;
  return state_->transplant(count, random_trials(random), temperature_, random);
}

void KTreeAnnealer::regrow(Random &random) {
  const KTree tree = state_->tree();
  if (tree.bags() < 2)
    return;
  const KTree grown =
      grower_.regrow(tree, random_count(tree.bags(), random), random_noise(random), random);
  OrderedKTree next(cache_, related_, grown, state_->order());
  next.improve_order(random);
  if (!accepts(next.gain() - state_->gain(), random))
    return;
  if (!best_ && next.gain() < best_gain_)
    save_best();
  state_ = std::move(next);
  update_best();
}

// By the rule of Metropolis.
bool KTreeAnnealer::accepts(double gain, Random &random) const {
  return gain >= 0 || (temperature_ > 0 && random.uniform() < std::exp(gain / temperature_));
}

void KTreeAnnealer::update_best() {
  if (state_->gain() <= best_gain_ + 1e-9)
    return;
  best_gain_ = state_->gain();
  best_.reset();
}

void KTreeAnnealer::save_best() { best_ = state_; }

void KTreeAnnealer::limit_memory() {
  if (cache_.bytes() < kMostBytes)
    return;
  cache_.clear();
  state_->refresh(cache_);
  if (best_)
    best_->refresh(cache_);
}

} // namespace optbn
