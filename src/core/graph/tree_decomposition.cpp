// How an order becomes bags without the graph ever being changed
// ---------------------------------------------------------------
// Eliminating v joins the neighbours that are left, and hands them to the one of them whose turn
// comes next: its *heir*. So a node's neighbours at its turn are its later neighbours in the graph
// and what the nodes whose heir it is hand on (the symbolic factorisation of sparse matrices; Liu
// 1990, doi 10.1137/0611010). The bags with their heirs' bags as parents are a tree decomposition;
// time and memory are linear in the sum of their sizes, but for sorting.

#include "core/graph/tree_decomposition.h"

#include "core/base/invariant.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace optbn {

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// All by turn: what happens at the i-th elimination.
struct SymbolicElimination {
  std::vector<std::vector<Node>> neighbours; // of the node, those that are left, in no order
  std::vector<std::size_t> heir;             // the turn of the next of them; kNone without any
};

SymbolicElimination eliminate(const UndirectedGraph &graph, const std::vector<Node> &order) {
  const std::size_t n = order.size();
  std::vector<std::size_t> turn(n);
  for (std::size_t i = 0; i < n; ++i)
    turn[order[i]] = i;
  if constexpr (kCheckInvariants)
    for (std::size_t i = 0; i < n; ++i)
      OPTBN_INVARIANT(n == graph.size() && turn[order[i]] == i, "an order has every node once");
  SymbolicElimination result{std::vector<std::vector<Node>>(n), std::vector<std::size_t>(n, kNone)};
  std::vector<std::vector<std::size_t>> bequests(n); // turn -> the turns whose heir it is
  std::vector<std::size_t> taken_at(n, kNone);       // node -> the last turn that it was met at
  for (std::size_t i = 0; i < n; ++i) {
    const auto take = [&](Node w) {
      if (turn[w] <= i || taken_at[w] == i)
        return;
      taken_at[w] = i;
      result.neighbours[i].push_back(w);
      result.heir[i] = std::min(result.heir[i], turn[w]);
    };
    std::for_each(graph.neighbours[order[i]].begin(), graph.neighbours[order[i]].end(), take);
    for (const std::size_t child : bequests[i])
      std::for_each(result.neighbours[child].begin(), result.neighbours[child].end(), take);
    if (result.heir[i] != kNone)
      bequests[result.heir[i]].push_back(i);
  }
  return result;
}

// turn -> a turn whose bag has the bag of this one inside, and one node more; kNone where there is
// none. A bag has no other way to lie inside another: what contains it must hand on all of it.
std::vector<std::size_t> containing_bags(const SymbolicElimination &elimination) {
  std::vector<std::size_t> container(elimination.heir.size(), kNone);
  for (std::size_t i = 0; i < container.size(); ++i) {
    const std::size_t heir = elimination.heir[i];
    if (heir != kNone &&
        elimination.neighbours[i].size() == elimination.neighbours[heir].size() + 1)
      container[heir] = i;
  }
  return container;
}

bool contains(const std::vector<Node> &bag, Node v) {
  return std::binary_search(bag.begin(), bag.end(), v);
}

bool strictly_ascending(const std::vector<Node> &nodes) {
  return std::adjacent_find(nodes.begin(), nodes.end(), std::greater_equal<Node>()) == nodes.end();
}

// Do bags and parents make a forest of sets of the nodes 0..n-1, parents first?
bool well_formed(const TreeDecomposition &tree, Node n) {
  if (tree.parent.size() != tree.bags.size())
    return false;
  for (std::size_t i = 0; i < tree.size(); ++i)
    if (tree.parent[i] > i || !strictly_ascending(tree.bags[i]) ||
        (!tree.bags[i].empty() && tree.bags[i].back() >= n))
      return false;
  return true;
}

bool is_root(const TreeDecomposition &tree, std::size_t bag) { return tree.parent[bag] == bag; }

// Members of a bag that the bag it hangs on lacks: nodes whose uppermost bag this is.
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
  // Every node has one uppermost bag: with none it lies in no bag, with two its bags fall apart.
  std::vector<std::size_t> uppermost(n, kNone);
  for (std::size_t i = 0; i < tree.size(); ++i)
    for (const Node v : introduced(tree, i)) {
      if (uppermost[v] != kNone)
        return false;
      uppermost[v] = i;
    }
  if (std::find(uppermost.begin(), uppermost.end(), kNone) != uppermost.end())
    return false;
  // Both subtrees being connected, they meet only if one holds the other's uppermost bag.
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
  std::vector<std::size_t> place(order.size(), kNone); // turn -> the bag that has its bag inside
  for (std::size_t i = order.size(); i-- > 0;) {
    if (place[i] != kNone)
      continue;
    std::size_t outermost = i;
    for (; container[outermost] != kNone; outermost = container[outermost])
      place[outermost] = tree.size();
    place[outermost] = tree.size();
    const std::size_t heir = elimination.heir[i];
    tree.parent.push_back(static_cast<std::uint32_t>(heir == kNone ? tree.size() : place[heir]));
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
