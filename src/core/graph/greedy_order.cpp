#include "core/graph/greedy_order.h"

#include <cstdint>
#include <queue>

namespace optbn {

namespace {

// Entries in the queue are never changed: one is void once its node has a later version.
struct Entry {
  double cost;
  std::uint64_t tie_break; // decides between equal costs
  Node node;
  std::uint32_t version;

  bool operator<(const Entry &other) const { // the queue's top is the cheapest
    return cost != other.cost ? cost > other.cost : tie_break > other.tie_break;
  }
};

double rule_cost(const EliminationGraph &graph, Node v, GreedyRule rule) {
  switch (rule) {
  case GreedyRule::fill:
    return static_cast<double>(graph.fill(v));
  case GreedyRule::weighted_fill:
    return static_cast<double>(graph.weighted_fill(v));
  case GreedyRule::degree:
    return graph.degree(v);
  case GreedyRule::cells:
    break;
  }
  return graph.log_cells(v);
}

} // namespace

std::vector<Node> greedy_order(EliminationGraph graph, GreedyRule rule, double noise,
                               Random &random, Watch &watch) {
  constexpr std::uint32_t kEliminated = static_cast<std::uint32_t>(-1);
  std::priority_queue<Entry> queue;
  std::vector<std::uint32_t> version(graph.size(), 0);
  const auto push = [&](Node v) {
    const double cost = rule_cost(graph, v, rule) * (1 + noise * random.uniform());
    queue.push({cost, random.next(), v, ++version[v]});
  };
  for (Node v = 0; v < graph.size(); ++v)
    push(v);

  std::vector<Node> order;
  while (!queue.empty() && !watch.stopped()) {
    const Entry next = queue.top();
    queue.pop();
    if (next.version != version[next.node])
      continue;
    version[next.node] = kEliminated;
    order.push_back(next.node);
    for (const Node w : graph.eliminate(next.node))
      push(w);
  }
  for (Node v = 0; v < graph.size(); ++v)
    if (version[v] != kEliminated)
      order.push_back(v);
  return order;
}

} // namespace optbn
