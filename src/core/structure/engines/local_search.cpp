#include "core/structure/engines/local_search.h"

#include "core/base/invariant.h"
#include "core/base/log_sum.h"
#include "core/base/parallel.h"
#include "core/base/random.h"
#include "core/structure/bounds/closure.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

namespace optbn {

namespace {

using Clock = std::chrono::steady_clock;
constexpr double kInitialTemperature = 8, kFinalTemperature = 0.3; // in natural log units
// Kicks a node: of annealing; and, of those that gain nothing in a row, as many as end a phase.
constexpr double kAnnealedKicks = 15, kLightKicks = 10, kThoroughKicks = 1;
constexpr unsigned kWorkPerPosition = 10; // as many sets take as long as a position

// The problem prepared for queries "the best set of v inside these nodes". The result is a set's
// index, or none(v) (one past the last) whose score is minus infinity. Words is the number of mask
// words; or 0, when sets are tested member by member: few members take less memory than a mask of
// many words, and the speed of memory limits queries of many nodes.
template <unsigned Words> class SetQueries {
public:
  using Mask = std::vector<std::uint64_t>;

  explicit SetQueries(const Problem &problem)
      : problem_(problem), scores_(problem.size()), required_(problem.size()),
        first_(std::size_t{problem.size()} * problem.size() + 1, 0) {
    for (Node v = 0; v < size(); ++v) {
      scores_[v] = problem.domains[v].score;
      scores_[v].push_back(kLogZero);
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

  Mask empty_mask() const { return Mask(words(), 0); }
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
  // a parent of v, was added. Only sets with u can be better.
  // `work` grows by the number of sets that are examined.
  std::uint32_t best_with(Node v, Node u, std::uint32_t current, const Mask &allowed,
                          std::uint64_t &work) const {
    const std::size_t row = row_of(v, u);
    std::uint32_t at = first_[row];
    while (at < first_[row + 1] && sets_[at] < current && !inside(v, sets_[at], allowed))
      ++at;
    work += at - first_[row];
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

  // A node that moves needs the rows of all its children, so these are neighbours.
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
  double score = kLogZero;
};

template <class Queries> double total_score(const Queries &queries, const State &state) {
  double total = 0;
  for (Node v = 0; v < queries.size(); ++v)
    total += queries.score(v, state.choice[v]);
  return total;
}

// Are these all nodes once, each with its best set among those before it?
template <class Queries> bool is_consistent(const Queries &queries, const State &state) {
  auto before = queries.empty_mask(), none = before;
  for (const Node v : state.order) {
    if (state.choice[v] != queries.best_from(v, 0, before))
      return false;
    queries.add(before, v);
  }
  for (const Node v : state.order)
    queries.remove(before, v);
  return state.order.size() == queries.size() && before == none;
}

// The feasible order nearest to `preferred`: a node that cannot follow those before it waits for
// the next round. Score -infinity when some nodes can never follow.
template <class Queries> State first_state(const Queries &queries, std::vector<Node> preferred) {
  State state;
  state.choice.assign(queries.size(), 0);
  auto before = queries.empty_mask();
  const auto append = [&](Node v) {
    if (!queries.can_follow(v, before))
      return false;
    state.order.push_back(v);
    state.choice[v] = queries.best_from(v, 0, before);
    queries.add(before, v);
    return true;
  };
  if (blocked_after(std::move(preferred), append).empty())
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

// Which nodes are reinserted after a change: those with another set, at a tenth of the cost, or all
// that are related to them.
enum class Retry { changed, related };

template <class Queries> class Chain {
public:
  Chain(const Queries &queries, const std::vector<std::vector<Node>> &related,
        const LocalSearchOptions &options, std::uint64_t seed, Watch &watch)
      : queries_(queries), related_(related), options_(options), watch_(watch), random_(seed),
        n_(queries.size()), ideal_(0), pending_(n_, false), score_at_(n_), own_set_at_(n_),
        other_set_at_(n_) {
    for (Node v = 0; v < n_; ++v)
      ideal_ += queries.score(v, 0);
    noticeable_ = 1e-12 * std::max(1.0, std::abs(ideal_));
  }

  // Begins with the order `preferred`, or with a random one when that is empty.
  void run(std::vector<Node> preferred) {
    for (unsigned idle = 0; idle <= options_.restarts && !finished(); ++idle) {
      if (preferred.empty())
        preferred = shuffled();
      const double before = best_.score;
      climb_from(first_state(queries_, std::exchange(preferred, {})));
      if (best_.score > before)
        idle = 0;
    }
  }

  const State &best() const { return best_; }
  double insertions() const { return insertions_; }
  double work() const { return static_cast<double>(work_); }
  const std::vector<Improvement> &improvements() const { return improvements_; }

private:
  // Every node has its best set: nothing can be better. Or a limit is reached.
  bool finished() {
    return best_.score >= ideal_ || work() >= options_.most_work || watch_.stopped();
  }

  void climb_from(State start) {
    best_of_climb_ = State();
    state_ = std::move(start);
    climb_thoroughly();
    if (options_.anneals)
      anneal();
    double before;
    do {
      before = best_of_climb_.score;
      kick_while_it_gains(Retry::changed, kLightKicks);
      kick_while_it_gains(Retry::related, kThoroughKicks);
    } while (best_of_climb_.score > before + noticeable_ && !finished());
  }

  // Kicks at a falling temperature, at which one that loses may be accepted (Metropolis).
  void anneal() {
    retry_ = Retry::changed;
    State accepted = state_;
    const double kicks = kAnnealedKicks * options_.thoroughness * n_;
    for (double i = 0; i < kicks && !finished(); ++i) {
      kick();
      climb();
      const double temperature =
          kInitialTemperature * std::pow(kFinalTemperature / kInitialTemperature, i / kicks);
      if (random_.uniform() < std::exp((state_.score - accepted.score) / temperature))
        accepted = state_;
      else
        state_ = accepted;
    }
  }

  // Kicks the best state of this climb until so many kicks a node in a row have gained nothing.
  void kick_while_it_gains(Retry retry, double kicks) {
    state_ = best_of_climb_;
    if (retry == Retry::related)
      climb_thoroughly();
    retry_ = retry;
    State accepted = state_;
    const double patience = kicks * options_.thoroughness * n_;
    for (double idle = 0; idle < patience && !finished(); ++idle) {
      kick();
      climb();
      if (state_.score > accepted.score + noticeable_)
        idle = 0;
      if (state_.score >= accepted.score - noticeable_)
        accepted = state_;
      else
        state_ = accepted;
    }
  }

  void climb_thoroughly() {
    retry_ = Retry::related;
    pending_.assign(n_, true);
    climb();
  }

  // Reinserts pending nodes, in random order, until none is left.
  void climb() {
    const std::vector<Node> round = shuffled();
    for (bool done = false; !done;) {
      done = true;
      for (const Node v : round)
        if (pending_[v] && !watch_.stopped()) {
          done = false;
          pending_[v] = false;
          reinsert(v);
        }
    }
    state_.score = total_score(queries_, state_);
    OPTBN_INVARIANT(is_consistent(queries_, state_),
                    "every node has its best set among those before it");
    if (state_.score > best_of_climb_.score)
      best_of_climb_ = state_;
    if (state_.score > best_.score) {
      best_ = state_;
      improvements_.push_back({Clock::now(), best_.score});
    }
  }

  // Moves some of a node and its neighbours in the present network to random positions.
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
      evaluate_positions(v, Positions::all);
      move_to(random_position([](double value) { return value > kLogZero; }), true);
    }
  }

  // Moves v to a best position, any of them.
  void reinsert(Node v) {
    [[maybe_unused]] const double before = kCheckInvariants ? total_score(queries_, state_) : 0;
    const double old = evaluate_positions(v, Positions::best);
    const double best = *std::max_element(score_at_.begin(), score_at_.end());
    const bool gains = best > old + noticeable_;
    move_to(random_position([&](double value) { return value >= best - noticeable_; }), gains);
    OPTBN_INVARIANT(about_equal(total_score(queries_, state_), before + (best - old)),
                    "a move gains what was computed for its position");
  }

  std::vector<Node> shuffled() {
    std::vector<Node> order = identity_order(n_);
    random_.shuffle(order);
    return order;
  }

  // Which positions are wanted; others may get a score of minus infinity.
  enum class Positions { all, best };

  // Sets score_at_[j], for every position j among the others, to the total score with v there, up
  // to a constant. Returns that of the position where v is now.
  //
  // With v at position j the others before j do without v and those from j on may use it, so each
  // of them has just two scores. (-infinity at a position that leaves a node without a set.) The
  // later the position, the more the others lose, and the better is v's own set: both bound the
  // positions that remain, the former on the way forward and the latter on the way back.
  double evaluate_positions(Node v, Positions wanted) {
    ++insertions_;
    const std::vector<Node> &order = state_.order;
    const std::size_t old = std::find(order.begin(), order.end(), v) - order.begin();
    const double own_score_now = queries_.score(v, state_.choice[v]),
                 own_best_score = queries_.score(v, 0);
    double score_now = 0, least = kLogZero; // least: positions below are not wanted
    work_ += kWorkPerPosition * n_;
    moving_ = v;
    score_at_.assign(n_, kLogZero);
    auto before = queries_.empty_mask();
    double lost = 0; // what the others before position j lose without v
    std::size_t j = 0;
    for (; j + 1 < n_ && own_best_score - lost >= least; ++j) {
      const Node u = order[j < old ? j : j + 1];
      score_at_[j] = -lost;
      if (j == old) {
        score_now = own_score_now - lost;
        if (wanted == Positions::best)
          least = score_now - 2 * noticeable_;
      }
      const std::uint32_t now = state_.choice[u];
      if (j < old) {
        queries_.add(before, v);
        other_set_at_[j] = queries_.best_with(u, v, now, before, work_);
        queries_.remove(before, v);
        if (other_set_at_[j] != now)
          lost += queries_.score(u, other_set_at_[j]) - queries_.score(u, now);
      } else {
        other_set_at_[j] =
            queries_.contains(u, now, v) ? queries_.best_from(u, now + 1, before) : now;
        work_ += other_set_at_[j] - now;
        if (other_set_at_[j] != now)
          lost += queries_.score(u, now) - queries_.score(u, other_set_at_[j]);
      }
      queries_.add(before, u);
    }
    score_at_[j] = -lost;
    if (j == old)
      score_now = own_score_now - lost;

    std::uint32_t own_set = queries_.best_from(v, 0, before);
    work_ += own_set;
    for (;; --j) {
      own_set_at_[j] = own_set;
      score_at_[j] += queries_.score(v, own_set);
      if (wanted == Positions::best)
        least = std::max(least, score_at_[j] - 2 * noticeable_);
      if (j == 0)
        break;
      if (queries_.score(v, own_set) < least) {
        std::fill(score_at_.begin(), score_at_.begin() + static_cast<std::ptrdiff_t>(j), kLogZero);
        break;
      }
      const Node u = order[j - 1 < old ? j - 1 : j];
      queries_.remove(before, u);
      if (queries_.contains(v, own_set, u)) {
        const std::uint32_t next = queries_.best_from(v, own_set + 1, before);
        work_ += next - own_set;
        own_set = next;
      }
    }
    position_ = old;
    return score_now;
  }

  // Moves the node that was evaluated last to position j. A node whose set changes, and those that
  // are related to it, may now have a better position; after a move that gains nothing no node is
  // queued again, or the climb might never end.
  void move_to(std::size_t j, bool requeues) {
    std::vector<Node> &order = state_.order;
    const auto set_choice = [&](Node u, std::uint32_t choice) {
      if (requeues && state_.choice[u] != choice)
        requeue(u);
      state_.choice[u] = choice;
    };
    for (; position_ > j; --position_) {
      order[position_] = order[position_ - 1];
      set_choice(order[position_], other_set_at_[position_ - 1]);
    }
    for (; position_ < j; ++position_) {
      order[position_] = order[position_ + 1];
      set_choice(order[position_], other_set_at_[position_]);
    }
    order[j] = moving_;
    set_choice(moving_, own_set_at_[j]);
  }

  void requeue(Node u) {
    if (retry_ == Retry::changed)
      pending_[u] = true;
    else
      for (const Node near : related_[u])
        pending_[near] = true;
  }

  // One of the positions whose score is accepted, each as likely.
  template <class Accepts> std::size_t random_position(Accepts accepts) {
    std::size_t chosen = position_;
    std::uint32_t seen = 0;
    for (std::size_t j = 0; j < n_; ++j)
      if (accepts(score_at_[j]) && random_.below(++seen) == 0)
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

  State state_, best_of_climb_, best_; // now, the best of this climb, the best of all
  Retry retry_ = Retry::related;
  std::vector<bool> pending_; // nodes that may have a better position
  double insertions_ = 0;
  std::uint64_t work_ = 0; // sets examined, and what positions take
  std::vector<Improvement> improvements_;

  // The node that is being moved, its present position, and by position among the others:
  Node moving_ = 0;
  std::size_t position_ = 0;
  std::vector<double> score_at_;            // total score with the node there
  std::vector<std::uint32_t> own_set_at_;   // the node's set there
  std::vector<std::uint32_t> other_set_at_; // the j-th other's set if the node changes sides
};

template <unsigned Words>
LocalSearchResult search(const Problem &problem, const LocalSearchOptions &options, Watch &watch) {
  const SetQueries<Words> queries(problem);
  using SearchChain = Chain<SetQueries<Words>>;
  LocalSearchResult result;
  const std::vector<Node> preferred =
      options.start.empty() ? identity_order(problem.size()) : options.start;
  State best = first_state(queries, preferred);
  if (best.score == kLogZero)
    return result;
  result.improvements.push_back({Clock::now(), best.score});

  const std::vector<std::vector<Node>> related = related_nodes(queries);
  std::vector<std::unique_ptr<SearchChain>> chains(options.chains);
  parallel_for(watch, options.chains, [&](std::size_t i, unsigned) {
    chains[i] = std::make_unique<SearchChain>(queries, related, options,
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
