#include "check.h"
#include "random_graph.h"
#include "random_problem.h"

#include "core/graph/elimination.h"
#include "core/graph/elimination_graph.h"
#include "core/graph/greedy_order.h"
#include "core/graph/reordering.h"

#include <cmath>

using namespace optbn;

namespace {

constexpr EliminationGoal kGoals[] = {EliminationGoal::width, EliminationGoal::cells};

std::vector<double> random_log_levels(Node n, Random &random) {
  std::vector<double> logs;
  for (Node v = 0; v < n; ++v)
    logs.push_back(std::log(2 + random.below(9)));
  return logs;
}

Elimination best_order(const UndirectedGraph &graph, const std::vector<double> &log_levels,
                       EliminationGoal goal, std::uint64_t seed = 1, Host host = {}) {
  Random random(seed);
  Watch watch(host);
  return best_elimination_order(graph, log_levels, goal, random, watch);
}

// The rest of a graph during elimination, by definition.
struct Rest {
  std::vector<std::set<Node>> adjacent;
  std::vector<double> log_levels;

  Rest(const UndirectedGraph &graph, const std::vector<double> &logs) : log_levels(logs) {
    for (const std::vector<Node> &nodes : graph.neighbours)
      adjacent.emplace_back(nodes.begin(), nodes.end());
  }

  double cost(Node v, GreedyRule rule) const {
    double fill = 0, weighted = 0, cells = log_levels[v];
    for (const Node a : adjacent[v]) {
      cells += log_levels[a];
      for (const Node b : adjacent[v])
        if (a < b && !adjacent[a].count(b)) {
          fill += 1;
          weighted += std::round(std::exp(log_levels[a])) * std::round(std::exp(log_levels[b]));
        }
    }
    switch (rule) {
    case GreedyRule::fill:
      return fill;
    case GreedyRule::weighted_fill:
      return weighted;
    case GreedyRule::degree:
      return static_cast<double>(adjacent[v].size());
    case GreedyRule::cells:
      break;
    }
    return cells;
  }

  void eliminate(Node v) {
    for (const Node a : adjacent[v]) {
      adjacent[a].insert(adjacent[v].begin(), adjacent[v].end());
      adjacent[a].erase(a);
      adjacent[a].erase(v);
    }
    adjacent[v].clear();
  }
};

EliminationCost least_cost(const UndirectedGraph &graph, const std::vector<double> &log_levels,
                           EliminationGoal goal) {
  std::vector<Node> order = ascending_nodes(graph.size());
  EliminationCost best = cost_of(decompose(graph, order), log_levels);
  while (std::next_permutation(order.begin(), order.end())) {
    const EliminationCost cost = cost_of(decompose(graph, order), log_levels);
    if (is_less(cost, best, goal))
      best = cost;
  }
  return best;
}

} // namespace

TEST(elimination_graph_counts_what_eliminations_would_join) {
  Random random(1);
  for (unsigned repeat = 0; repeat < 60; ++repeat) {
    const Node n = static_cast<Node>(1 + repeat % 20);
    const UndirectedGraph graph = random_graph(n, 0.6 * random.uniform(), random);
    const std::vector<double> logs = random_log_levels(n, random);
    EliminationGraph fast(graph, logs);
    Rest rest(graph, logs);
    std::vector<bool> eliminated(n);
    for (const Node v : random_nodes(n, random)) {
      const Rest before = rest;
      const std::vector<Node> touched = fast.eliminate(v);
      rest.eliminate(v);
      eliminated[v] = true;
      CHECK_EQUAL(std::set<Node>(touched.begin(), touched.end()).size(), touched.size());
      for (Node w = 0; w < n; ++w) {
        if (eliminated[w])
          continue;
        const std::vector<Node> &around = fast.neighbours(w);
        CHECK((rest.adjacent[w] == std::set<Node>(around.begin(), around.end())));
        CHECK(std::is_sorted(around.begin(), around.end()));
        bool changed = false;
        const double costs[] = {double(fast.fill(w)), double(fast.weighted_fill(w)),
                                double(fast.degree(w)), fast.log_cells(w)};
        for (unsigned i = 0; i < 4; ++i) {
          CHECK_NEAR(costs[i], rest.cost(w, kGreedyRules[i]), 1e-9);
          changed = changed || rest.cost(w, kGreedyRules[i]) != before.cost(w, kGreedyRules[i]);
        }
        CHECK(!changed || std::find(touched.begin(), touched.end(), w) != touched.end());
      }
    }
  }
}

TEST(greedy_orders_choose_a_node_of_least_cost) {
  Random random(2);
  Host host;
  Watch watch(host);
  for (unsigned repeat = 0; repeat < 40; ++repeat)
    for (const GreedyRule rule : kGreedyRules) {
      const Node n = static_cast<Node>(repeat % 18);
      const UndirectedGraph graph = random_graph(n, 0.6 * random.uniform(), random);
      const std::vector<double> logs = random_log_levels(n, random);
      const std::vector<Node> order =
          greedy_order(EliminationGraph(graph, logs), rule, 0, random, watch);
      CHECK(is_order(order, n));
      Rest rest(graph, logs);
      for (std::size_t i = 0; i < order.size(); ++i) {
        for (std::size_t j = i; j < order.size(); ++j)
          CHECK(rest.cost(order[i], rule) <= rest.cost(order[j], rule) + 1e-9);
        rest.eliminate(order[i]);
      }
    }
}

TEST(greedy_orders_break_ties_at_random) {
  const UndirectedGraph edgeless = graph_of_edges(6, {});
  Random random(3);
  Host host;
  Watch watch(host);
  std::vector<unsigned> first(6);
  for (unsigned repeat = 0; repeat < 600; ++repeat)
    ++first[greedy_order(EliminationGraph(edgeless, std::vector<double>(6, 1.0)), GreedyRule::fill,
                         0, random, watch)[0]];
  for (const unsigned count : first) // 100 expected, standard deviation 9
    CHECK(count > 60 && count < 140);
}

TEST(best_elimination_orders_are_as_good_as_any_of_few_nodes) {
  Random random(4);
  for (unsigned repeat = 0; repeat < 60; ++repeat)
    for (const EliminationGoal goal : kGoals) {
      const Node n = static_cast<Node>(repeat % 8);
      const UndirectedGraph graph = random_graph(n, 0.2 + 0.6 * random.uniform(), random);
      const std::vector<double> logs = random_log_levels(n, random);
      const Elimination found = best_order(graph, logs, goal);
      const EliminationCost least = least_cost(graph, logs, goal);
      CHECK(is_order(found.order, n));
      CHECK(!is_less(found.cost, least, goal));
      CHECK(!is_less(least, found.cost, goal)); // not guaranteed, but true here
    }
}

TEST(best_elimination_orders_report_their_costs) {
  Random random(5);
  for (unsigned repeat = 0; repeat < 20; ++repeat)
    for (const EliminationGoal goal : kGoals) {
      const UndirectedGraph graph = random_graph(40, 0.02 + 0.1 * random.uniform(), random);
      const std::vector<double> logs = random_log_levels(40, random);
      const Elimination found = best_order(graph, logs, goal);
      CHECK(is_order(found.order, 40));
      CHECK_EQUAL(found.cost.width, width_of(graph, found.order));
      double cells = 0;
      for (const std::vector<Node> &bag : decompose(graph, found.order).bags) {
        double product = 1;
        for (const Node v : bag)
          product *= std::exp(logs[v]);
        cells += product;
      }
      CHECK_NEAR(found.cost.log_cells, std::log(cells), 1e-9);
    }
}

TEST(best_elimination_orders_find_the_width_of_known_graphs) {
  for (const EliminationGoal goal : kGoals) {
    CHECK_EQUAL(best_order(grid_graph(6, 6), {}, goal).cost.width, 6u);
    CHECK_EQUAL(best_order(grid_graph(3, 40), {}, goal).cost.width, 3u);
    Random random(6);
    CHECK_EQUAL(best_order(random_graph(9, 1.1, random), {}, goal).cost.width, 8u);
    CHECK_EQUAL(best_order(graph_of_edges(5, {}), {}, goal).cost.width, 0u);
    CHECK_EQUAL(best_order(graph_of_edges(1, {}), {}, goal).cost.width, 0u);
    CHECK(best_order({}, {}, goal).order.empty());
  }
}

// Two hubs of 1000 levels and four switches of 2, each joined to both hubs: for the least width the
// switches are eliminated first, which joins the hubs; for the fewest cells the hubs, which joins
// the switches.
TEST(best_elimination_orders_minimise_their_goal) {
  std::vector<std::pair<Node, Node>> edges;
  for (Node v = 2; v < 6; ++v) {
    edges.push_back({0, v});
    edges.push_back({1, v});
  }
  const UndirectedGraph graph = graph_of_edges(6, edges);
  std::vector<double> logs(6, std::log(2));
  logs[0] = logs[1] = std::log(1000);
  const Elimination narrow = best_order(graph, logs, EliminationGoal::width);
  CHECK_EQUAL(narrow.cost.width, 2u);
  CHECK_NEAR(narrow.cost.log_cells, std::log(4 * 2e6), 1e-9);
  const Elimination small = best_order(graph, logs, EliminationGoal::cells);
  CHECK_EQUAL(small.cost.width, 4u);
  CHECK_NEAR(small.cost.log_cells, std::log(2 * 16e3), 1e-9);
}

TEST(best_elimination_orders_depend_on_the_stream_alone) {
  Random random(7);
  const UndirectedGraph graph = random_graph(60, 0.06, random);
  const std::vector<double> logs = random_log_levels(60, random);
  for (const EliminationGoal goal : kGoals) {
    CHECK(best_order(graph, logs, goal, 5).order == best_order(graph, logs, goal, 5).order);
    CHECK(best_order(graph, {}, goal, 5).order ==
          best_order(graph, std::vector<double>(60, std::log(2)), goal, 5).order);
  }
}

TEST(best_elimination_orders_are_orders_even_when_stopped) {
  Random random(8);
  const UndirectedGraph graph = random_graph(50, 0.1, random);
  for (int polls = 0; polls < 3; ++polls) {
    const Elimination found =
        best_order(graph, {}, EliminationGoal::width, 1, host_stopping_after(polls, 1));
    CHECK(is_order(found.order, 50));
    CHECK_EQUAL(found.cost.width, width_of(graph, found.order));
  }
}

TEST(reordering_never_makes_worse_and_improves_bad_orders_much) {
  Random random(9);
  Host host;
  Watch watch(host);
  for (unsigned repeat = 0; repeat < 10; ++repeat)
    for (const EliminationGoal goal : kGoals) {
      const UndirectedGraph graph = random_graph(60, 0.04, random);
      const std::vector<double> logs = random_log_levels(60, random);
      const TreeDecomposition start = decompose(graph, random_nodes(60, random));
      const TreeDecomposition end = reorder_regions(graph, logs, goal, start, random, watch);
      CHECK(covers(end, graph));
      CHECK(is_less(cost_of(end, logs), cost_of(start, logs), goal));
      const EliminationCost best = best_order(graph, logs, goal).cost;
      CHECK(cost_of(end, logs).width <= best.width + 2);
      CHECK(!is_less(cost_of(start, logs), best, goal));
    }
}

TEST(elimination_works_for_dense_graphs_and_hubs) {
  Random random(10);
  const UndirectedGraph dense = random_graph(150, 0.5, random);
  const Elimination found = best_order(dense, {}, EliminationGoal::width);
  CHECK(is_order(found.order, 150));
  CHECK(found.cost.width > 75 && found.cost.width < 150);
  std::vector<std::pair<Node, Node>> edges;
  for (Node v = 2; v < 2000; ++v) {
    edges.push_back({0, v});
    edges.push_back({1, v});
  }
  CHECK_EQUAL(best_order(graph_of_edges(2000, edges), {}, EliminationGoal::cells).cost.width, 2u);
}
