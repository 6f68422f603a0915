#include "core/graph/contraction.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace optbn {

namespace {

std::size_t common_count(const std::vector<Node> &a, const std::vector<Node> &b) {
  std::size_t count = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i < *j) {
      ++i;
    } else if (*j < *i) {
      ++j;
    } else {
      ++count;
      ++i;
      ++j;
    }
  }
  return count;
}

Node least_sharing_neighbour(const MinorGraph &graph, Node v, const std::vector<Node> &rank) {
  const std::vector<Node> &around = graph.neighbours(v);
  return *std::min_element(around.begin(), around.end(), [&](Node a, Node b) {
    return std::make_pair(common_count(graph.neighbours(a), around), rank[a]) <
           std::make_pair(common_count(graph.neighbours(b), around), rank[b]);
  });
}

} // namespace

void raise_by_contraction(MinorGraph graph, LowerBound &bound, Random &random, Watch &watch) {
  std::vector<Node> rank(graph.capacity()); // decides ties
  std::iota(rank.begin(), rank.end(), Node{0});
  random.shuffle(rank);
  std::set<std::tuple<unsigned, Node, Node>> by_degree; // degree, rank, node
  const auto entry = [&](Node v) { return std::make_tuple(graph.degree(v), rank[v], v); };
  for (const Node v : graph.nodes())
    by_degree.insert(entry(v));
  while (!by_degree.empty() && !watch.stopped()) {
    const auto [degree, unused, v] = *by_degree.begin();
    if (degree > bound.width)
      bound = {degree, graph.minor(graph.nodes()), false};
    const std::vector<Node> around = graph.neighbours(v);
    by_degree.erase(entry(v));
    for (const Node w : around)
      by_degree.erase(entry(w));
    if (around.empty())
      graph.remove(v);
    else
      graph.contract(v, least_sharing_neighbour(graph, v, rank));
    for (const Node w : around)
      by_degree.insert(entry(w));
  }
}

} // namespace optbn
