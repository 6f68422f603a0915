#include "core/treewidth/k_tree.h"

#include "core/base/invariant.h"

#include <algorithm>
#include <numeric>
#include <queue>

namespace optbn {

namespace {

// Does the number of bags, and of entries of each list, agree with the numbers of nodes and k?
bool has_size(const KTree &tree) {
  if (tree.k >= tree.nodes)
    return false;
  const std::size_t bags = tree.nodes - tree.k;
  return tree.parent.size() == bags && tree.introduced.size() == bags &&
         tree.members.size() == bags * tree.bag_size();
}

bool ascends(const Node *first, const Node *last) {
  return std::is_sorted(first, last, std::less_equal<Node>()); // less_equal: no node twice
}

bool contains(const KTree &tree, std::size_t bag, Node v) {
  return std::binary_search(tree.bag(bag), tree.bag_end(bag), v);
}

// Does the bag consist of k members of its parent and of the node that it introduces?
bool extends_parent(const KTree &tree, std::size_t bag) {
  const std::size_t parent = tree.parent[bag];
  const Node introduced = tree.introduced[bag];
  if (parent >= bag || !contains(tree, bag, introduced) || contains(tree, parent, introduced))
    return false;
  return std::all_of(tree.bag(bag), tree.bag_end(bag),
                     [&](Node v) { return v == introduced || contains(tree, parent, v); });
}

// node -> the first bag that contains it
std::vector<std::uint32_t> first_bags(const KTree &tree) {
  std::vector<std::uint32_t> first(tree.nodes, 0);
  for (std::uint32_t i = 1; i < tree.bags(); ++i)
    first[tree.introduced[i]] = i;
  return first;
}

using Neighbours = std::vector<std::vector<Node>>; // by node, ascending

Neighbours neighbours_of(Node nodes, const std::vector<std::pair<Node, Node>> &edges) {
  Neighbours neighbours(nodes);
  for (const auto &[a, b] : edges) {
    if (a >= nodes || b >= nodes)
      throw Error("an edge leads to a node that there is not");
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  }
  for (Node v = 0; v < nodes; ++v) {
    std::vector<Node> &list = neighbours[v];
    std::sort(list.begin(), list.end());
    if (!ascends(list.data(), list.data() + list.size()) ||
        std::binary_search(list.begin(), list.end(), v))
      throw Error("an edge is there twice, or leads from a node to itself");
  }
  return neighbours;
}

bool is_clique(const Neighbours &neighbours, const std::vector<Node> &nodes) {
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!std::binary_search(neighbours[nodes[i]].begin(), neighbours[nodes[i]].end(), nodes[j]))
        return false;
  return true;
}

// Removes nodes of a k-tree with k neighbours, a clique, one by one. Any such node may be removed,
// since the rest is a k-tree again.
class Peeling {
public:
  Peeling(const Neighbours &neighbours, unsigned k)
      : neighbours_(neighbours), left_(neighbours.size(), true), degree_(neighbours.size()) {
    for (Node v = 0; v < degree_.size(); ++v) {
      degree_[v] = static_cast<Node>(neighbours_[v].size());
      if (degree_[v] == k)
        ready_.push(v);
    }
    while (left_.size() - order_.size() > k + 1u)
      remove_last(k);
  }

  struct Step {
    Node node;
    std::vector<Node> separator; // its neighbours when it was removed, ascending
  };
  const std::vector<Step> &order() const { return order_; }

  std::vector<Node> rest() const {
    std::vector<Node> nodes;
    for (Node v = 0; v < left_.size(); ++v)
      if (left_[v])
        nodes.push_back(v);
    return nodes;
  }

private:
  void remove_last(unsigned k) {
    while (!ready_.empty() && degree_[ready_.top()] != k) // neighbours were removed since
      ready_.pop();
    if (ready_.empty())
      throw NotKTree(rest());
    const Node v = ready_.top();
    ready_.pop();
    std::vector<Node> separator;
    for (const Node u : neighbours_[v])
      if (left_[u])
        separator.push_back(u);
    if (!is_clique(neighbours_, separator))
      throw NotKTree(rest());
    left_[v] = false;
    for (const Node u : separator)
      if (--degree_[u] == k)
        ready_.push(u);
    order_.push_back({v, std::move(separator)});
  }

  const Neighbours &neighbours_;
  std::vector<bool> left_;
  std::vector<Node> degree_; // neighbours left
  std::priority_queue<Node> ready_;
  std::vector<Step> order_;
};

} // namespace

bool well_formed(const KTree &tree) {
  if (!has_size(tree))
    return false;
  std::vector<bool> present(tree.nodes, false);
  for (std::size_t i = 0; i < tree.bags(); ++i)
    if (!ascends(tree.bag(i), tree.bag_end(i)) || tree.bag_end(i)[-1] >= tree.nodes)
      return false;
  if (tree.parent[0] != 0 || tree.introduced[0] != tree.bag(0)[0])
    return false;
  std::for_each(tree.bag(0), tree.bag_end(0), [&](Node v) { present[v] = true; });
  for (std::size_t i = 1; i < tree.bags(); ++i) {
    if (!extends_parent(tree, i) || present[tree.introduced[i]])
      return false;
    present[tree.introduced[i]] = true;
  }
  return true;
}

// A clique of the k-tree is in the first bag of that of its members which is introduced last: its
// other members are introduced before and joined with it, and a node is joined only with members of
// its bag when it is introduced.
bool covers(const KTree &tree, const std::vector<std::vector<Node>> &parents) {
  const std::vector<std::uint32_t> first = first_bags(tree);
  for (Node v = 0; v < tree.nodes; ++v) {
    std::uint32_t bag = first[v];
    for (const Node u : parents[v])
      bag = std::max(bag, first[u]);
    if (!contains(tree, bag, v) ||
        !std::includes(tree.bag(bag), tree.bag_end(bag), parents[v].begin(), parents[v].end()))
      return false;
  }
  return true;
}

unsigned position_in_bag(const KTree &tree, std::size_t bag, Node member) {
  const Node *const first = tree.bag(bag);
  return static_cast<unsigned>(std::lower_bound(first, tree.bag_end(bag), member) - first);
}

unsigned omitted_position(const KTree &tree, std::size_t child) {
  const Node *const above = tree.bag(tree.parent[child]);
  unsigned position = 0;
  while (contains(tree, child, above[position]))
    ++position;
  return position;
}

std::vector<std::pair<Node, Node>> edges(const KTree &tree) {
  std::vector<std::pair<Node, Node>> pairs;
  for (const Node *a = tree.bag(0); a != tree.bag_end(0); ++a)
    for (const Node *b = a + 1; b != tree.bag_end(0); ++b)
      pairs.emplace_back(*a, *b);
  for (std::size_t i = 1; i < tree.bags(); ++i)
    for (const Node *u = tree.bag(i); u != tree.bag_end(i); ++u)
      if (*u != tree.introduced[i])
        pairs.push_back(std::minmax(Node{*u}, Node{tree.introduced[i]}));
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::vector<Node> elimination_order(const KTree &tree) {
  std::vector<Node> order(tree.introduced.rbegin(), tree.introduced.rend() - 1);
  order.insert(order.end(), tree.bag(0), tree.bag_end(0));
  return order;
}

KTree k_tree_of(Node nodes, unsigned k, const std::vector<std::pair<Node, Node>> &edges) {
  if (k >= nodes)
    throw Error("a k-tree has more than k nodes");
  const Neighbours neighbours = neighbours_of(nodes, edges);
  const Peeling peeling(neighbours, k);
  KTree tree{nodes, k, peeling.rest(), {0}, {}};
  if (!is_clique(neighbours, tree.members))
    throw NotKTree(tree.members);
  tree.introduced.push_back(tree.members[0]);
  std::vector<std::uint32_t> first(nodes, 0); // node -> the first bag that contains it
  for (auto step = peeling.order().rbegin(); step != peeling.order().rend(); ++step) {
    std::uint32_t parent = 0;
    for (const Node u : step->separator)
      parent = std::max(parent, first[u]);
    first[step->node] = static_cast<std::uint32_t>(tree.bags());
    tree.parent.push_back(parent);
    tree.introduced.push_back(step->node);
    std::vector<Node> bag = step->separator;
    bag.insert(std::upper_bound(bag.begin(), bag.end(), step->node), step->node);
    tree.members.insert(tree.members.end(), bag.begin(), bag.end());
  }
  OPTBN_INVARIANT(well_formed(tree), "removing nodes from a k-tree gives bags of k + 1 nodes");
  return tree;
}

} // namespace optbn
