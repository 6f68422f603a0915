#include "core/demand/order_climb.h"

#include "core/base/invariant.h"

#include <algorithm>
#include <cmath>
#include <deque>

namespace optbn {

namespace {

constexpr double kInfeasible = -LocalScore::kInfinity;
constexpr std::uint32_t kMoved = 2, kMovedMore = 6; // nodes that a perturbation moves: 2 to 7
constexpr std::uint32_t kNear = 12;                 // positions
constexpr std::size_t kPerturbationsPerCheck = 256; // of memory

} // namespace

OrderClimb::OrderClimb(Growth &growth, std::vector<Node> order, std::uint64_t seed, Watch &watch)
    : growth_(growth), watch_(watch), random_(seed), other_at_(order.size(), Growth::kNone),
      own_(1) {
  state_.order = std::move(order);
  state_.position.resize(size());
  for (std::uint32_t i = 0; i < size(); ++i)
    state_.position[state_.order[i]] = i;
  std::vector<Query> queries;
  for (Node v = 0; v < size(); ++v)
    queries.push_back({v, {&state_.position, state_.position[v], v, false}});
  growth_.grow_shrink(queries);
  for (Query &query : queries)
    choice_.push_back(std::move(query.choice));
  update_best();
}

double OrderClimb::total_score() const {
  double sum = 0;
  for (const Choice &choice : choice_)
    sum += choice.score;
  return sum;
}

void OrderClimb::update_best() {
  const double score = total_score();
  if (score <= best_score_ && !best_.empty())
    return;
  best_score_ = score;
  improvements_.push_back({AnytimeRecord::Clock::now(), score});
  watch_.report_bounds(score, std::numeric_limits<double>::infinity());
  best_ = state_.order;
  best_families_.clear();
  for (const Choice &choice : choice_)
    best_families_.push_back(choice.family);
}

void OrderClimb::climb() {
  double before;
  do {
    before = total_score();
    const bool ended = climb_from(state_.order);
    update_best();
    if (!ended)
      return;
  } while (total_score() > before);
}

bool OrderClimb::climb_from(std::vector<Node> nodes) {
  std::deque<Node> queue(nodes.begin(), nodes.end());
  std::vector<char> queued(size(), 0);
  for (const Node v : nodes)
    queued[v] = 1;
  std::vector<Node> changed;
  while (!queue.empty()) {
    const Node v = queue.front();
    queue.pop_front();
    queued[v] = 0;
    changed.clear();
    if (!improve(v, changed))
      return false;
    for (const Node w : changed)
      if (!queued[w]) {
        queued[w] = 1;
        queue.push_back(w);
      }
  }
  return true;
}

bool OrderClimb::improve(Node v, std::vector<Node> &changed) {
  const std::uint32_t here = state_.position[v];
  if (!choose_for_others(v, 0, size() - 1u))
    return false;
  double best_gain = 1e-9 * std::max(1.0, std::abs(best_score_));
  std::uint32_t best_position = here;
  Choice best_choice;
  for (const bool earlier : {true, false}) {
    own_[0].choice = choice_[v];
    double others = 0;
    for (std::uint32_t step = 1; earlier ? step <= here : here + step < size(); ++step) {
      const std::uint32_t position = earlier ? here - step : here + step;
      const Node passed = state_.order[position];
      others += gain_of_other(position);
      const Choice &own = own_[0].choice;
      if (others == kInfeasible)
        break;
      if (Choice::has(earlier ? own.added : own.absent, passed) && !choose_for_node(v, position))
        return false;
      const double gain = others + own.score - choice_[v].score;
      if (gain > best_gain) {
        best_gain = gain;
        best_position = position;
        best_choice = own;
      }
      if (own.score == kInfeasible)
        break;
    }
  }
  if (best_position != here)
    move_to(v, best_position, std::move(best_choice), changed);
  return true;
}

bool OrderClimb::choose_for_others(Node v, std::uint32_t from, std::uint32_t to) {
  for (const Query &query : others_)
    other_at_[query.before.limit] = Growth::kNone;
  others_.clear();
  const std::uint32_t here = state_.position[v];
  for (std::uint32_t position = from; position <= to; ++position) {
    if (position == here)
      continue;
    const Node w = state_.order[position];
    const bool becomes_predecessor = position < here;
    if (!Choice::has(becomes_predecessor ? choice_[w].absent : choice_[w].added, v))
      continue;
    other_at_[position] = static_cast<std::uint32_t>(others_.size());
    others_.push_back({w, {&state_.position, position, v, becomes_predecessor}});
  }
  return growth_.grow_shrink(others_);
}

double OrderClimb::gain_of_other(std::uint32_t position) const {
  if (other_at_[position] == Growth::kNone)
    return 0;
  return others_[other_at_[position]].choice.score - choice_[state_.order[position]].score;
}

// Of v, once it is at that position: nodes between move by one.
bool OrderClimb::choose_for_node(Node v, std::uint32_t position) {
  const std::uint32_t limit = position < state_.position[v] ? position : position + 1;
  own_[0].child = v;
  own_[0].before = {&state_.position, limit, v, false};
  return growth_.grow_shrink(own_);
}

void OrderClimb::replace(Node v, Choice choice, std::vector<Node> &changed) {
  if (choice.family != choice_[v].family)
    changed.push_back(v);
  replaced_.emplace_back(v, std::move(choice_[v]));
  choice_[v] = std::move(choice);
}

void OrderClimb::move_to(Node v, std::uint32_t position, Choice own, std::vector<Node> &changed) {
  const std::uint32_t here = state_.position[v];
  const std::uint32_t first = std::min(here, position), last = std::max(here, position);
  for (std::uint32_t i = first; i <= last; ++i)
    if (i != here && other_at_[i] != Growth::kNone)
      replace(state_.order[i], std::move(others_[other_at_[i]].choice), changed);
  replace(v, std::move(own), changed);
  const auto at = state_.order.begin();
  if (position < here)
    std::rotate(at + position, at + here, at + here + 1);
  else
    std::rotate(at + here, at + here + 1, at + position + 1);
  for (std::uint32_t i = first; i <= last; ++i)
    state_.position[state_.order[i]] = i;
}

void OrderClimb::shake(std::size_t times, double initial_temperature, double final_temperature,
                       double memory_limit, const std::function<double()> &spent) {
  std::vector<Node> changed;
  for (std::size_t t = 0; t < times; ++t) {
    if (t % kPerturbationsPerCheck == 0 && growth_.bytes() > memory_limit)
      return;
    const double share = std::max(static_cast<double>(t) / static_cast<double>(times), spent());
    if (share >= 1)
      return;
    const double temperature =
        initial_temperature * std::pow(final_temperature / initial_temperature, share);
    State before = state_;
    const double score = total_score();
    replaced_.clear();
    changed.clear();
    if (!perturb(changed) || !climb_from(changed)) {
      restore(std::move(before));
      return;
    }
    const double gain = total_score() - score;
    if (gain < 0 && !(random_.uniform() < std::exp(gain / temperature)))
      restore(std::move(before));
    else
      update_best();
  }
}

Node OrderClimb::random_node() { return static_cast<Node>(random_.below(size())); }

Node OrderClimb::next_to_move(Node last) {
  const std::vector<Node> parents = growth_.table(last).members(choice_[last].family);
  if (parents.empty() || random_.below(2))
    return random_node();
  return parents[random_.below(static_cast<std::uint32_t>(parents.size()))];
}

std::uint32_t OrderClimb::perturbed_position(std::uint32_t here) {
  const std::uint32_t any = random_.below(size());
  if (random_.below(2))
    return any;
  const std::uint32_t first = here - std::min(here, kNear),
                      last = std::min(here + kNear, size() - 1u);
  return first + random_.below(last - first + 1);
}

bool OrderClimb::perturb(std::vector<Node> &changed) {
  const std::uint32_t moved = kMoved + random_.below(kMovedMore);
  Node v = random_node();
  for (std::uint32_t i = 0; i < moved; ++i) {
    if (i > 0)
      v = next_to_move(v);
    const std::uint32_t here = state_.position[v], position = perturbed_position(here);
    if (position == here)
      continue;
    if (!choose_for_others(v, std::min(position, here), std::max(position, here)) ||
        !choose_for_node(v, position))
      return false;
    bool feasible = own_[0].choice.score > kInfeasible;
    for (const Query &other : others_)
      feasible = feasible && other.choice.score > kInfeasible;
    if (feasible)
      move_to(v, position, own_[0].choice, changed);
  }
  return true;
}

void OrderClimb::restore(State state) {
  for (auto last = replaced_.rbegin(); last != replaced_.rend(); ++last)
    choice_[last->first] = std::move(last->second);
  replaced_.clear();
  state_ = std::move(state);
}

} // namespace optbn
