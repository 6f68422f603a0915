#include "core/demand/order_climb.h"

#include "core/base/invariant.h"

#include <algorithm>
#include <cmath>
#include <deque>

namespace optbn {

namespace {

constexpr std::uint32_t kNone = Growth::kNone;
constexpr double kNever = -LocalScore::kInfinity;
constexpr std::uint32_t kThrown = 2, kThrownMore = 6; // nodes that a shake throws: 2 to 7
constexpr std::uint32_t kNear = 12;                   // places
constexpr std::size_t kShakesPerMeasure = 256;        // of memory

} // namespace

OrderClimb::OrderClimb(Growth &growth, std::vector<Node> order, std::uint64_t seed, Watch &watch)
    : growth_(growth), watch_(watch), random_(seed), other_at_(order.size(), kNone), own_(1) {
  state_.order = std::move(order);
  state_.place.resize(size());
  for (std::uint32_t i = 0; i < size(); ++i)
    state_.place[state_.order[i]] = i;
  std::vector<Query> queries;
  for (Node v = 0; v < size(); ++v)
    queries.push_back({v, {&state_.place, state_.place[v], v, false}});
  growth_.answer(queries);
  for (Query &query : queries)
    walk_.push_back(std::move(query.walk));
  keep_if_best();
}

double OrderClimb::total() const {
  double sum = 0;
  for (const Walk &walk : walk_)
    sum += walk.score;
  return sum;
}

void OrderClimb::keep_if_best() {
  const double score = total();
  if (score <= best_score_ && !best_.empty())
    return;
  best_score_ = score;
  improvements_.push_back({AnytimeRecord::Clock::now(), score});
  watch_.found(score, std::numeric_limits<double>::infinity());
  best_ = state_.order;
  best_families_.clear();
  for (const Walk &walk : walk_)
    best_families_.push_back(walk.family);
}

void OrderClimb::climb() {
  double before;
  do {
    before = total();
    const bool ended = settle(state_.order);
    keep_if_best();
    if (!ended)
      return;
  } while (total() > before);
}

bool OrderClimb::settle(std::vector<Node> nodes) {
  std::deque<Node> waiting(nodes.begin(), nodes.end());
  std::vector<char> waits(size(), 0);
  for (const Node v : nodes)
    waits[v] = 1;
  std::vector<Node> changed;
  while (!waiting.empty()) {
    const Node v = waiting.front();
    waiting.pop_front();
    waits[v] = 0;
    changed.clear();
    if (!improve(v, changed))
      return false;
    for (const Node w : changed)
      if (!waits[w]) {
        waits[w] = 1;
        waiting.push_back(w);
      }
  }
  return true;
}

bool OrderClimb::improve(Node v, std::vector<Node> &changed) {
  const std::uint32_t here = state_.place[v];
  if (!walk_others(v, 0, size() - 1u))
    return false;
  double best_gain = 1e-9 * std::max(1.0, std::abs(best_score_));
  std::uint32_t best_place = here;
  Walk best_walk;
  for (const bool back : {true, false}) {
    own_[0].walk = walk_[v];
    double others = 0;
    for (std::uint32_t step = 1; back ? step <= here : here + step < size(); ++step) {
      const std::uint32_t place = back ? here - step : here + step;
      const Node passed = state_.order[place];
      others += gain_of_other(place);
      const Walk &own = own_[0].walk;
      if (others == kNever)
        break;
      if (Walk::has(back ? own.taken : own.missed, passed) && !walk_own(v, place))
        return false;
      const double gain = others + own.score - walk_[v].score;
      if (gain > best_gain) {
        best_gain = gain;
        best_place = place;
        best_walk = own;
      }
      if (own.score == kNever)
        break;
    }
  }
  if (best_place != here)
    put(v, best_place, std::move(best_walk), changed);
  return true;
}

bool OrderClimb::walk_others(Node v, std::uint32_t from, std::uint32_t to) {
  for (const Query &query : others_)
    other_at_[query.before.limit] = kNone;
  others_.clear();
  const std::uint32_t here = state_.place[v];
  for (std::uint32_t place = from; place <= to; ++place) {
    if (place == here)
      continue;
    const Node w = state_.order[place];
    const bool comes_in = place < here;
    if (!Walk::has(comes_in ? walk_[w].missed : walk_[w].taken, v))
      continue;
    other_at_[place] = static_cast<std::uint32_t>(others_.size());
    others_.push_back({w, {&state_.place, place, v, comes_in}});
  }
  return growth_.answer(others_);
}

double OrderClimb::gain_of_other(std::uint32_t place) const {
  if (other_at_[place] == kNone)
    return 0;
  return others_[other_at_[place]].walk.score - walk_[state_.order[place]].score;
}

// Of v, once it has been put to that place: those after v move up by one.
bool OrderClimb::walk_own(Node v, std::uint32_t place) {
  const std::uint32_t limit = place < state_.place[v] ? place : place + 1;
  own_[0].child = v;
  own_[0].before = {&state_.place, limit, v, false};
  return growth_.answer(own_);
}

void OrderClimb::replace(Node v, Walk walk, std::vector<Node> &changed) {
  if (walk.family != walk_[v].family)
    changed.push_back(v);
  replaced_.emplace_back(v, std::move(walk_[v]));
  walk_[v] = std::move(walk);
}

void OrderClimb::put(Node v, std::uint32_t place, Walk own, std::vector<Node> &changed) {
  const std::uint32_t here = state_.place[v];
  const std::uint32_t first = std::min(here, place), last = std::max(here, place);
  for (std::uint32_t i = first; i <= last; ++i)
    if (i != here && other_at_[i] != kNone)
      replace(state_.order[i], std::move(others_[other_at_[i]].walk), changed);
  replace(v, std::move(own), changed);
  const auto at = state_.order.begin();
  if (place < here)
    std::rotate(at + place, at + here, at + here + 1);
  else
    std::rotate(at + here, at + here + 1, at + place + 1);
  for (std::uint32_t i = first; i <= last; ++i)
    state_.place[state_.order[i]] = i;
}

void OrderClimb::shake(std::size_t times, double hot, double cold, double memory_limit,
                       const std::function<double()> &spent) {
  std::vector<Node> changed;
  for (std::size_t t = 0; t < times; ++t) {
    if (t % kShakesPerMeasure == 0 && growth_.bytes() > memory_limit)
      return;
    const double share = std::max(static_cast<double>(t) / static_cast<double>(times), spent());
    if (share >= 1)
      return;
    const double temperature = hot * std::pow(cold / hot, share);
    State before = state_;
    const double score = total();
    replaced_.clear();
    changed.clear();
    if (!throw_some(changed) || !settle(changed)) {
      go_back(std::move(before));
      return;
    }
    const double gain = total() - score;
    if (gain < 0 && !(random_.uniform() < std::exp(gain / temperature)))
      go_back(std::move(before));
    else
      keep_if_best();
  }
}

Node OrderClimb::any_node() { return static_cast<Node>(random_.below(size())); }

Node OrderClimb::next_to_throw(Node last) {
  const std::vector<Node> parents = growth_.table(last).members(walk_[last].family);
  if (parents.empty() || random_.below(2))
    return any_node();
  return parents[random_.below(static_cast<std::uint32_t>(parents.size()))];
}

std::uint32_t OrderClimb::place_to_throw_to(std::uint32_t here) {
  const std::uint32_t any = random_.below(size());
  if (random_.below(2))
    return any;
  const std::uint32_t first = here - std::min(here, kNear),
                      last = std::min(here + kNear, size() - 1u);
  return first + random_.below(last - first + 1);
}

bool OrderClimb::throw_some(std::vector<Node> &changed) {
  const std::uint32_t thrown = kThrown + random_.below(kThrownMore);
  Node v = any_node();
  for (std::uint32_t i = 0; i < thrown; ++i) {
    if (i > 0)
      v = next_to_throw(v);
    const std::uint32_t here = state_.place[v], place = place_to_throw_to(here);
    if (place == here)
      continue;
    if (!walk_others(v, std::min(place, here), std::max(place, here)) || !walk_own(v, place))
      return false;
    bool feasible = own_[0].walk.score > kNever;
    for (const Query &other : others_)
      feasible = feasible && other.walk.score > kNever;
    if (feasible)
      put(v, place, own_[0].walk, changed);
  }
  return true;
}

void OrderClimb::go_back(State state) {
  for (auto last = replaced_.rbegin(); last != replaced_.rend(); ++last)
    walk_[last->first] = std::move(last->second);
  replaced_.clear();
  state_ = std::move(state);
}

} // namespace optbn
