#include "check.h"
#include "k_tree_fixtures.h"

using namespace optbn;
using namespace fixtures;

namespace {

// k = 0 and a single bag among them.
const std::vector<std::pair<Node, unsigned>> kShapes = {
    {1, 0}, {2, 0}, {5, 0}, {2, 1}, {9, 1}, {3, 2}, {4, 2}, {12, 2}, {7, 3}, {7, 6}, {40, 5}};

} // namespace

TEST(k_tree_is_determined_by_its_edges) {
  Random random(1);
  for (const auto &[n, k] : kShapes)
    for (unsigned repeat = 0; repeat < 20; ++repeat) {
      Edges given = grown_edges(n, k, random);
      CHECK_EQUAL(given.size(), std::size_t{k * (k - 1) / 2 + k * (n - k)});
      const Edges wanted = given;
      random.shuffle(given);
      const KTree tree = k_tree_of(n, k, given);
      CHECK(well_formed(tree));
      CHECK(edges(tree) == wanted);
      const KTree again = k_tree_of(n, k, wanted);
      CHECK(again.members == tree.members && again.parent == tree.parent);
    }
}

TEST(k_tree_edges_that_form_none_are_refused) {
  // A square has the edges of a 2-tree less one; with five nodes the count may be right.
  CHECK_THROWS(k_tree_of(4, 2, {{0, 1}, {1, 2}, {2, 3}, {0, 3}}), NotKTree);
  const Edges wheel_without_spoke = {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {0, 4}, {1, 4}, {2, 4}};
  try {
    k_tree_of(5, 2, wheel_without_spoke); // 3 has two neighbours that are not joined
    CHECK(false);
  } catch (const NotKTree &e) {
    CHECK((e.blocked == std::vector<Node>{0, 1, 2, 3, 4}));
  }
  try {
    k_tree_of(4, 1, {{0, 1}, {1, 2}, {0, 2}}); // a triangle and a lonely node
    CHECK(false);
  } catch (const NotKTree &e) {
    CHECK((e.blocked == std::vector<Node>{0, 1, 2, 3}));
  }
  CHECK_THROWS(k_tree_of(3, 2, {{0, 1}, {1, 2}}), NotKTree);
  CHECK_THROWS(k_tree_of(3, 1, {{0, 1}, {1, 2}, {1, 0}}), Error);
  CHECK_THROWS(k_tree_of(3, 1, {{0, 1}, {2, 2}}), Error);
  CHECK_THROWS(k_tree_of(3, 1, {{0, 1}, {1, 3}}), Error);
  CHECK_THROWS(k_tree_of(3, 3, {}), Error);
}

TEST(k_tree_with_a_fault_is_not_well_formed) {
  Random random(2);
  const KTree good = k_tree_of(8, 3, grown_edges(8, 3, random));
  CHECK(well_formed(good));
  const auto broken = [&](auto change) {
    KTree tree = good;
    change(tree);
    return !well_formed(tree);
  };
  CHECK(broken([](KTree &tree) { tree.k = 8; }));
  CHECK(broken([](KTree &tree) { tree.nodes = 9; }));
  CHECK(broken([](KTree &tree) { tree.parent.pop_back(); }));
  CHECK(broken([](KTree &tree) { tree.parent[0] = 1; }));
  CHECK(broken([](KTree &tree) { tree.parent[2] = 2; }));
  CHECK(broken([](KTree &tree) { std::swap(tree.members[0], tree.members[1]); }));
  CHECK(broken([](KTree &tree) { tree.members[3] = 8; }));
  CHECK(broken([](KTree &tree) { tree.introduced[0] = tree.members[1]; }));
  CHECK(broken([](KTree &tree) {
    tree.introduced[3] = *std::find_if(tree.bag(3), tree.bag_end(3),
                                       [&](Node v) { return v != tree.introduced[3]; });
  }));
  CHECK(broken([](KTree &tree) { // the last bag introduces a node that another bag introduces
    std::copy(tree.bag(1), tree.bag_end(1), tree.members.end() - 4);
    tree.introduced.back() = tree.introduced[1];
    tree.parent.back() = tree.parent[1];
  }));
  CHECK(broken([](KTree &tree) { // has too little in common with its parent
    for (std::uint32_t i = 1; i < tree.bags(); ++i)
      for (std::uint32_t j = 0; j < i; ++j) {
        std::vector<Node> common;
        std::set_intersection(tree.bag(i), tree.bag_end(i), tree.bag(j), tree.bag_end(j),
                              std::back_inserter(common));
        if (common.size() < tree.k)
          tree.parent[i] = j;
      }
  }));
}

TEST(k_tree_covers_what_has_its_families_in_bags) {
  Random random(3);
  unsigned covered = 0, not_covered = 0;
  for (unsigned repeat = 0; repeat < 400; ++repeat) {
    const Node n = static_cast<Node>(5 + random.below(5));
    const unsigned k = 1 + random.below(3);
    const Edges graph = grown_edges(n, k, random);
    std::vector<std::vector<Node>> parents(n);
    bool in_cliques = true; // a clique of a chordal graph is in a bag
    for (Node v = 0; v < n; ++v) {
      for (Node u = 0; u < n; ++u)
        if (u != v && random.below(2) && (joined(graph, u, v) || random.below(60) == 0))
          parents[v].push_back(u);
      for (const Node a : parents[v]) {
        in_cliques &= joined(graph, a, v);
        for (const Node b : parents[v])
          in_cliques &= a == b || joined(graph, a, b);
      }
    }
    const KTree tree = k_tree_of(n, k, graph);
    CHECK_EQUAL(covers(tree, parents), in_cliques);
    ++(in_cliques ? covered : not_covered);
    // Of each node the one family that is a bag.
    for (Node v = 0; v < n; ++v) {
      parents[v].clear();
      for (std::size_t i = 0; i < tree.bags() && parents[v].empty(); ++i)
        if (std::binary_search(tree.bag(i), tree.bag_end(i), v))
          std::remove_copy(tree.bag(i), tree.bag_end(i), std::back_inserter(parents[v]), v);
    }
    CHECK(covers(tree, parents));
  }
  CHECK(covered > 10 && not_covered > 10);
}

TEST(k_tree_is_eliminated_without_new_edges) {
  Random random(4);
  for (const auto &[n, k] : kShapes) {
    const Edges graph = grown_edges(n, k, random);
    const std::vector<Node> order = elimination_order(k_tree_of(n, k, graph));
    CHECK_EQUAL(order.size(), std::size_t{n});
    CHECK_EQUAL(std::set<Node>(order.begin(), order.end()).size(), std::size_t{n});
    for (std::size_t i = 0; i < order.size(); ++i) {
      std::vector<Node> later;
      std::copy_if(order.begin() + static_cast<std::ptrdiff_t>(i) + 1, order.end(),
                   std::back_inserter(later), [&](Node u) { return joined(graph, order[i], u); });
      CHECK(later.size() == std::min<std::size_t>(k, n - 1 - i));
      for (const Node a : later)
        for (const Node b : later)
          CHECK(a == b || joined(graph, a, b));
    }
  }
}
