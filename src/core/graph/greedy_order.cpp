#include "core/graph/greedy_order.h"

#include <cstdint>
#include <queue>

namespace optbn {

namespace {

// Never changed in the queue: an entry is void once a later one of its node has been made.
struct Entry {
  double price;
  std::uint64_t lot; // decides between equal prices
  Node node;
  std::uint32_t version;

  bool operator<(const Entry &other) const { // the queue's top is the cheapest
    return price != other.price ? price > other.price : lot > other.lot;
  }
};

double price_of(const EliminationGraph &graph, Node v, GreedyRule rule) {
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

std::vector<Node> greedy_order(EliminationGraph graph, GreedyRule rule, double blur, Random &random,
                               Watch &watch) {
  constexpr std::uint32_t kGone = static_cast<std::uint32_t>(-1);
  std::priority_queue<Entry> queue;
  std::vector<std::uint32_t> version(graph.size(), 0);
  const auto enter = [&](Node v) {
    const double price = price_of(graph, v, rule) * (1 + blur * random.uniform());
    queue.push({price, random.next(), v, ++version[v]});
  };
  for (Node v = 0; v < graph.size(); ++v)
    enter(v);

  std::vector<Node> order;
  while (!queue.empty() && !watch.stopped()) {
    const Entry next = queue.top();
    queue.pop();
    if (next.version != version[next.node])
      continue;
    version[next.node] = kGone;
    order.push_back(next.node);
    for (const Node w : graph.eliminate(next.node))
      enter(w);
  }
  for (Node v = 0; v < graph.size(); ++v)
    if (version[v] != kGone)
      order.push_back(v);
  return order;
}

} // namespace optbn
