#include "check.h"
#include "random_graph.h"
#include "random_problem.h"

#include "core/graph/contraction.h"
#include "core/graph/tree_decomposition.h"
#include "core/graph/tree_width.h"
#include "core/graph/width_reduction.h"
#include "core/graph/width_search.h"

using namespace optbn;

namespace {

constexpr double kMemory = 1e9;

TreeWidth width_between(const UndirectedGraph &graph, Host host = {}, std::uint64_t seed = 1) {
  Random random(seed);
  Watch watch(host);
  return tree_width(graph, kMemory, random, watch);
}

WidthSearch search(const UndirectedGraph &graph, unsigned k, Host host = {}) {
  Watch watch(host);
  return search_width(graph, k, kMemory, watch);
}

// What must hold of any result.
void check_bounds(const UndirectedGraph &graph, const TreeWidth &found) {
  CHECK(found.lower.width <= found.upper);
  CHECK(is_order(found.order, graph.size()));
  CHECK_EQUAL(decompose(graph, found.order).width(), found.upper);
  if (found.lower.searched)
    CHECK(least_degree(found.lower.minor, graph) < found.lower.width);
  else
    CHECK_EQUAL(least_degree(found.lower.minor, graph), found.lower.width);
}

void check_width(const UndirectedGraph &graph, unsigned width) {
  const TreeWidth found = width_between(graph);
  check_bounds(graph, found);
  CHECK_EQUAL(found.lower.width, width);
  CHECK_EQUAL(found.upper, width);
}

// Nodes are numbers; joined when their bits differ in one place.
UndirectedGraph hypercube(unsigned dimensions) {
  const unsigned n = 1u << dimensions;
  std::vector<std::pair<Node, Node>> edges;
  for (unsigned v = 0; v < n; ++v)
    for (unsigned bit = 1; bit < n; bit *= 2)
      if (!(v & bit))
        edges.push_back({static_cast<Node>(v), static_cast<Node>(v | bit)});
  return graph_of_edges(static_cast<Node>(n), edges);
}

UndirectedGraph cycle(Node n) {
  std::vector<std::pair<Node, Node>> edges;
  for (Node v = 0; v < n; ++v)
    edges.push_back({v, static_cast<Node>((v + 1u) % n)});
  return graph_of_edges(n, edges);
}

UndirectedGraph side_by_side(const UndirectedGraph &a, const UndirectedGraph &b) {
  UndirectedGraph both = a;
  for (std::vector<Node> nodes : b.neighbours) {
    for (Node &w : nodes)
      w = static_cast<Node>(w + a.size());
    both.neighbours.push_back(nodes);
  }
  return both;
}

} // namespace

TEST(least_degree_is_that_of_the_minor) {
  const UndirectedGraph ring = cycle(6);
  CHECK_EQUAL(least_degree({{0}, {1}, {2}, {3}, {4}, {5}}, ring), 2u);
  CHECK_EQUAL(least_degree({{0, 1}, {2, 3}, {4, 5}}, ring), 2u);
  CHECK_EQUAL(least_degree({{0}, {1}, {2}}, ring), 1u);
  CHECK_EQUAL(least_degree({{0, 1, 2}}, ring), 0u);
  CHECK_EQUAL(least_degree({}, ring), 0u);
}

TEST(least_degree_refuses_what_is_no_minor) {
  const UndirectedGraph ring = cycle(6);
  CHECK_EQUAL(least_degree({{0, 1}, {1, 2, 3}, {4, 5}}, ring), 0u);   // a node twice
  CHECK_EQUAL(least_degree({{0, 2}, {1}, {3, 4, 5}}, ring), 0u);      // not connected
  CHECK_EQUAL(least_degree({{0, 1}, {2, 3}, {4, 5}, {}}, ring), 0u);  // empty
  CHECK_EQUAL(least_degree({{1, 0}, {2, 3}, {4, 5}}, ring), 0u);      // in disorder
  CHECK_EQUAL(least_degree({{0, 1}, {2, 3}, {4, 5}, {6}}, ring), 0u); // no such node
}

TEST(minor_graphs_are_what_contraction_makes) {
  Random random(1);
  for (unsigned repeat = 0; repeat < 50; ++repeat) {
    const UndirectedGraph graph = random_graph(14, 0.25, random);
    MinorGraph minor(graph);
    while (minor.size() > 0) {
      const std::vector<Node> left = minor.nodes();
      unsigned least = minor.size() == 0 ? 0 : 14;
      for (const Node v : left)
        least = std::min(least, minor.degree(v));
      CHECK_EQUAL(least_degree(minor.minor(left), graph), least);
      CHECK_EQUAL(minor.graph(left).size(), left.size());
      std::size_t sum = 0;
      for (const std::vector<Node> &component : minor.components()) {
        CHECK(is_connected(minor.graph(component)));
        sum += component.size();
      }
      CHECK_EQUAL(sum, left.size());
      const Node v = left[random.below(static_cast<std::uint32_t>(left.size()))];
      if (minor.degree(v) == 0)
        minor.remove(v);
      else
        minor.contract(v, minor.neighbours(v)[random.below(minor.degree(v))]);
      CHECK(!minor.has(v));
    }
  }
}

TEST(reductions_keep_the_tree_width) {
  Random random(2);
  unsigned reduced = 0, left = 0;
  for (unsigned repeat = 0; repeat < 300; ++repeat) {
    const Node n = static_cast<Node>(4 + repeat % 8);
    const UndirectedGraph graph = random_graph(n, 0.2 + 0.6 * random.uniform(), random);
    const unsigned width = least_width_by_subsets(graph);
    MinorGraph rest(graph);
    LowerBound bound;
    if (random.below(2)) // as if a search had proved it
      bound = {width, {}, true};
    std::vector<Node> order;
    reduce(rest, bound, order);
    CHECK(bound.width <= width);
    CHECK(bound.searched || least_degree(bound.minor, graph) == bound.width);
    CHECK_EQUAL(order.size() + rest.size(), std::size_t{n});
    CHECK_EQUAL(std::max(bound.width, least_width_by_subsets(rest.graph(rest.nodes()))), width);
    reduced += rest.size() == 0;
    left += rest.size() > 0;
    const std::vector<Node> nodes = rest.nodes();
    const std::vector<std::set<Node>> bags = bags_of(graph, order);
    for (const std::set<Node> &bag : bags)
      CHECK(bag.size() <= bound.width + 1u);
  }
  CHECK(reduced > 50 && left > 50);
}

TEST(contraction_bounds_are_minors_and_hold) {
  Random random(3);
  Host host;
  Watch watch(host);
  for (unsigned repeat = 0; repeat < 200; ++repeat) {
    const Node n = static_cast<Node>(repeat % 11);
    const UndirectedGraph graph = random_graph(n, 0.7 * random.uniform(), random);
    LowerBound bound;
    raise_by_contraction(MinorGraph(graph), bound, random, watch);
    CHECK_EQUAL(least_degree(bound.minor, graph), bound.width);
    CHECK(bound.width <= least_width_by_subsets(graph));
  }
  LowerBound bound;
  raise_by_contraction(MinorGraph(random_graph(8, 1.1, random)), bound, random, watch);
  CHECK_EQUAL(bound.width, 7u);
  bound = {9, {}, true};
  raise_by_contraction(MinorGraph(random_graph(8, 1.1, random)), bound, random, watch);
  CHECK_EQUAL(bound.width, 9u); // a bound that is known already stays
}

TEST(width_searches_agree_with_the_recursion_over_subsets) {
  Random random(4);
  unsigned searched = 0;
  for (unsigned repeat = 0; repeat < 600; ++repeat) {
    const Node n = static_cast<Node>(1 + repeat % 11);
    const UndirectedGraph graph = random_graph(n, 0.15 + 0.6 * random.uniform(), random);
    if (!is_connected(graph))
      continue;
    ++searched;
    const unsigned width = least_width_by_subsets(graph);
    for (unsigned k = 0; k <= n; ++k) {
      const WidthSearch found = search(graph, k);
      CHECK(found.answer == (k < width ? WidthAnswer::no : WidthAnswer::yes));
      if (found.answer == WidthAnswer::yes) {
        CHECK(is_order(found.order, n));
        CHECK(width_of(graph, found.order) <= k);
      }
    }
  }
  CHECK(searched > 300);
}

TEST(width_searches_find_the_width_of_k_trees_of_any_size) {
  Random random(5);
  for (const Node n : {30, 63, 64, 65, 128, 129, 200, 300, 512})
    for (const unsigned k : {1u, 2u, 3u, 5u}) {
      const UndirectedGraph graph = random_k_tree(n, k, random);
      CHECK(search(graph, k - 1).answer == WidthAnswer::no);
      const WidthSearch found = search(graph, k);
      CHECK(found.answer == WidthAnswer::yes);
      CHECK(is_order(found.order, n));
      CHECK_EQUAL(decompose(graph, found.order).width(), k);
    }
}

TEST(width_searches_stop_when_asked_or_out_of_memory_or_too_large) {
  const UndirectedGraph grid = grid_graph(7, 7);
  CHECK(search(grid, 6, host_stopping_after(0, 1)).answer == WidthAnswer::stopped);
  Host host;
  Watch watch(host);
  CHECK(search_width(grid, 6, 1e4, watch).answer == WidthAnswer::stopped);
  CHECK(search_width(cycle(kWidthSearchNodes + 1), 1, kMemory, watch).answer ==
        WidthAnswer::stopped);
}

TEST(tree_widths_are_least_over_all_orders) {
  Random random(6);
  for (unsigned repeat = 0; repeat < 120; ++repeat) {
    const Node n = static_cast<Node>(repeat % 8);
    const UndirectedGraph graph = random_graph(n, 0.9 * random.uniform(), random);
    check_width(graph, least_width(graph));
  }
}

TEST(tree_widths_are_those_of_the_recursion_over_subsets) {
  Random random(7);
  for (unsigned repeat = 0; repeat < 60; ++repeat) {
    const Node n = static_cast<Node>(8 + repeat % 6);
    const UndirectedGraph graph = random_graph(n, 0.1 + 0.5 * random.uniform(), random);
    check_width(graph, least_width_by_subsets(graph));
  }
}

TEST(tree_widths_of_well_known_graphs) {
  check_width({}, 0);
  check_width(graph_of_edges(1, {}), 0);
  check_width(graph_of_edges(4, {}), 0);
  check_width(cycle(50), 2);
  check_width(hypercube(3), 3);
  check_width(hypercube(4), 6);
  for (const Node side : {2, 3, 4, 5, 6})
    check_width(grid_graph(side, side), side);
  const UndirectedGraph petersen = graph_of_edges(10, {{0, 1},
                                                       {1, 2},
                                                       {2, 3},
                                                       {3, 4},
                                                       {4, 0},
                                                       {0, 5},
                                                       {1, 6},
                                                       {2, 7},
                                                       {3, 8},
                                                       {4, 9},
                                                       {5, 7},
                                                       {7, 9},
                                                       {9, 6},
                                                       {6, 8},
                                                       {8, 5}});
  check_width(petersen, 4);
  Random random(8);
  check_width(random_graph(12, 1.1, random), 11);
}

TEST(tree_widths_are_the_largest_of_the_components) {
  Random random(9);
  check_width(side_by_side(grid_graph(4, 4), grid_graph(5, 5)), 5);
  check_width(side_by_side(grid_graph(5, 5), hypercube(4)), 6);
  check_width(side_by_side(random_k_tree(20, 7, random), grid_graph(6, 6)), 7);
}

TEST(tree_widths_of_thinned_k_trees_are_at_most_k) {
  Random random(10);
  for (const unsigned k : {2u, 4u, 6u}) {
    const UndirectedGraph graph = thinned(random_k_tree(60, k, random), 0.8, random);
    const TreeWidth found = width_between(graph);
    check_bounds(graph, found);
    CHECK_EQUAL(found.lower.width, found.upper);
    CHECK(found.upper <= k);
  }
}

TEST(tree_widths_do_not_depend_on_names_and_the_order_on_the_stream_alone) {
  Random random(11);
  for (unsigned repeat = 0; repeat < 5; ++repeat) {
    const UndirectedGraph graph = random_graph(30, 0.12, random);
    const TreeWidth found = width_between(graph, {}, 3);
    CHECK_EQUAL(found.lower.width, found.upper);
    CHECK(width_between(graph, {}, 3).order == found.order);
    check_width(renamed(graph, random_nodes(30, random)), found.upper);
  }
}

TEST(tree_widths_that_are_stopped_leave_valid_bounds) {
  Random random(12);
  const UndirectedGraph graph = random_graph(40, 0.12, random);
  const TreeWidth whole = width_between(graph);
  CHECK_EQUAL(whole.lower.width, whole.upper);
  for (int polls = 0; polls < 4; ++polls) {
    const TreeWidth found = width_between(graph, host_stopping_after(polls, 1));
    check_bounds(graph, found);
    CHECK(found.lower.width <= whole.upper && whole.upper <= found.upper);
  }
  Host host;
  Watch watch(host);
  const TreeWidth found = tree_width(graph, 0, random, watch); // no memory to search with
  check_bounds(graph, found);
  CHECK(found.lower.width < found.upper && !found.lower.searched);
}
