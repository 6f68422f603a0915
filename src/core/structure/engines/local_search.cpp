#include "core/structure/engines/local_search.h"

#include "core/base/invariant.h"
#include "core/base/parallel.h"
#include "core/base/random.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

namespace optbn {

namespace {

using Clock = std::chrono::steady_clock;
constexpr double kNever = -std::numeric_limits<double>::infinity();
constexpr double kHot = 8, kCold = 0.3; // temperatures, in natural log units
// A node's share of the kicks: of annealing; and of those that gain nothing, after which it ends.
constexpr double kAnnealedKicks = 15, kLightKicks = 10, kThoroughKicks = 1;
constexpr unsigned kLooksPerPlace = 10; // trying a node at a place takes as long

// The problem made ready for queries "the best set of v inside these nodes". An answer is a set's
// index, or none(v) (one past the last) whose score is minus infinity. Words is the number of mask
// words; or 0, when sets are looked at member by member: few members take less memory than a mask
// of many words, and memory is what queries of many nodes wait for.
template <unsigned Words> class SetQueries {
public:
  using Mask = std::vector<std::uint64_t>;

  explicit SetQueries(const Problem &problem)
      : problem_(problem), scores_(problem.size()), required_(problem.size()),
        first_(std::size_t{problem.size()} * problem.size() + 1, 0) {
    for (Node v = 0; v < size(); ++v) {
      scores_[v] = problem.domains[v].score;
      scores_[v].push_back(kNever);
      required_[v].assign(words(), ~std::uint64_t{0});
      for (std::uint32_t i = 0; i < none(v); ++i)
        for (unsigned w = 0; w < words(); ++w)
          required_[v][w] &= set(v, i)[w];
    }
    list_sets_by_parent();
    if (Words == 0)
      list_members();
  }

  Node size() const { return problem_.size(); }
  std::uint32_t none(Node v) const { return static_cast<std::uint32_t>(scores_[v].size() - 1); }
  double score(Node v, std::uint32_t i) const { return scores_[v][i]; }
  bool possible_parent(Node u, Node v) const {
    const std::size_t row = row_of(v, u);
    return first_[row] < first_[row + 1];
  }
  bool contains(Node v, std::uint32_t i, Node u) const {
    return i < none(v) && (set(v, i)[u / 64] >> (u % 64) & 1);
  }

  Mask nobody() const { return Mask(words(), 0); }
  static void add(Mask &mask, Node u) { mask[u / 64] |= std::uint64_t{1} << (u % 64); }
  static void remove(Mask &mask, Node u) { mask[u / 64] &= ~(std::uint64_t{1} << (u % 64)); }

  // The best set of v inside `allowed`, given that none before `from` is.
  std::uint32_t best_from(Node v, std::uint32_t from, const Mask &allowed) const {
    const std::uint32_t end = none(v);
    while (from < end && !inside(v, from, allowed))
      ++from;
    return from;
  }

  // The best set of v inside `allowed`, given that `current` was the best before u, which may be
  // a parent of v, came in. Only sets with u can be better.
  // `looks` grows by the number of sets that are looked at.
  std::uint32_t best_with(Node v, Node u, std::uint32_t current, const Mask &allowed,
                          std::uint64_t &looks) const {
    const std::size_t row = row_of(v, u);
    std::uint32_t at = first_[row];
    while (at < first_[row + 1] && sets_[at] < current && !inside(v, sets_[at], allowed))
      ++at;
    looks += at - first_[row];
    return at < first_[row + 1] ? std::min(sets_[at], current) : current;
  }

  // Could v come right after these nodes? Its required parents are the quick test.
  bool can_follow(Node v, const Mask &before) const {
    for (unsigned w = 0; w < words(); ++w)
      if (required_[v][w] & ~before[w])
        return false;
    return best_from(v, 0, before) < none(v);
  }

private:
  unsigned words() const { return Words > 0 ? Words : problem_.words; }
  const std::uint64_t *set(Node v, std::uint32_t i) const {
    return problem_.domains[v].mask.data() + std::size_t{i} * words();
  }
  bool inside(Node v, std::uint32_t i, const Mask &allowed) const {
    if constexpr (Words == 0)
      return members_inside(v, i, allowed);
    const std::uint64_t *members = set(v, i);
    for (unsigned w = 0; w < words(); ++w)
      if (members[w] & ~allowed[w])
        return false;
    return true;
  }

  bool members_inside(Node v, std::uint32_t i, const Mask &allowed) const {
    const Node *member = members_[v].data() + first_member_[v][i];
    const Node *const end = members_[v].data() + first_member_[v][i + 1];
    return std::all_of(member, end, [&](Node u) { return allowed[u / 64] >> (u % 64) & 1; });
  }

  template <class Visit> void for_each_parent(Node v, std::uint32_t i, Visit visit) const {
    for (unsigned w = 0; w < words(); ++w)
      for (std::uint64_t rest = set(v, i)[w], u = 64 * w; rest; rest >>= 1, ++u)
        if (rest & 1)
          visit(static_cast<Node>(u));
  }

  // A node that moves looks at all its children, so these are neighbours.
  std::size_t row_of(Node v, Node parent) const { return std::size_t{parent} * size() + v; }

  // From sets_[first_[row_of(v, u)]] on are the sets of v that contain u, best first (a counting
  // sort).
  void list_sets_by_parent() {
    for (Node v = 0; v < size(); ++v)
      for (std::uint32_t i = 0; i < none(v); ++i)
        for_each_parent(v, i, [&](Node u) { ++first_[row_of(v, u) + 1]; });
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    sets_.resize(first_.back());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (Node v = 0; v < size(); ++v)
      for (std::uint32_t i = 0; i < none(v); ++i)
        for_each_parent(v, i, [&](Node u) { sets_[next[row_of(v, u)]++] = i; });
  }

  void list_members() {
    members_.resize(size());
    first_member_.resize(size());
    for (Node v = 0; v < size(); ++v) {
      first_member_[v].push_back(0);
      for (std::uint32_t i = 0; i < none(v); ++i) {
        for_each_parent(v, i, [&](Node u) { members_[v].push_back(u); });
        first_member_[v].push_back(static_cast<std::uint32_t>(members_[v].size()));
      }
    }
  }

  const Problem &problem_;
  std::vector<std::vector<double>> scores_;
  std::vector<Mask> required_; // parents that every set of the node has
  std::vector<std::uint32_t> first_, sets_;
  // Where Words is 0, the members of the i-th set of v: members_[v], from first_member_[v][i] on.
  std::vector<std::vector<Node>> members_;
  std::vector<std::vector<std::uint32_t>> first_member_;
};

// An order and the best set of every node inside its predecessors.
struct State {
  std::vector<Node> order;
  std::vector<std::uint32_t> choice;
  double score = kNever;
};

template <class Queries> double total_score(const Queries &queries, const State &state) {
  double total = 0;
  for (Node v = 0; v < queries.size(); ++v)
    total += queries.score(v, state.choice[v]);
  return total;
}

// Are these all nodes once, each with its best set among those before it?
template <class Queries> bool holds_together(const Queries &queries, const State &state) {
  auto before = queries.nobody(), none = before;
  for (const Node v : state.order) {
    if (state.choice[v] != queries.best_from(v, 0, before))
      return false;
    queries.add(before, v);
  }
  for (const Node v : state.order)
    queries.remove(before, v);
  return state.order.size() == queries.size() && before == none;
}

// The feasible order nearest to `wish`: a node that cannot enter waits for the next round. Score
// -infinity when some nodes can never enter.
template <class Queries> State first_state(const Queries &queries, std::vector<Node> wish) {
  State state;
  state.choice.assign(queries.size(), 0);
  auto before = queries.nobody();
  while (!wish.empty()) {
    std::vector<Node> waiting;
    for (const Node v : wish) {
      if (!queries.can_follow(v, before)) {
        waiting.push_back(v);
        continue;
      }
      state.order.push_back(v);
      state.choice[v] = queries.best_from(v, 0, before);
      queries.add(before, v);
    }
    if (waiting.size() == wish.size())
      return state;
    wish = std::move(waiting);
  }
  state.score = total_score(queries, state);
  return state;
}

std::vector<Node> identity_order(Node n) {
  std::vector<Node> order(n);
  std::iota(order.begin(), order.end(), Node{0});
  return order;
}

// For every node: itself, its possible parents and its possible children.
template <class Queries> std::vector<std::vector<Node>> related_nodes(const Queries &queries) {
  std::vector<std::vector<Node>> related(queries.size());
  for (Node v = 0; v < queries.size(); ++v)
    for (Node u = 0; u < queries.size(); ++u)
      if (u == v || queries.possible_parent(u, v) || queries.possible_parent(v, u))
        related[v].push_back(u);
  return related;
}

// Which nodes are tried again after a change: those with another set, at a tenth of the cost, or
// all that are near.
enum class Stir { changed, related };

template <class Queries> class Chain {
public:
  Chain(const Queries &queries, const std::vector<std::vector<Node>> &related,
        const LocalSearchOptions &options, std::uint64_t seed, Watch &watch)
      : queries_(queries), related_(related), options_(options), watch_(watch), random_(seed),
        n_(queries.size()), ideal_(0), restless_(n_, false), worth_(n_), own_(n_), other_(n_) {
    for (Node v = 0; v < n_; ++v)
      ideal_ += queries.score(v, 0);
    noticeable_ = 1e-12 * std::max(1.0, std::abs(ideal_));
  }

  // Begins with the order `wish`, or with a random one when that is empty.
  void run(std::vector<Node> wish) {
    for (unsigned idle = 0; idle <= options_.restarts && !finished(); ++idle) {
      if (wish.empty())
        wish = shuffled();
      const double before = best_.score;
      climb_from(first_state(queries_, std::exchange(wish, {})));
      if (best_.score > before)
        idle = 0;
    }
  }

  const State &best() const { return best_; }
  double insertions() const { return insertions_; }
  double work() const { return static_cast<double>(looks_); }
  const std::vector<Improvement> &improvements() const { return improvements_; }

private:
  // Every node has its best set: nothing can be better. Or it has done enough.
  bool finished() {
    return best_.score >= ideal_ || work() >= options_.most_work || watch_.stopped();
  }

  void climb_from(State start) {
    summit_ = State();
    state_ = std::move(start);
    climb_thoroughly();
    if (options_.anneals)
      anneal();
    double before;
    do {
      before = summit_.score;
      kick_in_vain(Stir::changed, kLightKicks);
      kick_in_vain(Stir::related, kThoroughKicks);
    } while (summit_.score > before + noticeable_ && !finished());
  }

  // Kicks, of which one that loses is accepted as it would be at a falling temperature.
  void anneal() {
    stir_ = Stir::changed;
    State kept = state_;
    const double kicks = kAnnealedKicks * options_.thoroughness * n_;
    for (double i = 0; i < kicks && !finished(); ++i) {
      kick();
      climb();
      const double temperature = kHot * std::pow(kCold / kHot, i / kicks);
      if (random_.uniform() < std::exp((state_.score - kept.score) / temperature))
        kept = state_;
      else
        state_ = kept;
    }
  }

  // Kicks the best state of this climb until so many kicks a node in a row have gained nothing.
  void kick_in_vain(Stir stir, double kicks) {
    state_ = summit_;
    if (stir == Stir::related)
      climb_thoroughly();
    stir_ = stir;
    State kept = state_;
    const double patience = kicks * options_.thoroughness * n_;
    for (double idle = 0; idle < patience && !finished(); ++idle) {
      kick();
      climb();
      if (state_.score > kept.score + noticeable_)
        idle = 0;
      if (state_.score >= kept.score - noticeable_)
        kept = state_;
      else
        state_ = kept;
    }
  }

  void climb_thoroughly() {
    stir_ = Stir::related;
    restless_.assign(n_, true);
    climb();
  }

  // Reinserts restless nodes, in random order, until none is left.
  void climb() {
    const std::vector<Node> round = shuffled();
    for (bool calm = false; !calm;) {
      calm = true;
      for (const Node v : round)
        if (restless_[v] && !watch_.stopped()) {
          calm = false;
          restless_[v] = false;
          reinsert(v);
        }
    }
    state_.score = total_score(queries_, state_);
    OPTBN_INVARIANT(holds_together(queries_, state_),
                    "every node has its best set among those before it");
    if (state_.score > summit_.score)
      summit_ = state_;
    if (state_.score > best_.score) {
      best_ = state_;
      improvements_.push_back({Clock::now(), best_.score});
    }
  }

  // Throws some of a node and its neighbours in the present network to random places.
  void kick() {
    const Node centre = static_cast<Node>(random_.below(n_));
    std::vector<Node> nodes;
    for (const Node u : related_[centre])
      if (u == centre || queries_.contains(u, state_.choice[u], centre) ||
          queries_.contains(centre, state_.choice[centre], u))
        nodes.push_back(u);
    random_.shuffle(nodes);
    nodes.resize(1 + random_.below(static_cast<std::uint32_t>(nodes.size())));
    for (const Node v : nodes) {
      take_out(v, Places::all);
      put_back(random_place([](double value) { return value > kNever; }), true);
    }
  }

  // Moves v to a best place, any of them.
  void reinsert(Node v) {
    [[maybe_unused]] const double before = kCheckInvariants ? total_score(queries_, state_) : 0;
    const double old = take_out(v, Places::best);
    const double best = *std::max_element(worth_.begin(), worth_.end());
    const bool gains = best > old + noticeable_;
    put_back(random_place([&](double value) { return value >= best - noticeable_; }), gains);
    OPTBN_INVARIANT(about_equal(total_score(queries_, state_), before + (best - old)),
                    "a move gains what its place was said to be worth");
  }

  std::vector<Node> shuffled() {
    std::vector<Node> order = identity_order(n_);
    random_.shuffle(order);
    return order;
  }

  // Which places are wanted; of others it may be said that they are worth nothing.
  enum class Places { all, best };

  // Sets worth_[j], for every place j among the others, to the total score with v there, but for
  // a constant. Returns what the place is worth where v is now.
  //
  // With v at place j the others before j do without v and those from j on may use it, so each
  // of them has just two scores. (-infinity in a place that leaves somebody without a set.) The
  // further on, the more is lost to them, and the better is v's own set: both bound what is still
  // to come, the one on the way there and the other on the way back.
  double take_out(Node v, Places wanted) {
    ++insertions_;
    const std::vector<Node> &order = state_.order;
    const std::size_t old = std::find(order.begin(), order.end(), v) - order.begin();
    const double own_now = queries_.score(v, state_.choice[v]), own_best = queries_.score(v, 0);
    double worth_now = 0, least = kNever; // least: what is worth less is not wanted
    looks_ += kLooksPerPlace * n_;
    moving_ = v;
    worth_.assign(n_, kNever);
    auto before = queries_.nobody();
    double lost = 0; // what the others before place j lose by doing without v
    std::size_t j = 0;
    for (; j + 1 < n_ && own_best - lost >= least; ++j) {
      const Node u = order[j < old ? j : j + 1];
      worth_[j] = -lost;
      if (j == old) {
        worth_now = own_now - lost;
        if (wanted == Places::best)
          least = worth_now - 2 * noticeable_;
      }
      const std::uint32_t now = state_.choice[u];
      if (j < old) {
        queries_.add(before, v);
        other_[j] = queries_.best_with(u, v, now, before, looks_);
        queries_.remove(before, v);
        if (other_[j] != now)
          lost += queries_.score(u, other_[j]) - queries_.score(u, now);
      } else {
        other_[j] = queries_.contains(u, now, v) ? queries_.best_from(u, now + 1, before) : now;
        looks_ += other_[j] - now;
        if (other_[j] != now)
          lost += queries_.score(u, now) - queries_.score(u, other_[j]);
      }
      queries_.add(before, u);
    }
    worth_[j] = -lost;
    if (j == old)
      worth_now = own_now - lost;

    std::uint32_t own = queries_.best_from(v, 0, before);
    looks_ += own;
    for (;; --j) {
      own_[j] = own;
      worth_[j] += queries_.score(v, own);
      if (wanted == Places::best)
        least = std::max(least, worth_[j] - 2 * noticeable_);
      if (j == 0)
        break;
      if (queries_.score(v, own) < least) {
        std::fill(worth_.begin(), worth_.begin() + static_cast<std::ptrdiff_t>(j), kNever);
        break;
      }
      const Node u = order[j - 1 < old ? j - 1 : j];
      queries_.remove(before, u);
      if (queries_.contains(v, own, u)) {
        const std::uint32_t next = queries_.best_from(v, own + 1, before);
        looks_ += next - own;
        own = next;
      }
    }
    place_ = old;
    return worth_now;
  }

  // Puts the node that was taken out last at place j. A node whose set changes, and one that is
  // near it, may now have a better place; after a move that gains nothing nobody is asked, or the
  // climb might never end.
  void put_back(std::size_t j, bool stir) {
    std::vector<Node> &order = state_.order;
    const auto settle = [&](Node u, std::uint32_t choice) {
      if (stir && state_.choice[u] != choice)
        disturb(u);
      state_.choice[u] = choice;
    };
    for (; place_ > j; --place_) {
      order[place_] = order[place_ - 1];
      settle(order[place_], other_[place_ - 1]);
    }
    for (; place_ < j; ++place_) {
      order[place_] = order[place_ + 1];
      settle(order[place_], other_[place_]);
    }
    order[j] = moving_;
    settle(moving_, own_[j]);
  }

  void disturb(Node u) {
    if (stir_ == Stir::changed)
      restless_[u] = true;
    else
      for (const Node near : related_[u])
        restless_[near] = true;
  }

  // One of the places whose worth is acceptable, each as likely.
  template <class Acceptable> std::size_t random_place(Acceptable acceptable) {
    std::size_t chosen = place_;
    std::uint32_t seen = 0;
    for (std::size_t j = 0; j < n_; ++j)
      if (acceptable(worth_[j]) && random_.below(++seen) == 0)
        chosen = j;
    return chosen;
  }

  const Queries &queries_;
  const std::vector<std::vector<Node>> &related_;
  const LocalSearchOptions &options_;
  Watch &watch_;
  Random random_;
  const Node n_;
  double ideal_;      // the sum of the best sets' scores
  double noticeable_; // differences below are rounding

  State state_, summit_, best_; // now, the best of this climb, the best of all
  Stir stir_ = Stir::related;
  std::vector<bool> restless_; // nodes that may have a better place
  double insertions_ = 0;
  std::uint64_t looks_ = 0; // at sets, and what places take
  std::vector<Improvement> improvements_;

  // The node that is being moved, its present place, and by place among the others:
  Node moving_ = 0;
  std::size_t place_ = 0;
  std::vector<double> worth_;        // total score with the node there
  std::vector<std::uint32_t> own_;   // the node's set there
  std::vector<std::uint32_t> other_; // the set of the j-th other with the node on its other side
};

template <unsigned Words>
LocalSearchResult search(const Problem &problem, const LocalSearchOptions &options, Watch &watch) {
  const SetQueries<Words> queries(problem);
  using Walk = Chain<SetQueries<Words>>;
  LocalSearchResult result;
  const std::vector<Node> wish =
      options.start.empty() ? identity_order(problem.size()) : options.start;
  State best = first_state(queries, wish);
  if (best.score == kNever)
    return result;
  result.improvements.push_back({Clock::now(), best.score});

  const std::vector<std::vector<Node>> related = related_nodes(queries);
  std::vector<std::unique_ptr<Walk>> chains(options.chains);
  parallel_for(watch, options.chains, [&](std::size_t i, unsigned) {
    chains[i] = std::make_unique<Walk>(queries, related, options,
                                       watch.host().seed(options.first_stream + i), watch);
    const bool climbs = i == 0 && options.first_climbs;
    chains[i]->run(climbs ? options.start : std::vector<Node>());
  });
  for (const auto &chain : chains) {
    if (!chain)
      continue;
    if (chain->best().score > best.score)
      best = chain->best();
    result.insertions += chain->insertions();
    result.work += chain->work();
    result.improvements.insert(result.improvements.end(), chain->improvements().begin(),
                               chain->improvements().end());
  }
  result.improvements = in_order(std::move(result.improvements));
  result.network = {std::move(best.choice), best.score};
  return result;
}

} // namespace

LocalSearchResult local_search(const Problem &problem, const LocalSearchOptions &options,
                               Watch &watch) {
  switch (problem.words) {
  case 1:
    return search<1>(problem, options, watch);
  case 2:
    return search<2>(problem, options, watch);
  case 4:
    return search<4>(problem, options, watch);
  default:
    return search<0>(problem, options, watch);
  }
}

} // namespace optbn
