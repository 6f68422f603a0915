#include "core/demand/demand_search.h"

#include "core/base/errors.h"
#include "core/base/invariant.h"
#include "core/demand/arc_climb.h"
#include "core/demand/order_climb.h"
#include "core/demand/pool.h"
#include "core/score/enumeration.h"
#include "core/structure/domains.h"
#include "core/structure/engines/local_search.h"
#include "core/structure/graph.h"
#include "core/structure/solve.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace optbn {

namespace {

constexpr double kHot = 8, kCold = 0.3; // temperatures, in natural log units

// With a thoroughness of 1; it doubles up to so many times.
constexpr double kShakesPerNode = 15;
// Of a pool; these grow with thoroughness, up to so many times.
constexpr double kSets = 6e5, kLeastSetsPerNode = 1000, kMostSetsPerNode = 4000, kMostGrown = 4;
// Of a pool, members of all its sets: large ones take long to collect and to score.
constexpr double kMembers = 6e6;
constexpr double kThoroughNodes = 100; // of more, each has a smaller share in local search
constexpr double kProofSeconds = 4;    // of an exact search, as SearchOptions::effort counts them
constexpr unsigned kDoublings = 5;
constexpr double kLastRounds = 1.5; // usual ones: where fewer fit into the time, one takes all
constexpr double kLeastThoroughness = 0.1;

constexpr unsigned kFirstSizes[] = {1, 2, 4, 8, 16}; // of families, while the first order is made
constexpr unsigned kMostRounds = 8; // of a cycle; one that gains nothing is the last
constexpr unsigned kFruitless = 2;  // cycles that gain nothing, after which an exact search comes

// Of the effort that is left: climbing over arcs, a search over orders, scoring neighbours, then a
// search of the pool may spend so much; the second also of the time.
constexpr double kShareOfArcs = 0.5, kShareOfOrders = 0.5, kShareOfNeighbours = 0.5,
                 kShareOfPool = 0.5;

constexpr double kQuickEffort = 5; // of a search by the quick score, before one by the score itself

// Of the time there is: all this may take so much, complete levels among cycles so much. Where no
// better network has come in so many times the time of the last, none may, and levels take most.
constexpr double kShareOfAll = 0.8, kShareOfLevels = 0.2, kMostOfLevels = 0.8, kQuiet = 16;
constexpr double kShareOfQuick = 0.1; // and the same search by the quick score
constexpr double kFirstPace = 0.25;   // of levels, against that of growth: scoring is not all
constexpr double kTelling = 0.05;     // levels that take fewer seconds do not tell their pace
constexpr double kMostPromising = 20; // parents of a node that are paired with all others

constexpr std::uint64_t kPoolStreams = 1 << 20; // of random numbers: those of cycles are below
constexpr double kMemoryShare = 4;              // of the limit, for what growth remembers

class Search {
public:
  Search(const Dataset &data, LocalScore &score, const DemandOptions &options, Watch &watch)
      : data_(data), score_(score), options_(options), watch_(watch),
        growth_(score, options.rules, watch, options.cost), met_(no_sets(size())),
        enumeration_(data, score, level_options(options)) {
    levels_.sets = no_sets(size());
    levels_.complete.assign(size(), -1);
  }

  DemandResult run() {
    begin();
    unsigned fruitless = 0;
    for (unsigned cycle = 0; cycle < options_.cycles && !watch_.stopped() && !all_scored();
         ++cycle) {
      const double thoroughness = thoroughness_of(cycle, fruitless);
      const double begun = seconds_past();
      fruitless = gains([&] { go_round(cycle, thoroughness); }) ? 0 : fruitless + 1;
      round_seconds_ = (seconds_past() - begun) / thoroughness;
      watch_.log("cycle", {{"number", cycle},
                           {"thoroughness", thoroughness},
                           {"score", score_now_},
                           {"scored", growth_.scored()}});
      if (cycle == 0 && options_.cycles > 1)
        learn_small_sets();
      if (fruitless == 0 || fruitless % kFruitless != 0)
        continue;
      if (gains([&] { search_exactly(thoroughness); }))
        fruitless = 0;
      else if (!lasts_all_time())
        break;
      else
        learn_small_sets();
    }
    if (levels_.largest.empty())
      score_levels(options_.seconds, options_.budget);
    return finish();
  }

private:
  Node size() const { return growth_.size(); }

  // Do cycles end with the time alone?
  bool lasts_all_time() const { return std::isinf(options_.cycles); }

  // Who wants to end soon works harder where less did not help; who has time, in any case, and a
  // last time with what is left, so that time does not cut off what is half done.
  double thoroughness_of(unsigned cycle, unsigned fruitless) const {
    const double usual = std::exp2(std::min(lasts_all_time() ? cycle : fruitless, kDoublings));
    if (!lasts_all_time() || round_seconds_ <= 0)
      return usual;
    const double left = seconds_left() / round_seconds_;
    return left < kLastRounds * usual ? std::max(left, kLeastThoroughness) : usual;
  }

  bool all_scored() const { return levels_.complete == levels_.largest; }

  double effort_left() const { return options_.effort - growth_.effort() - looks_ * kLookSeconds; }

  // Growth may spend this share of the effort that is left.
  void allow(double share) { growth_.limit_effort(growth_.effort() + share * effort_left()); }

  template <class Work> bool gains(Work work) {
    const double before = score_now_;
    work();
    return score_now_ > before + rounding(before);
  }

  void go_round(unsigned cycle, double thoroughness) {
    stay_within_memory();
    allow(kShareOfOrders);
    anneal(cycle, thoroughness);
    allow(kShareOfNeighbours);
    for (unsigned round = 0; round < kMostRounds && !watch_.stopped(); ++round)
      if (!gains([&] { search_pool(thoroughness, round == 0); }))
        break;
  }

  static ParentSets no_sets(Node nodes) {
    ParentSets none;
    none.nodes.resize(nodes);
    return none;
  }

  void begin() {
    Graph first = start_within_rules();
    if (!is_acyclic(first))
      first = options_.rules.required;
    if (!is_acyclic(first))
      throw Infeasible({});
    take(std::move(first), AnytimeRecord::Clock::now());
    growth_.meet(options_.earlier);
    if (options_.quick.score)
      begin_by_quick_score();
    allow(kShareOfArcs);
    if (Graph climbed = climb_arcs(growth_, families_, watch_); climbed != families_)
      take(std::move(climbed), AnytimeRecord::Clock::now());
  }

  // Where a family takes long, as with trees, a network that is good with tables is a good place to
  // begin, and found sooner than the first families are scored.
  void begin_by_quick_score() {
    LocalScore &quick = *options_.quick.score;
    DemandOptions options;
    options.rules = options_.rules;
    options.cycles = 1;
    options.cost = options_.quick.cost;
    options.effort = kQuickEffort;
    options.memory_limit = options_.memory_limit;
    options.seconds = kShareOfQuick * options_.seconds;
    for (Node v = 0; v < size(); ++v)
      for (const Node u : options.rules.required[v])
        if (!quick.admits(v, u))
          return;
    const Host part = nested_host(watch_, options.seconds);
    Watch watch(part);
    const DemandResult found = Search(data_, quick, options, watch).run();
    if (watch_.stopped())
      return;
    Graph families = graph_of(found.pool, found.network);
    double score = 0;
    for (const double family : growth_.meet(families))
      score += family;
    if (score > score_now_)
      take(std::move(families), AnytimeRecord::Clock::now());
  }

  // The caller's network; the required parents alone where it breaks a rule.
  Graph start_within_rules() const {
    const FamilyRules &rules = options_.rules;
    if (options_.start.empty())
      return rules.required;
    Graph start = options_.start;
    for (Node v = 0; v < size(); ++v)
      if (!allows(rules, score_, v, start[v]))
        start[v] = rules.required[v];
    return start;
  }

  // These are the families now.
  void take(Graph families, AnytimeRecord::Clock::time_point when) {
    const double before = score_now_;
    families_ = std::move(families);
    score_now_ = 0;
    for (const double score : growth_.meet(families_))
      score_now_ += score;
    if (improvements_.empty() || score_now_ > before + rounding(before))
      last_gain_ = when;
    improvements_.push_back({when, score_now_});
    watch_.report_bounds(score_now_, std::numeric_limits<double>::infinity());
  }

  void take_if_better(const ParentSets &pool, const Network &network,
                      AnytimeRecord::Clock::time_point when) {
    if (network.score > score_now_ + rounding(score_now_))
      take(graph_of(pool, network), when);
  }

  double memory_limit() const { return options_.memory_limit / kMemoryShare; }

  void stay_within_memory() {
    if (growth_.bytes() <= memory_limit())
      return;
    growth_.forget();
    growth_.meet(families_);
  }

  // Climbs with small families first: in a poor order large ones are many, take long, and tell
  // little. Apart from the network found so far, so that there are two places to go on from.
  void climb_by_stages(std::uint64_t seed) {
    std::vector<Node> order = topological_order(options_.rules.required);
    for (const unsigned most : kFirstSizes) {
      growth_.limit_growth(most);
      OrderClimb climb(growth_, std::move(order), seed, watch_);
      climb.climb();
      take_from(climb);
      order = climb.order();
    }
    growth_.limit_growth(UINT32_MAX);
  }

  void anneal(unsigned cycle, double thoroughness) {
    const std::uint64_t seed = watch_.host().seed(cycle);
    if (cycle == 0 && options_.start.empty())
      climb_by_stages(seed);
    OrderClimb climb(growth_, topological_order(families_), seed, watch_);
    climb.climb();
    climb.shake(static_cast<std::size_t>(kShakesPerNode * size() * thoroughness), kHot, kCold,
                memory_limit(), spent_on_orders());
    take_from(climb);
  }

  // From now on, the share of the effort and of the time that a search over orders may take.
  std::function<double()> spent_on_orders() const {
    const double effort = growth_.effort(), most_effort = kShareOfOrders * effort_left();
    const double begun = seconds_past(), most_seconds = kShareOfOrders * seconds_left();
    return [=] {
      return most_effort <= 0 || most_seconds <= 0
                 ? 1
                 : std::max((growth_.effort() - effort) / most_effort,
                            (seconds_past() - begun) / most_seconds);
    };
  }

  void take_from(const OrderClimb &climb) {
    for (const Improvement &improvement : climb.improvements())
      if (improvement.score > improvements_.back().score)
        improvements_.push_back(improvement);
    if (climb.score() <= score_now_)
      return;
    Graph found(size());
    for (Node v = 0; v < size(); ++v)
      found[v] = growth_.table(v).members(climb.families()[v]);
    take(std::move(found), improvements_.back().when);
  }

  PoolSize pool_size(double thoroughness) const {
    const double each = std::clamp(kSets / size(), kLeastSetsPerNode, kMostSetsPerNode);
    return {static_cast<std::size_t>(each * std::clamp(thoroughness, 1.0, kMostGrown)),
            static_cast<std::size_t>(kMembers / size())};
  }

  // Searches what is known: of every node the best sets that were met, and those of complete
  // levels.
  void search_pool(double thoroughness, bool from_scratch) {
    growth_.learn_neighbours(families_);
    if (watch_.stopped())
      return;
    ParentSets met = collect_pool(growth_, families_, pool_size(thoroughness), watch_);
    if (watch_.stopped())
      return;
    met_ = std::move(met);
    const ParentSets pool = with_levels();
    LocalSearchOptions options;
    options.chains = 1;
    options.restarts = from_scratch;
    options.anneals = from_scratch;
    options.thoroughness = thoroughness * std::min(1.0, kThoroughNodes / size());
    options.most_work = kShareOfPool * effort_left() / kLookSeconds;
    options.first_stream = kPoolStreams + pools_++;
    options.start = topological_order(families_);
    const LocalSearchResult found = local_search(whole_problem(pool), options, watch_);
    insertions_ += found.insertions;
    looks_ += found.work;
    take_if_better(pool, found.network, found.improvements.back().when);
  }

  // Searches the same by branch and bound, for a while.
  void search_exactly(double thoroughness) {
    const ParentSets pool = with_levels();
    const Host quiet = nested_host(watch_);
    Watch watch(quiet);
    SearchOptions options;
    options.chains = 0;
    options.effort = kProofSeconds * thoroughness;
    options.memory_limit = options_.memory_limit;
    options.start = topological_order(families_);
    take_if_better(pool, solve(pool, options, watch).network, AnytimeRecord::Clock::now());
  }

  double seconds_at(AnytimeRecord::Clock::time_point when) const {
    return std::chrono::duration<double>(when - begun_).count();
  }

  double seconds_past() const { return seconds_at(AnytimeRecord::Clock::now()); }

  // For all this.
  double seconds_left() const { return kShareOfAll * options_.seconds - seconds_past(); }

  double seconds_for_levels() const {
    return (is_quiet() ? kMostOfLevels : kShareOfLevels) *
           std::max(0.0, options_.seconds - seconds_past());
  }

  bool is_quiet() const {
    return levels_.effort > 0 && seconds_past() > kQuiet * seconds_at(last_gain_);
  }

  // What is scored of a level that time cuts off is lost, so it is not begun then.
  double budget_by_pace() const {
    if (!lasts_all_time())
      return options_.budget;
    const double pace =
        level_pace_ > 0 ? level_pace_ : kFirstPace * growth_.scored() / seconds_past();
    return std::min(options_.budget, pace * seconds_for_levels());
  }

  // All sets of few parents, as far as there is time; where there is none for all pairs, those of
  // the most promising parents. Two parents that are useless alone no other way leads to.
  void learn_small_sets() {
    const double budget = budget_by_pace(), seconds = seconds_for_levels();
    if (seconds < 2 * level_seconds_) // hardly anything new
      return;
    score_levels(seconds, budget);
    const auto per_parent = static_cast<double>(size()) * size();
    if (least_complete(levels_) < 2)
      growth_.learn_pairs(static_cast<std::size_t>(std::min(budget / per_parent, kMostPromising)));
  }

  // Scores the further levels that the budget and the time carry.
  void score_levels(double seconds, double budget) {
    const Host part = nested_host(watch_, seconds, true);
    Watch watch(part);
    EnumerationLimits limits;
    limits.budget = budget;
    if (lasts_all_time() && !is_quiet()) // it is what there is time for
      limits.branching = 0;
    const double before = seconds_past(), effort = levels_.effort;
    levels_ = enumeration_.go_on(limits, watch);
    level_seconds_ = seconds_past() - before;
    if (level_seconds_ > kTelling)
      level_pace_ = (levels_.effort - effort) / level_seconds_;
  }

  static EnumerationOptions level_options(const DemandOptions &options) {
    EnumerationOptions levels;
    levels.rules = options.rules;
    levels.slack = options.slack;
    levels.memory_limit = options.memory_limit;
    levels.partial = true;
    return levels;
  }

  static int least_complete(const EnumerationResult &levels) {
    return *std::min_element(levels.complete.begin(), levels.complete.end());
  }

  // What was met and levels hold; sets of no more parents than a complete level has that are not
  // among its sets have a subset that is as good.
  ParentSets with_levels() const {
    ParentSets joined = levels_.sets;
    for (Node v = 0; v < size(); ++v) {
      const CandidateSets &met = met_.nodes[v];
      CandidateSets &sets = joined.nodes[v];
      for (std::size_t i = 0; i < met.size(); ++i)
        if (static_cast<int>(met.size_of(i)) > levels_.complete[v])
          sets.add(met.score[i], met.begin_of(i), met.end_of(i));
      sets.sort();
    }
    return joined;
  }

  // The pool, in which the network's families are, whatever became of the rest of it, scored as
  // LocalScore::score() does it.
  DemandResult finish() {
    std::vector<Node> nodes(size());
    std::iota(nodes.begin(), nodes.end(), Node{0});
    if (score_.extends_fast()) // or else they are exact
      rescore(met_, score_, watch_);
    DemandResult result;
    result.pool = with_levels();
    for (const Graph &families : {options_.rules.required, families_})
      include(families, score_families(score_, nodes, families, watch_), result.pool);
    choose(families_, result);
    result.complete = std::move(levels_.complete);
    result.largest = std::move(levels_.largest);
    result.considered = std::move(levels_.considered);
    result.counted = std::move(levels_.counted);
    result.improvements = in_order(std::move(improvements_));
    result.scored = growth_.scored();
    result.insertions = insertions_;
    return result;
  }

  static void include(const Graph &families, const std::vector<double> &scores, ParentSets &pool) {
    for (Node v = 0; v < pool.size(); ++v) {
      CandidateSets &sets = pool.nodes[v];
      const std::size_t known = find_set(sets, families[v]);
      if (known < sets.size())
        sets.score[known] = scores[v];
      else
        sets.add(scores[v], families[v].data(), families[v].data() + families[v].size());
      sets.sort();
    }
  }

  static void choose(const Graph &families, DemandResult &result) {
    result.network.score = 0;
    for (Node v = 0; v < result.pool.size(); ++v) {
      const std::size_t chosen = find_set(result.pool.nodes[v], families[v]);
      result.network.choice.push_back(static_cast<std::uint32_t>(chosen));
      result.network.score += result.pool.nodes[v].score[chosen];
    }
  }

  const AnytimeRecord::Clock::time_point begun_ = AnytimeRecord::Clock::now();
  const Dataset &data_;
  LocalScore &score_;
  const DemandOptions &options_;
  Watch &watch_;
  Growth growth_;
  Graph families_; // of the best network so far, its score, and what is known around it
  double score_now_ = 0;
  AnytimeRecord::Clock::time_point last_gain_; // by more than rounding
  ParentSets met_;
  EnumerationResult levels_;
  Enumeration enumeration_;
  double level_seconds_ = 0,
         level_pace_ = 0; // of the last; the pace in sets a second, 0 if unknown
  std::vector<Improvement> improvements_;
  double insertions_ = 0, looks_ = 0; // of local search
  std::uint64_t pools_ = 0;           // searched so far
  double round_seconds_ = 0;          // of the last cycle, with a thoroughness of 1; 0 before
};

} // namespace

DemandResult demand_search(const Dataset &data, LocalScore &score, const DemandOptions &options,
                           Watch &watch) {
  const Host part = nested_host(watch, options.seconds * kShareOfAll, true);
  Watch all(part);
  return Search(data, score, options, all).run();
}

} // namespace optbn
