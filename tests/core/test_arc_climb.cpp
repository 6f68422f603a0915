#include "check.h"
#include "score_fixtures.h"

#include "core/base/ascending.h"
#include "core/demand/arc_climb.h"
#include "core/score/family_rules.h"

using namespace fixtures;

namespace {

// 2 -> 4 and 3 -> 4 required, 0 -> 5 forbidden, one parent at most for node 1; or no rules.
FamilyRules rules_of(bool some, Node nodes) {
  FamilyRules rules;
  rules.max_parents.assign(nodes, nodes);
  rules.required.resize(nodes);
  rules.forbidden.resize(nodes);
  if (some) {
    rules.required[4] = {2, 3};
    rules.forbidden[5] = {0};
    rules.max_parents[1] = 1;
  }
  return rules;
}

double score_of(LocalScore &score, const Graph &graph) {
  double sum = 0;
  for (Node v = 0; v < graph.size(); ++v)
    sum += score_one(score, v, graph[v]);
  return sum;
}

// All networks within the rules that differ in one arc: added, removed, or reversed.
std::vector<Graph> neighbours(const Graph &graph, const FamilyRules &rules,
                              const LocalScore &score) {
  std::vector<Graph> all;
  for (Node u = 0; u < graph.size(); ++u)
    for (Node v = 0; v < graph.size(); ++v) {
      if (u == v)
        continue;
      Graph other = graph;
      const bool there = std::binary_search(graph[v].begin(), graph[v].end(), u);
      if (there)
        erase(other[v], u);
      else
        insert(other[v], u);
      all.push_back(other);
      if (there) {
        insert(other[u], v);
        all.push_back(other);
      }
    }
  const auto outside = [&](const Graph &one) {
    bool within = is_acyclic(one);
    for (Node v = 0; v < one.size() && within; ++v)
      within = allows(rules, score, v, one[v]);
    return !within;
  };
  all.erase(std::remove_if(all.begin(), all.end(), outside), all.end());
  return all;
}

} // namespace

TEST(arc_climb_makes_the_best_single_change) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Dataset data = random_table(seed, 300, 7, 3);
    const FamilyRules rules = rules_of(seed % 2, 7);
    const auto score = make_score(data, settings("bic", 0.5));
    const Host host;
    Watch watch(host);
    Growth growth(*score, rules, watch);
    const Graph found = climb_arcs(growth, rules.required, watch);

    // The same by brute force; of equals the arc that follows the order of the columns.
    Graph wanted = rules.required;
    while (true) {
      const double now = score_of(*score, wanted);
      double best_gain = 1e-9 * std::abs(now);
      Graph best = wanted;
      bool follows = true;
      for (const Graph &other : neighbours(wanted, rules, *score)) {
        const double gain = score_of(*score, other) - now;
        bool along_order = true; // no arc against the order has been added
        for (Node v = 0; v < 7; ++v)
          for (const Node u : other[v])
            along_order =
                along_order && (u < v || std::binary_search(wanted[v].begin(), wanted[v].end(), u));
        const double tolerance = 1e-9 * std::abs(now);
        if (gain > best_gain + tolerance ||
            (gain > best_gain - tolerance && along_order && !follows)) {
          best_gain = gain;
          best = other;
          follows = along_order;
        }
      }
      if (best == wanted)
        break;
      wanted = best;
    }
    CHECK_NEAR(score_of(*score, found), score_of(*score, wanted), 1e-6);
    for (const Graph &other : neighbours(found, rules, *score))
      CHECK(score_of(*score, other) <= score_of(*score, found) + 1e-6);
  }
}

TEST(arc_climb_starts_from_any_network_and_stops_at_any_moment) {
  Dataset data = random_table(4, 200, 4, 3);
  add_continuous(data, 5, 4);
  const FamilyRules rules = rules_of(false, 8);
  const auto score = make_score(data, settings("bic-cg", 2));
  Graph start(8);
  start[5] = {0, 4, 6};
  start[6] = {1};
  const double before = score_of(*score, start);
  for (unsigned polls = 0; polls < 40; ++polls) {
    unsigned left = polls;
    Host host;
    host.should_stop = [&left] {
      return left == 0 ? StopReason::time_limit : (--left, StopReason::none);
    };
    Watch watch(host);
    Growth growth(*score, rules, watch);
    growth.meet(start);
    const Graph found = climb_arcs(growth, start, watch);
    CHECK(is_acyclic(found));
    CHECK(score_of(*score, found) >= before - 1e-9);
  }
}
