#include "check.h"
#include "random_graph.h"

#include "core/graph/tree_decomposition.h"

using namespace optbn;

namespace {

using Bags = std::set<std::set<Node>>;

Bags as_sets(const TreeDecomposition &tree) {
  Bags sets;
  for (const std::vector<Node> &bag : tree.bags)
    sets.insert(std::set<Node>(bag.begin(), bag.end()));
  return sets;
}

bool is_inside(const std::set<Node> &a, const std::set<Node> &b) {
  return std::includes(b.begin(), b.end(), a.begin(), a.end());
}

Bags outermost(const std::vector<std::set<Node>> &bags) {
  Bags result;
  for (const std::set<Node> &bag : bags)
    if (std::none_of(bags.begin(), bags.end(), [&](const std::set<Node> &other) {
          return bag != other && is_inside(bag, other);
        }))
      result.insert(bag);
  return result;
}

unsigned component_count(const UndirectedGraph &graph) {
  std::vector<Node> leader = ascending_nodes(graph.size());
  for (Node round = 0; round < graph.size(); ++round)
    for (Node v = 0; v < graph.size(); ++v)
      for (const Node w : graph.neighbours[v])
        leader[v] = std::min(leader[v], leader[w]);
  return static_cast<unsigned>(std::set<Node>(leader.begin(), leader.end()).size());
}

unsigned root_count(const TreeDecomposition &tree) {
  unsigned count = 0;
  for (std::size_t i = 0; i < tree.size(); ++i)
    count += tree.parent[i] == i;
  return count;
}

// 0 - 1 - 2 - 3 in three bags.
const UndirectedGraph path = graph_of_edges(4, {{0, 1}, {1, 2}, {2, 3}});
const TreeDecomposition path_tree{{{1, 2}, {0, 1}, {2, 3}}, {0, 0, 0}};

} // namespace

TEST(moral_graph_joins_families) {
  // 0 -> 2 <- 1, 2 -> 3, and 4 alone
  const UndirectedGraph graph = moral_graph({{}, {}, {0, 1}, {2}, {}});
  const std::vector<std::vector<Node>> expected{{1, 2}, {0, 2}, {0, 1, 3}, {2}, {}};
  CHECK(graph.neighbours == expected);
  CHECK_EQUAL(moral_graph({}).size(), Node{0});
}

TEST(moral_graph_joins_a_pair_once_however_many_children_it_has) {
  const UndirectedGraph graph = moral_graph({{}, {0}, {0, 1}, {0, 1}});
  const std::vector<std::vector<Node>> expected{{1, 2, 3}, {0, 2, 3}, {0, 1}, {0, 1}};
  CHECK(graph.neighbours == expected);
}

TEST(decompose_makes_the_bags_of_elimination) {
  Random random(1);
  for (unsigned repeat = 0; repeat < 400; ++repeat) {
    const Node n = static_cast<Node>(repeat % 13);
    const UndirectedGraph graph = random_graph(n, 0.1 + 0.7 * random.uniform(), random);
    const std::vector<Node> order = random_nodes(n, random);
    const TreeDecomposition tree = decompose(graph, order);
    const Bags expected = outermost(bags_of(graph, order));
    CHECK(as_sets(tree) == expected);
    CHECK_EQUAL(tree.size(), expected.size());
    CHECK_EQUAL(tree.width(), width_of(graph, order));
    CHECK(covers(tree, graph));
    CHECK_EQUAL(root_count(tree), component_count(graph));
  }
}

TEST(decompose_does_not_depend_on_names) {
  Random random(2);
  const UndirectedGraph graph = random_graph(30, 0.15, random);
  std::vector<Node> order = random_nodes(30, random);
  const TreeDecomposition tree = decompose(graph, order);
  const std::vector<Node> name = random_nodes(30, random);
  for (Node &v : order)
    v = name[v];
  const TreeDecomposition other = decompose(renamed(graph, name), order);
  CHECK(tree.parent == other.parent);
  CHECK_EQUAL(tree.width(), other.width());
}

TEST(decompose_works_for_many_nodes) {
  const Node n = 60000;
  std::vector<std::pair<Node, Node>> chain, star;
  for (Node v = 1; v < n; ++v) {
    chain.push_back({static_cast<Node>(v - 1), v});
    star.push_back({0, v});
  }
  for (const auto &edges : {chain, star}) {
    const UndirectedGraph graph = graph_of_edges(n, edges);
    std::vector<Node> order = ascending_nodes(n);
    std::reverse(order.begin(), order.end());
    const TreeDecomposition tree = decompose(graph, order);
    CHECK_EQUAL(tree.width(), 1u);
    CHECK_EQUAL(tree.size(), std::size_t{n} - 1);
    CHECK(covers(tree, graph));
  }
}

TEST(elimination_order_of_a_decomposition_gives_no_larger_bags) {
  Random random(3);
  for (unsigned repeat = 0; repeat < 200; ++repeat) {
    const Node n = static_cast<Node>(repeat % 15);
    const UndirectedGraph graph = random_graph(n, 0.5 * random.uniform(), random);
    const TreeDecomposition tree = decompose(graph, random_nodes(n, random));
    const std::vector<Node> order = elimination_order(tree);
    CHECK(is_order(order, n));
    const Bags before = as_sets(tree);
    for (const std::set<Node> &bag : bags_of(graph, order))
      CHECK(std::any_of(before.begin(), before.end(),
                        [&](const std::set<Node> &other) { return is_inside(bag, other); }));
  }
}

TEST(width_of_no_bags_and_of_single_nodes_is_0) {
  CHECK_EQUAL(TreeDecomposition().width(), 0u);
  CHECK_EQUAL((TreeDecomposition{{{0}, {1}}, {0, 1}}.width()), 0u);
  CHECK(covers(TreeDecomposition(), UndirectedGraph()));
}

TEST(covers_accepts_what_is_a_decomposition) {
  CHECK(covers(path_tree, path));
  CHECK(covers({{{0, 1, 2, 3}}, {0}}, path));
  CHECK(covers({{{1, 2}, {0, 1, 2}, {2, 3}}, {0, 0, 1}}, path));
  const UndirectedGraph apart = graph_of_edges(3, {{0, 1}});
  CHECK(covers({{{0, 1}, {2}}, {0, 1}}, apart)); // a forest
  CHECK(covers({{{0, 1}, {2}}, {0, 0}}, apart)); // a tree
}

TEST(covers_refuses_what_is_none) {
  const auto refuses = [](const TreeDecomposition &tree) { return !covers(tree, path); };
  CHECK(refuses({}));
  CHECK(refuses({{{1, 2}, {0, 1}, {3}}, {0, 0, 0}}));       // no bag for 2 - 3
  CHECK(refuses({{{1, 2}, {0, 1}}, {0, 0}}));               // no bag for 3
  CHECK(refuses({{{1, 2}, {0, 1}, {2, 3}}, {0, 0, 1}}));    // the bags of 2 are not connected
  CHECK(refuses({{{1, 2}, {0, 1}, {2, 3}}, {0, 0, 2}}));    // likewise, with two roots
  CHECK(refuses({{{0, 1}, {1, 2}, {2, 3}}, {1, 1, 1}}));    // a parent that comes later
  CHECK(refuses({{{1, 2}, {0, 1}, {2, 3}}, {0, 0}}));       // a parent is missing
  CHECK(refuses({{{1, 2}, {1, 0}, {2, 3}}, {0, 0, 0}}));    // members in disorder
  CHECK(refuses({{{1, 2}, {0, 1, 1}, {2, 3}}, {0, 0, 0}})); // a member twice
  CHECK(refuses({{{1, 2}, {0, 1}, {2, 3}, {3, 4}}, {0, 0, 0, 2}})); // no such node
}
