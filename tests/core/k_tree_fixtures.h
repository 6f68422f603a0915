// k-trees made without codes, and slow, obvious counterparts of what is computed on k-trees.
#pragma once

#include "core/base/random.h"
#include "core/treewidth/k_tree.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace fixtures {

using namespace optbn;

using Edges = std::vector<std::pair<Node, Node>>;

// Grown as the definition says: each node of a random order is joined to k of some earlier bag.
inline Edges grown_edges(Node n, unsigned k, Random &random) {
  std::vector<Node> order(n);
  std::iota(order.begin(), order.end(), Node{0});
  random.shuffle(order);
  std::set<std::pair<Node, Node>> edges;
  std::vector<std::vector<Node>> bags{{order.begin(), order.begin() + k + 1}};
  for (const Node a : bags[0])
    for (const Node b : bags[0])
      if (a < b)
        edges.emplace(a, b);
  for (unsigned i = k + 1; i < n; ++i) {
    std::vector<Node> bag = bags[random.below(static_cast<std::uint32_t>(bags.size()))];
    bag.erase(bag.begin() + random.below(k + 1));
    for (const Node u : bag)
      edges.insert(std::minmax(u, order[i]));
    bag.push_back(order[i]);
    bags.push_back(bag);
  }
  return {edges.begin(), edges.end()};
}

// Node v is called name[v].
inline Edges renamed(Edges edges, const std::vector<Node> &name) {
  for (auto &[a, b] : edges)
    std::tie(a, b) = std::pair<Node, Node>(std::minmax(name[a], name[b]));
  std::sort(edges.begin(), edges.end());
  return edges;
}

inline std::vector<Node> random_names(Node n, Random &random) {
  std::vector<Node> name(n);
  std::iota(name.begin(), name.end(), Node{0});
  random.shuffle(name);
  return name;
}

inline bool joined(const Edges &edges, Node a, Node b) {
  return std::binary_search(edges.begin(), edges.end(), std::pair<Node, Node>(std::minmax(a, b)));
}

} // namespace fixtures
