#include "core/demand/demand_search.h"

#include "core/base/errors.h"
#include "core/base/invariant.h"
#include "core/dag/domains.h"
#include "core/dag/graph.h"
#include "core/dag/local_search.h"
#include "core/demand/order_climb.h"
#include "core/demand/pool.h"
#include "core/score/enumeration.h"

#include <cmath>
#include <numeric>
#include <utility>

namespace optbn {

namespace {

constexpr double kHot = 8, kCold = 0.3; // temperatures, in natural log units
constexpr double kShakesPerNode = 20;   // of the first cycle
constexpr double kSetsPerNode = 1000;   // in the pool of the first cycle
constexpr unsigned kMostRounds = 8;     // of a cycle; one that gains nothing is the last
constexpr unsigned kFruitless = 2;      // cycles that gain nothing, the last of which is the end
// Of the time there is: cycles may last so long, levels until so much of it is gone.
constexpr double kShareOfCycles = 0.7, kShareWithLevels = 0.8;
constexpr double kMemoryShare = 4; // of the limit, for what growth remembers

// The families of the network.
Graph families_of(const DemandResult &result) { return graph_of(result.pool, result.network); }

void choose(const Graph &families, DemandResult &result) {
  result.network = Network();
  result.network.score = 0;
  for (Node v = 0; v < result.pool.size(); ++v) {
    const std::size_t chosen = find_set(result.pool.nodes[v], families[v]);
    result.network.choice.push_back(static_cast<std::uint32_t>(chosen));
    result.network.score += result.pool.nodes[v].score[chosen];
  }
}

class Search {
public:
  Search(LocalScore &score, const DemandOptions &options, Watch &watch)
      : score_(score), options_(options), watch_(watch), growth_(score, options.rules, watch) {}

  DemandResult run() {
    begin();
    unsigned fruitless = 0;
    for (double cycle = 0; cycle < options_.cycles && !watch_.stopped(); ++cycle) {
      const double before = score_now_;
      if (growth_.bytes() > memory_limit()) {
        growth_.forget();
        growth_.meet(families_);
      }
      anneal(static_cast<std::uint64_t>(cycle));
      const double sets = kSetsPerNode * std::exp2(cycle);
      for (unsigned round = 0; round < kMostRounds && !watch_.stopped(); ++round)
        if (!search_pool(static_cast<std::size_t>(sets)))
          break;
      fruitless = score_now_ > before + rounding(before) ? 0 : fruitless + 1;
      if (fruitless == kFruitless)
        break;
    }
    return finish();
  }

private:
  Node size() const { return growth_.size(); }

  void begin() {
    Graph first = start_within_rules();
    if (!is_acyclic(first))
      first = options_.rules.required;
    if (!is_acyclic(first))
      throw Infeasible({});
    take(std::move(first), AnytimeRecord::Clock::now());
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
    families_ = std::move(families);
    score_now_ = 0;
    for (const double score : growth_.meet(families_))
      score_now_ += score;
    improvements_.push_back({when, score_now_});
    watch_.found(score_now_, std::numeric_limits<double>::infinity());
  }

  void anneal(std::uint64_t cycle) {
    OrderClimb climb(growth_, topological_order(families_), watch_.host().seed(cycle), watch_);
    climb.climb();
    const double shakes = kShakesPerNode * size() * std::exp2(static_cast<double>(cycle));
    climb.shake(static_cast<std::size_t>(shakes), kHot, kCold, memory_limit());
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

  // Searches what is known, the best sets of every node; true when that gains.
  bool search_pool(std::size_t sets_per_node) {
    if (!growth_.learn_neighbours(families_))
      return false;
    ParentSets pool = collect_pool(growth_, families_, sets_per_node, watch_);
    if (watch_.stopped())
      return false;
    pool_ = std::move(pool);
    LocalSearchOptions effort;
    effort.chains = 1;
    effort.restarts = 0;
    effort.start = topological_order(families_);
    const LocalSearchResult found = local_search(whole_problem(pool_), effort, watch_);
    insertions_ += found.insertions;
    if (found.network.score <= score_now_ + rounding(score_now_))
      return false;
    Graph families(size());
    for (Node v = 0; v < size(); ++v)
      families[v].assign(pool_.nodes[v].begin_of(found.network.choice[v]),
                         pool_.nodes[v].end_of(found.network.choice[v]));
    take(std::move(families), found.improvements.back().when);
    return true;
  }

  double memory_limit() const { return options_.memory_limit / kMemoryShare; }

  // The pool, in which the network's families are, whatever became of the rest of it.
  DemandResult finish() {
    DemandResult result;
    result.pool = std::move(pool_);
    result.pool.nodes.resize(size());
    rescore(result.pool, score_, watch_);
    std::vector<Node> nodes(size());
    std::iota(nodes.begin(), nodes.end(), Node{0});
    include(options_.rules.required, score_families(score_, nodes, options_.rules.required, watch_),
            result.pool);
    include(families_, score_families(score_, nodes, families_, watch_), result.pool);
    choose(families_, result);
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

  LocalScore &score_;
  const DemandOptions &options_;
  Watch &watch_;
  Growth growth_;
  Graph families_; // of the best network so far, its score, and what is known around it
  double score_now_ = 0;
  ParentSets pool_;
  std::vector<Improvement> improvements_;
  double insertions_ = 0;
};

// Scores the levels that the budget carries; sets of no more parents that are not among theirs have
// a subset that is as good.
void add_levels(const Dataset &data, LocalScore &score, const DemandOptions &options, Watch &watch,
                DemandResult &result) {
  EnumerationOptions levels;
  levels.rules = options.rules;
  levels.slack = options.slack;
  levels.memory_limit = options.memory_limit;
  levels.partial = true;
  levels.budget = options.budget;
  EnumerationResult found = enumerate_parent_sets(data, score, levels, watch);
  result.complete = std::move(found.complete);
  result.largest = std::move(found.largest);
  result.considered = std::move(found.considered);
  result.counted = std::move(found.counted);
  const Graph families = families_of(result);
  for (Node v = 0; v < result.pool.size(); ++v) {
    CandidateSets joined = std::move(found.sets.nodes[v]);
    const CandidateSets &met = result.pool.nodes[v];
    for (std::size_t i = 0; i < met.size(); ++i)
      if (static_cast<int>(met.size_of(i)) > result.complete[v])
        joined.add(met.score[i], met.begin_of(i), met.end_of(i));
    if (find_set(joined, families[v]) == joined.size()) // where it ties with a subset
      joined.add(met.score[result.network.choice[v]], families[v].data(),
                 families[v].data() + families[v].size());
    joined.sort();
    result.pool.nodes[v] = std::move(joined);
  }
  choose(families, result);
}

} // namespace

DemandResult demand_search(const Dataset &data, LocalScore &score, const DemandOptions &options,
                           Watch &watch) {
  const auto begun = AnytimeRecord::Clock::now();
  const auto seconds = [begun] {
    return std::chrono::duration<double>(AnytimeRecord::Clock::now() - begun).count();
  };
  const Host first_part = host_of_part(watch, options.seconds * kShareOfCycles, true);
  Watch cycles(first_part);
  DemandResult result = Search(score, options, cycles).run();
  const double left = options.seconds * kShareWithLevels - seconds();
  const Host second_part = host_of_part(watch, std::max(0.0, left), true);
  Watch levels(second_part);
  add_levels(data, score, options, levels, result);
  return result;
}

} // namespace optbn
