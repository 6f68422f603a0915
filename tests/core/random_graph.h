// Random graphs, and slow, obvious counterparts of the algorithms of core/graph, for its tests.
#pragma once

#include "core/base/random.h"
#include "core/graph/undirected.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

namespace optbn {

inline UndirectedGraph graph_of_edges(Node n, const std::vector<std::pair<Node, Node>> &edges) {
  UndirectedGraph graph;
  graph.neighbours.resize(n);
  for (const auto &[a, b] : edges) {
    graph.neighbours[a].push_back(b);
    graph.neighbours[b].push_back(a);
  }
  for (std::vector<Node> &nodes : graph.neighbours)
    std::sort(nodes.begin(), nodes.end());
  return graph;
}

// Every pair is joined with this probability.
inline UndirectedGraph random_graph(Node n, double density, Random &random) {
  std::vector<std::pair<Node, Node>> edges;
  for (Node v = 0; v < n; ++v)
    for (Node w = 0; w < v; ++w)
      if (random.uniform() < density)
        edges.push_back({v, w});
  return graph_of_edges(n, edges);
}

inline UndirectedGraph grid_graph(Node rows, Node columns) {
  std::vector<std::pair<Node, Node>> edges;
  for (Node i = 0; i < rows * columns; ++i) {
    if (i % columns + 1 < columns)
      edges.push_back({i, static_cast<Node>(i + 1)});
    if (i + columns < rows * columns)
      edges.push_back({i, static_cast<Node>(i + columns)});
  }
  return graph_of_edges(static_cast<Node>(rows * columns), edges);
}

inline std::vector<Node> ascending_nodes(Node n) {
  std::vector<Node> nodes(n);
  std::iota(nodes.begin(), nodes.end(), Node{0});
  return nodes;
}

inline std::vector<Node> random_nodes(Node n, Random &random) {
  std::vector<Node> nodes = ascending_nodes(n);
  random.shuffle(nodes);
  return nodes;
}

// The same graph with node v called name[v].
inline UndirectedGraph renamed(const UndirectedGraph &graph, const std::vector<Node> &name) {
  UndirectedGraph result;
  result.neighbours.resize(graph.size());
  for (Node v = 0; v < graph.size(); ++v) {
    for (const Node w : graph.neighbours[v])
      result.neighbours[name[v]].push_back(name[w]);
    std::sort(result.neighbours[name[v]].begin(), result.neighbours[name[v]].end());
  }
  return result;
}

inline bool is_order(std::vector<Node> order, Node n) {
  std::sort(order.begin(), order.end());
  return order == ascending_nodes(n);
}

// By definition: eliminates node after node, and joins the neighbours of each.
inline std::vector<std::set<Node>> bags_of(const UndirectedGraph &graph,
                                           const std::vector<Node> &order) {
  std::vector<std::set<Node>> adjacent;
  for (const std::vector<Node> &nodes : graph.neighbours)
    adjacent.emplace_back(nodes.begin(), nodes.end());
  std::vector<std::set<Node>> bags;
  for (const Node v : order) {
    const std::set<Node> around = adjacent[v];
    for (const Node a : around) {
      adjacent[a].insert(around.begin(), around.end());
      adjacent[a].erase(a);
      adjacent[a].erase(v);
    }
    bags.push_back(around);
    bags.back().insert(v);
  }
  return bags;
}

inline unsigned width_of(const UndirectedGraph &graph, const std::vector<Node> &order) {
  std::size_t largest = 1;
  for (const std::set<Node> &bag : bags_of(graph, order))
    largest = std::max(largest, bag.size());
  return static_cast<unsigned>(largest - 1);
}

// The least width of all orders. Few nodes.
inline unsigned least_width(const UndirectedGraph &graph) {
  std::vector<Node> order = ascending_nodes(graph.size());
  unsigned best = graph.size();
  do
    best = std::min(best, width_of(graph, order));
  while (std::next_permutation(order.begin(), order.end()));
  return best;
}

// The same by the recursion over sets of nodes that are eliminated first (Bodlaender et al. 2012,
// doi 10.1145/2390176.2390188): the last one of a set S, v, has as neighbours the nodes outside S
// that are reached by paths through the others of S. Up to some 15 nodes.
inline unsigned least_width_by_subsets(const UndirectedGraph &graph) {
  const Node n = graph.size();
  std::vector<unsigned> width(std::size_t{1} << n, 0);
  for (std::size_t set = 1; set < width.size(); ++set) {
    width[set] = n;
    for (Node v = 0; v < n; ++v) {
      if (!(set >> v & 1))
        continue;
      std::vector<Node> reached{v};
      std::size_t met = std::size_t{1} << v;
      unsigned outside = 0;
      for (std::size_t i = 0; i < reached.size(); ++i)
        for (const Node w : graph.neighbours[reached[i]])
          if (!(met >> w & 1)) {
            met |= std::size_t{1} << w;
            if (set >> w & 1)
              reached.push_back(w);
            else
              ++outside;
          }
      const std::size_t others = set & ~(std::size_t{1} << v);
      width[set] = std::min(width[set], std::max(width[others], outside));
    }
  }
  return width.back();
}

// A clique of k + 1 nodes, then node after node joined to a random k of a random earlier bag: a
// graph of tree-width k.
inline UndirectedGraph random_k_tree(Node n, unsigned k, Random &random) {
  std::vector<std::pair<Node, Node>> edges;
  std::vector<std::vector<Node>> bags{ascending_nodes(static_cast<Node>(k + 1))};
  for (const Node v : bags[0])
    for (Node w = 0; w < v; ++w)
      edges.push_back({v, w});
  for (Node v = static_cast<Node>(k + 1); v < n; ++v) {
    std::vector<Node> bag = bags[random.below(static_cast<std::uint32_t>(bags.size()))];
    bag.erase(bag.begin() + random.below(k + 1));
    for (const Node w : bag)
      edges.push_back({v, w});
    bag.push_back(v);
    bags.push_back(bag);
  }
  return renamed(graph_of_edges(n, edges), random_nodes(n, random));
}

// The same graph with every edge retained with this probability.
inline UndirectedGraph thinned(const UndirectedGraph &graph, double probability, Random &random) {
  std::vector<std::pair<Node, Node>> edges;
  for (Node v = 0; v < graph.size(); ++v)
    for (const Node w : graph.neighbours[v])
      if (w < v && random.uniform() < probability)
        edges.push_back({v, w});
  return graph_of_edges(graph.size(), edges);
}

inline bool is_connected(const UndirectedGraph &graph) {
  std::vector<Node> reached{0};
  std::vector<bool> met(graph.size());
  for (std::size_t i = 0; i < reached.size() && graph.size() > 0; ++i) {
    met[reached[i]] = true;
    for (const Node w : graph.neighbours[reached[i]])
      if (!met[w]) {
        met[w] = true;
        reached.push_back(w);
      }
  }
  return reached.size() == graph.size();
}

} // namespace optbn
