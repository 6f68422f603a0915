#include "check.h"
#include "score_fixtures.h"
#include "search_fixtures.h"
#include "tree_fixtures.h"

#include "core/base/ascending.h"
#include "core/base/errors.h"
#include "core/demand/demand_search.h"
#include "core/demand/order_climb.h"
#include "core/demand/pool.h"
#include "core/score/enumeration.h"
#include "core/structure/graph.h"

#include <climits>
#include <map>
#include <numeric>

using namespace fixtures;

namespace {

FamilyRules free_rules(Node nodes) {
  FamilyRules rules;
  rules.max_parents.assign(nodes, nodes);
  rules.required.resize(nodes);
  rules.forbidden.resize(nodes);
  return rules;
}

// 2 -> 4 and 3 -> 4 required, 0 -> 5 forbidden, one parent at most for node 1.
FamilyRules some_rules(Node nodes) {
  FamilyRules rules = free_rules(nodes);
  rules.required[4] = {2, 3};
  rules.forbidden[5] = {0};
  rules.max_parents[1] = 1;
  return rules;
}

std::vector<Node> random_order(Node nodes, Random &random) {
  std::vector<Node> order(nodes);
  std::iota(order.begin(), order.end(), Node{0});
  random.shuffle(order);
  return order;
}

std::vector<std::uint32_t> positions(const std::vector<Node> &order) {
  std::vector<std::uint32_t> position(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i)
    position[order[i]] = i;
  return position;
}

// How every node chose among those before it.
std::vector<Growth::Choice> choices_in(const std::vector<Node> &order, Growth &growth) {
  const std::vector<std::uint32_t> position = positions(order);
  std::vector<Growth::Query> queries;
  for (Node v = 0; v < order.size(); ++v)
    queries.push_back({v, {&position, position[v], v, false}});
  CHECK(growth.grow_shrink(queries));
  std::vector<Growth::Choice> choices;
  for (Growth::Query &query : queries)
    choices.push_back(std::move(query.choice));
  return choices;
}

// Grows and shrinks as the definition has it.
std::vector<Node> greedy(LocalScore &score, const FamilyRules &rules, Node child,
                         const std::vector<Node> &before) {
  std::vector<Node> parents = rules.required[child];
  double now = score_one(score, child, parents);
  const auto step = [&](auto make, const std::vector<Node> &candidates) {
    std::vector<Node> best = parents;
    for (const Node u : candidates) {
      std::vector<Node> other = make(u);
      if (!allows(rules, score, child, other))
        continue;
      const double value = score_one(score, child, other);
      if (value > now + 1e-9) {
        now = value;
        best = other;
      }
    }
    return std::exchange(parents, best) != best;
  };
  const auto with = [&](Node u) {
    std::vector<Node> set = parents;
    if (std::find(set.begin(), set.end(), u) == set.end())
      set.insert(std::lower_bound(set.begin(), set.end(), u), u);
    return set;
  };
  const auto without = [&](Node u) {
    std::vector<Node> set = parents;
    set.erase(std::find(set.begin(), set.end(), u));
    return set;
  };
  while (step(with, before))
    ;
  while (step(without, std::vector<Node>(parents)))
    ;
  return parents;
}

DemandResult search(const Dataset &data, const ScoreSettings &chosen, const DemandOptions &options,
                    unsigned threads = 1, unsigned polls = UINT_MAX) {
  const auto score = make_score(data, chosen);
  Host host;
  host.threads = threads;
  host.should_stop = [&polls] { return polls-- == 0 ? StopReason::time_limit : StopReason::none; };
  Watch watch(host);
  return demand_search(data, *score, options, watch);
}

void check_network(const DemandResult &found, const Dataset &data, const ScoreSettings &chosen,
                   const FamilyRules &rules) {
  const auto score = make_score(data, chosen);
  CHECK_EQUAL(found.network.choice.size(), data.size());
  CHECK(is_acyclic(graph_of(found.pool, found.network)));
  double sum = 0;
  for (Node v = 0; v < data.size(); ++v) {
    const CandidateSets &sets = found.pool.nodes[v];
    for (std::size_t i = 0; i < sets.size(); ++i)
      CHECK(allows(rules, *score, v, std::vector<Node>(sets.begin_of(i), sets.end_of(i))));
    const std::uint32_t i = found.network.choice[v];
    const double alone = score_one(*score, v, std::vector<Node>(sets.begin_of(i), sets.end_of(i)));
    CHECK_NEAR(sets.score[i], alone, 1e-11 * std::abs(alone));
    sum += sets.score[i];
  }
  CHECK_NEAR(found.network.score, sum, 1e-9);
}

} // namespace

TEST(a_table_finds_sets_without_a_member) {
  Random random(5);
  FamilyTable table;
  for (int i = 0; i < 3000; ++i) {
    std::vector<Node> set;
    for (Node u = 0; u < 14; ++u)
      if (random.below(2) == 0)
        set.push_back(u);
    table.add(set, 0);
  }
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    const std::vector<Node> set = table.members(i);
    CHECK(table.find(set) == i);
    for (const Node u : set)
      CHECK(table.find_without(i, u) == table.find(without(set, u)));
  }
}

TEST(growth_is_greedy) {
  const Dataset data = random_table(3, 200, 8, 3);
  for (const FamilyRules &rules : {free_rules(8), some_rules(8)}) {
    const auto score = make_score(data, settings("bic", 1));
    const Host host;
    Watch watch(host);
    Growth growth(*score, rules, watch);
    Random random(1);
    for (int repeat = 0; repeat < 50; ++repeat) {
      const std::vector<Node> order = random_order(8, random);
      const std::vector<Growth::Choice> choices = choices_in(order, growth);
      for (Node v = 0; v < 8; ++v) {
        std::vector<Node> before(order.begin(), std::find(order.begin(), order.end(), v));
        std::sort(before.begin(), before.end());
        const std::vector<Node> &required = rules.required[v];
        const Growth::Choice &choice = choices[v];
        if (!std::includes(before.begin(), before.end(), required.begin(), required.end())) {
          CHECK(choice.score == -LocalScore::kInfinity);
          continue;
        }
        const std::vector<Node> parents = greedy(*score, rules, v, before);
        CHECK(growth.table(v).members(choice.family) == parents);
        CHECK_NEAR(choice.score, score_one(*score, v, parents), 1e-9);
      }
    }
  }
}

TEST(a_choice_depends_only_on_nodes_added_or_absent) {
  const Dataset data = random_table(4, 300, 9, 3);
  const auto score = make_score(data, settings("bic", 1));
  const Host host;
  Watch watch(host);
  Growth growth(*score, some_rules(9), watch);
  Random random(2);
  const auto choose = [&](Node v, const std::vector<std::uint32_t> &position, Node other,
                          bool inside) {
    std::vector<Growth::Query> queries{{v, {&position, position[v], other, inside}}};
    growth.grow_shrink(queries);
    return queries[0].choice;
  };
  unsigned changes = 0;
  for (int repeat = 0; repeat < 40; ++repeat) {
    const std::vector<std::uint32_t> position = positions(random_order(9, random));
    for (Node v = 0; v < 9; ++v) {
      const Growth::Choice choice = choose(v, position, v, false);
      for (Node u = 0; u < 9; ++u) {
        if (u == v)
          continue;
        const bool inside = position[u] < position[v];
        const Growth::Choice other = choose(v, position, u, !inside);
        CHECK(Growth::Choice::has(inside ? choice.absent : choice.added, u) == false);
        if (!Growth::Choice::has(inside ? choice.added : choice.absent, u)) {
          CHECK(other.family == choice.family && other.added == choice.added &&
                other.absent == choice.absent);
        } else {
          ++changes;
        }
      }
    }
  }
  CHECK(changes > 100);
}

TEST(a_climb_ends_where_no_node_gains) {
  const Dataset data = random_table(5, 400, 9, 3);
  for (const FamilyRules &rules : {free_rules(9), some_rules(9)}) {
    const auto score = make_score(data, settings("bic", 1));
    const Host host;
    Watch watch(host);
    Growth growth(*score, rules, watch);
    std::vector<Node> order(9);
    std::iota(order.begin(), order.end(), Node{0});
    OrderClimb climb(growth, order, 7, watch);
    const double first = climb.score();
    climb.climb();
    CHECK(climb.score() >= first);
    order = climb.order();
    const auto total = [&](const std::vector<Node> &any) {
      double sum = 0;
      for (const Growth::Choice &choice : choices_in(any, growth))
        sum += choice.score;
      return sum;
    };
    CHECK_NEAR(total(order), climb.score(), 1e-9);
    for (std::size_t from = 0; from < 9; ++from)
      for (std::size_t to = 0; to < 9; ++to) {
        std::vector<Node> other = order;
        other.erase(other.begin() + static_cast<std::ptrdiff_t>(from));
        other.insert(other.begin() + static_cast<std::ptrdiff_t>(to), order[from]);
        CHECK(total(other) <= climb.score() + 1e-6);
      }
    climb.shake(200, 4, 0.3, LocalScore::kInfinity);
    CHECK(climb.score() >= total(order));
    for (std::size_t i = 1; i < climb.improvements().size(); ++i)
      CHECK(climb.improvements()[i].score > climb.improvements()[i - 1].score);
  }
}

TEST(annealing_ends_where_its_share_is_spent) {
  const Dataset data = random_table(5, 400, 9, 3);
  const auto score = make_score(data, settings("bic", 1));
  const Host host;
  Watch watch(host);
  Growth growth(*score, free_rules(9), watch);
  Random random(3);
  OrderClimb climb(growth, random_order(9, random), 7, watch);
  const double known = growth.scored();
  climb.shake(1000000000, 4, 0.3, LocalScore::kInfinity, [] { return 1.0; });
  CHECK_EQUAL(growth.scored(), known);
  unsigned calls = 0;
  climb.shake(1000000000, 4, 0.3, LocalScore::kInfinity, [&calls] { return ++calls / 50.0; });
  CHECK_EQUAL(calls, 50u);
  CHECK(growth.scored() > known);
}

namespace {

// Every set whose score is known, by its members.
std::map<std::vector<Node>, double> known_sets(const FamilyTable &table) {
  std::map<std::vector<Node>, double> known;
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    known[table.members(i)] = table[i].score;
    for (const FamilyTable::Extension &extension : table[i].extensions)
      known[with(table.members(i), extension.added)] = extension.score;
  }
  return known;
}

// The best score of the known subsets of a set that lack one member, and of theirs.
double best_subset(const std::map<std::vector<Node>, double> &known, const std::vector<Node> &set) {
  double best = -LocalScore::kInfinity;
  for (const Node u : set) {
    const std::vector<Node> rest = without(set, u);
    if (const auto found = known.find(rest); found != known.end())
      best = std::max({best, found->second, best_subset(known, rest)});
  }
  return best;
}

std::size_t count_larger(const CandidateSets &sets, std::size_t than) {
  std::size_t larger = 0;
  for (std::size_t i = 0; i < sets.size(); ++i)
    larger += sets.size_of(i) > than;
  return larger;
}

} // namespace

TEST(a_pool_holds_the_best_sets_that_no_subset_equals) {
  const Dataset data = random_table(8, 300, 8, 3);
  const auto score = make_score(data, settings("bic", 1));
  const Host host;
  Watch watch(host);
  for (const FamilyRules &rules : {free_rules(8), some_rules(8)}) {
    Growth growth(*score, rules, watch);
    OrderClimb climb(growth, topological_order(rules.required), 7, watch);
    climb.shake(100, 8, 0.3, LocalScore::kInfinity);
    Graph in_use(8);
    for (Node v = 0; v < 8; ++v)
      in_use[v] = growth.table(v).members(climb.families()[v]);
    const ParentSets all = collect_pool(growth, in_use, {100000, 1000000}, watch);
    const ParentSets few = collect_pool(growth, in_use, {3, 100}, watch);
    const ParentSets small = collect_pool(growth, in_use, {100000, 6}, watch);
    for (Node v = 0; v < 8; ++v) {
      const CandidateSets &sets = all.nodes[v], &best = few.nodes[v];
      std::size_t undominated = 0;
      const auto known = known_sets(growth.table(v));
      for (const auto &[set, value] : known) {
        const std::size_t i = find_set(sets, set);
        const double below = best_subset(known, set);
        if (std::abs(value - below) > 1e-9) // no mere rounding
          CHECK((i < sets.size()) == (value > below));
        if (i == sets.size())
          continue;
        ++undominated;
        CHECK_NEAR(sets.score[i], value, 1e-9);
      }
      CHECK_EQUAL(undominated, sets.size()); // every one is known
      CHECK(best.size() <= sets.size());
      for (std::size_t i = 0; i < std::min<std::size_t>(3, sets.size()); ++i)
        CHECK_EQUAL(best.score[i], sets.score[i]);
      CHECK(count_larger(best, rules.required[v].size() + 1) <= 3 + 1); // and the one in use
      const std::size_t fit = 6 / std::max<std::size_t>(1, in_use[v].size());
      CHECK(count_larger(small.nodes[v], rules.required[v].size() + 1) <= fit + 1);
    }
  }
}

// Mostly: a pair of parents that are of no use alone may stay unseen.
TEST(demand_finds_the_optimum_of_most_small_problems) {
  unsigned optimal = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (const FamilyRules &rules : {free_rules(6), some_rules(6)})
      for (const char *label : {"bic", "bde"}) {
        const Dataset data = random_table(seed, 150, 6, 3, seed % 2);
        DemandOptions options;
        options.rules = rules;
        const DemandResult found = search(data, settings(label, 1), options);
        check_network(found, data, settings(label, 1), rules);
        const auto score = make_score(data, settings(label, 1));
        EnumerationOptions all;
        all.rules = rules;
        const Host host;
        Watch watch(host);
        const double best = optimum(enumerate_parent_sets(data, *score, all, watch).sets);
        CHECK(found.network.score <= best + 1e-8 * std::abs(best));
        optimal += found.network.score >= best - 1e-8 * std::abs(best);
      }
  CHECK(optimal >= 76); // of 80
}

TEST(demand_threads_and_memory_change_nothing) {
  const Dataset data = random_table(6, 3000, 14, 3);
  DemandOptions options;
  options.rules = some_rules(14);
  options.cycles = 2;
  const DemandResult one = search(data, settings("bic", 2), options);
  const DemandResult three = search(data, settings("bic", 2), options, 3);
  CHECK_EQUAL(one.network.score, three.network.score);
  CHECK(one.network.choice == three.network.choice);
  CHECK_EQUAL(one.scored, three.scored);
  options.memory_limit = 0;
  check_network(search(data, settings("bic", 2), options), data, settings("bic", 2), options.rules);
}

TEST(demand_ends_where_its_effort_is_spent) {
  const Dataset data = random_table(6, 3000, 14, 3);
  DemandOptions options;
  options.rules = some_rules(14);
  const double all = search(data, settings("bic", 2), options).scored;
  options.cost = {1, 1, 2};
  for (const double effort : {0.0, 100.0, 400.0}) {
    options.effort = effort;
    const DemandResult one = search(data, settings("bic", 2), options);
    const DemandResult three = search(data, settings("bic", 2), options, 3);
    check_network(one, data, settings("bic", 2), options.rules);
    CHECK(one.network.choice == three.network.choice);
    CHECK_EQUAL(one.scored, three.scored);
    CHECK(one.scored < all);
    CHECK(one.scored <= 14 + effort + 14 * 13); // a batch that was begun is scored
  }
}

TEST(demand_stopped_at_any_time_has_a_network) {
  const Dataset data = random_table(7, 200, 12, 3);
  DemandOptions options;
  options.rules = some_rules(12);
  for (unsigned polls : {0u, 1u, 2u, 3u, 5u, 8u})
    check_network(search(data, settings("bic", 2), options, 1, polls), data, settings("bic", 2),
                  options.rules);
}

TEST(demand_never_loses_its_start) {
  const Dataset data = random_table(8, 500, 8, 3);
  DemandOptions best;
  best.rules = some_rules(8);
  const DemandResult found = search(data, settings("bic", 2), best);
  DemandOptions again = best;
  for (Node v = 0; v < 8; ++v) {
    const CandidateSets &sets = found.pool.nodes[v];
    again.start.emplace_back(sets.begin_of(found.network.choice[v]),
                             sets.end_of(found.network.choice[v]));
  }
  again.cycles = 0;
  CHECK_EQUAL(search(data, settings("bic", 2), again, 1, 0).network.score, found.network.score);
  again.start[1] = {0, 2}; // more parents than it may have
  check_network(search(data, settings("bic", 2), again), data, settings("bic", 2), again.rules);
}

TEST(demand_begins_trees_with_the_network_of_a_quick_score) {
  Dataset data = random_table(9, 400, 5, 3);
  add_continuous(data, 4, 3);
  DemandOptions options;
  options.rules = free_rules(8);
  options.cycles = 1;
  const double fair = std::log(400.0) / 2;
  const auto quick = make_score(data, settings("bic-cg", fair));
  const DemandResult tables = search(data, settings("bic-cg", fair), options);
  const ScoreSettings trees = tree_settings(data, "pcart");
  const auto score = make_score(data, trees);
  double begun = 0;
  for (Node v = 0; v < 8; ++v) {
    const CandidateSets &sets = tables.pool.nodes[v];
    begun +=
        score_one(*score, v,
                  {sets.begin_of(tables.network.choice[v]), sets.end_of(tables.network.choice[v])});
  }
  options.cycles = 0;
  options.quick = {quick.get(), {1e-6}};
  options.cost = {1};
  options.effort = 0; // no tree but those of this network
  const DemandResult found = search(data, trees, options);
  check_network(found, data, trees, options.rules);
  CHECK(found.network.score >= begun - 1e-9 * std::abs(begun));
  options.rules.required[0] = {6}; // no parent that a table may have
  check_network(search(data, trees, options), data, trees, options.rules);
}

TEST(demand_names_required_arcs_that_form_a_cycle) {
  DemandOptions options;
  options.rules = free_rules(3);
  options.rules.required = {{1}, {0}, {}};
  CHECK_THROWS(search(random_table(1, 50, 3, 2), settings("bic"), options), Infeasible);
}
