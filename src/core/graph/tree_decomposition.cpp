// How the bags of an order are found without changing the graph
// -------------------------------------------------------------
// Eliminating v joins its remaining neighbours. The one of them that is eliminated next is the
// parent of v in the *elimination tree*, and has the others as neighbours from then on. So the
// neighbours of a node at its elimination are its later neighbours in the graph and those of its
// children in the elimination tree (the symbolic factorisation of sparse matrices; Liu 1990, doi
// 10.1137/0611010). The bags, joined as the elimination tree joins their nodes, are a tree
// decomposition; time and memory are linear in the sum of their sizes, but for sorting.

#include "core/graph/tree_decomposition.h"

#include "core/base/invariant.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace optbn {

namespace {

constexpr std::size_t kNoPosition = static_cast<std::size_t>(-1);

// All by position in the order: what happens at the i-th elimination.
struct SymbolicElimination {
  std::vector<std::vector<Node>> neighbours; // of the node, those that are left, in no order
  std::vector<std::size_t> parent;           // in the elimination tree; kNoPosition for a root
};

SymbolicElimination eliminate(const UndirectedGraph &graph, const std::vector<Node> &order) {
  const std::size_t n = order.size();
  std::vector<std::size_t> position(n);
  for (std::size_t i = 0; i < n; ++i)
    position[order[i]] = i;
  if constexpr (kCheckInvariants)
    for (std::size_t i = 0; i < n; ++i)
      OPTBN_INVARIANT(n == graph.size() && position[order[i]] == i, "an order has every node once");
  SymbolicElimination result{std::vector<std::vector<Node>>(n),
                             std::vector<std::size_t>(n, kNoPosition)};
  std::vector<std::vector<std::size_t>> children(n); // in the elimination tree
  std::vector<std::size_t> met_at(n, kNoPosition);   // node -> the last position where it was met
  for (std::size_t i = 0; i < n; ++i) {
    const auto add = [&](Node w) {
      if (position[w] <= i || met_at[w] == i)
        return;
      met_at[w] = i;
      result.neighbours[i].push_back(w);
      result.parent[i] = std::min(result.parent[i], position[w]);
    };
    std::for_each(graph.neighbours[order[i]].begin(), graph.neighbours[order[i]].end(), add);
    for (const std::size_t child : children[i])
      std::for_each(result.neighbours[child].begin(), result.neighbours[child].end(), add);
    if (result.parent[i] != kNoPosition)
      children[result.parent[i]].push_back(i);
  }
  return result;
}

// position -> a position whose bag contains the bag of this one and one node more; kNoPosition where
// there is none. A bag can be a subset of another in this way only: the other is that of a child in
// the elimination tree, and consists of the child and this bag.
std::vector<std::size_t> containing_bags(const SymbolicElimination &elimination) {
  std::vector<std::size_t> container(elimination.parent.size(), kNoPosition);
  for (std::size_t i = 0; i < container.size(); ++i) {
    const std::size_t parent = elimination.parent[i];
    if (parent != kNoPosition &&
        elimination.neighbours[i].size() == elimination.neighbours[parent].size() + 1)
      container[parent] = i;
  }
  return container;
}

bool contains(const std::vector<Node> &bag, Node v) {
  return std::binary_search(bag.begin(), bag.end(), v);
}

bool is_ascending(const std::vector<Node> &nodes) {
  return std::adjacent_find(nodes.begin(), nodes.end(), std::greater_equal<Node>()) == nodes.end();
}

// Do bags and parents make a forest of sets of the nodes 0..n-1, parents first?
bool well_formed(const TreeDecomposition &tree, Node n) {
  if (tree.parent.size() != tree.bags.size())
    return false;
  for (std::size_t i = 0; i < tree.size(); ++i)
    if (tree.parent[i] > i || !is_ascending(tree.bags[i]) ||
        (!tree.bags[i].empty() && tree.bags[i].back() >= n))
      return false;
  return true;
}

bool is_root(const TreeDecomposition &tree, std::size_t bag) { return tree.parent[bag] == bag; }

// Members of a bag that are not in its parent: nodes whose uppermost bag this is.
std::vector<Node> introduced(const TreeDecomposition &tree, std::size_t bag) {
  if (is_root(tree, bag))
    return tree.bags[bag];
  const std::vector<Node> &members = tree.bags[bag], &above = tree.bags[tree.parent[bag]];
  std::vector<Node> result;
  std::set_difference(members.begin(), members.end(), above.begin(), above.end(),
                      std::back_inserter(result));
  return result;
}

} // namespace

unsigned TreeDecomposition::width() const {
  std::size_t largest = 1;
  for (const std::vector<Node> &bag : bags)
    largest = std::max(largest, bag.size());
  return static_cast<unsigned>(largest - 1);
}

bool covers(const TreeDecomposition &tree, const UndirectedGraph &graph) {
  const Node n = graph.size();
  if (!well_formed(tree, n))
    return false;
  // Every node must have one uppermost bag: without one it is in no bag, and with two its bags are
  // not connected.
  std::vector<std::size_t> uppermost(n, kNoPosition);
  for (std::size_t i = 0; i < tree.size(); ++i)
    for (const Node v : introduced(tree, i)) {
      if (uppermost[v] != kNoPosition)
        return false;
      uppermost[v] = i;
    }
  if (std::find(uppermost.begin(), uppermost.end(), kNoPosition) != uppermost.end())
    return false;
  // The bags of each end are a subtree; two subtrees meet only if one contains the root of the
  // other.
  for (Node v = 0; v < n; ++v)
    for (const Node w : graph.neighbours[v])
      if (!contains(tree.bags[uppermost[v]], w) && !contains(tree.bags[uppermost[w]], v))
        return false;
  return true;
}

TreeDecomposition decompose(const UndirectedGraph &graph, const std::vector<Node> &order) {
  SymbolicElimination elimination = eliminate(graph, order);
  const std::vector<std::size_t> container = containing_bags(elimination);
  TreeDecomposition tree;
  // position -> the bag that contains its bag
  std::vector<std::size_t> bag_of(order.size(), kNoPosition);
  for (std::size_t i = order.size(); i-- > 0;) {
    if (bag_of[i] != kNoPosition)
      continue;
    std::size_t outermost = i;
    for (; container[outermost] != kNoPosition; outermost = container[outermost])
      bag_of[outermost] = tree.size();
    bag_of[outermost] = tree.size();
    const std::size_t parent = elimination.parent[i];
    tree.parent.push_back(
        static_cast<std::uint32_t>(parent == kNoPosition ? tree.size() : bag_of[parent]));
    tree.bags.push_back(std::move(elimination.neighbours[outermost]));
    tree.bags.back().push_back(order[outermost]);
    std::sort(tree.bags.back().begin(), tree.bags.back().end());
  }
  return tree;
}

std::vector<Node> elimination_order(const TreeDecomposition &tree) {
  std::vector<Node> order;
  for (std::size_t i = tree.size(); i-- > 0;) {
    const std::vector<Node> nodes = introduced(tree, i);
    order.insert(order.end(), nodes.begin(), nodes.end());
  }
  return order;
}

} // namespace optbn
