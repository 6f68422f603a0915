#include "core/graph/elimination.h"

#include "core/base/invariant.h"
#include "core/base/log_sum.h"
#include "core/graph/greedy_order.h"
#include "core/graph/reordering.h"

#include <algorithm>
#include <cmath>

namespace optbn {

namespace {

// The rules as they are, then with more and more noise.
constexpr double kNoises[] = {0, 0.1, 0.2, 0.3};

Elimination best_greedy_order(const UndirectedGraph &graph, const std::vector<double> &log_levels,
                              EliminationGoal goal, Random &random, Watch &watch) {
  const EliminationGraph start(graph, log_levels);
  Elimination best;
  double work = 0;
  for (const double noise : kNoises)
    for (const GreedyRule rule : kGreedyRules) {
      if (!best.order.empty() && (watch.stopped() || work > kMostEliminationWork))
        return best;
      Elimination next;
      next.order = greedy_order(start, rule, noise, random, watch);
      const TreeDecomposition tree = decompose(graph, next.order);
      next.cost = cost_of(tree, log_levels);
      work += elimination_work(tree);
      if (best.order.empty() || is_less(next.cost, best.cost, goal))
        best = std::move(next);
    }
  return best;
}

} // namespace

EliminationCost cost_of(const TreeDecomposition &tree, const std::vector<double> &log_levels) {
  std::vector<double> logs;
  for (const std::vector<Node> &bag : tree.bags) {
    double log = 0;
    for (const Node v : bag)
      log += log_levels.empty() ? std::log(2) : log_levels[v];
    logs.push_back(log);
  }
  return {tree.width(), log_sum_exp(logs.data(), logs.size())};
}

double elimination_work(const TreeDecomposition &tree) {
  double work = 0;
  for (const std::vector<Node> &bag : tree.bags)
    work += std::pow(static_cast<double>(bag.size()), 3);
  return work;
}

bool is_less(const EliminationCost &a, const EliminationCost &b, EliminationGoal goal) {
  if (goal == EliminationGoal::width && a.width != b.width)
    return a.width < b.width;
  return a.log_cells < b.log_cells - 1e-12 * std::max(1.0, std::abs(b.log_cells));
}

Elimination best_elimination_order(const UndirectedGraph &graph,
                                   const std::vector<double> &log_levels, EliminationGoal goal,
                                   Random &random, Watch &watch) {
  if (log_levels.empty() && graph.size() > 0)
    return best_elimination_order(graph, std::vector<double>(graph.size(), std::log(2)), goal,
                                  random, watch);
  Elimination best = best_greedy_order(graph, log_levels, goal, random, watch);
  const TreeDecomposition tree =
      reorder_regions(graph, log_levels, goal, decompose(graph, best.order), random, watch);
  OPTBN_INVARIANT(covers(tree, graph),
                  "the bags of an order are a tree decomposition of the graph");
  OPTBN_INVARIANT(!is_less(best.cost, cost_of(tree, log_levels), goal),
                  "reordering leaves bags that cost no more");
  return {elimination_order(tree), cost_of(tree, log_levels)};
}

} // namespace optbn
