#include "check.h"
#include "search_fixtures.h"

#include "core/structure/constraints/network_constraints.h"

using namespace optbn;
using namespace fixtures;

namespace {

// Can solving the subproblem give this network?
bool is_choice_of(const Subproblem &subproblem, const ParentSets &sets, const Network &network) {
  Graph graph = graph_of(sets, network);
  for (Node v = 0; v < sets.size(); ++v)
    if (!std::binary_search(subproblem.sets_of(v).begin(), subproblem.sets_of(v).end(),
                            network.choice[v]))
      return false;
  for (const auto &[u, v] : subproblem.order())
    graph[v].push_back(u);
  return is_acyclic(graph);
}

// And does it meet the subproblem's requirements?
bool contains(const Subproblem &subproblem, const ParentSets &sets, const Network &network) {
  const Graph graph = graph_of(sets, network);
  for (const auto &[a, b] : subproblem.adjacent())
    if (!MarkovClass(graph).adjacent(a, b))
      return false;
  for (const auto &[from, to] : subproblem.paths())
    if (!ancestors_of(graph, to)[from])
      return false;
  return is_choice_of(subproblem, sets, network);
}

unsigned count_containing(const std::vector<Subproblem> &subproblems, const ParentSets &sets,
                          const Network &network) {
  return static_cast<unsigned>(
      std::count_if(subproblems.begin(), subproblems.end(), [&](const Subproblem &subproblem) {
        return contains(subproblem, sets, network);
      }));
}

} // namespace

TEST(subproblem_branches_contain_every_network_once) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const ParentSets sets = random_sets(seed, 4, 5, 3);
    const std::vector<Network> networks = all_networks(sets);
    const Graph one = graph_of(sets, networks[seed % networks.size()]);
    std::vector<Test> same;
    for (Node v = 0; v < 4; ++v)
      same.push_back(with_exactly(v, one[v]));
    Subproblem rest(sets);
    std::vector<Subproblem> children;
    CHECK(branch(rest, same, children));
    for (const Network &network : networks) {
      const bool is_one = graph_of(sets, network) == one;
      CHECK_EQUAL(contains(rest, sets, network), is_one);
      CHECK_EQUAL(count_containing(children, sets, network), is_one ? 0u : 1u);
    }
  }
}

TEST(subproblem_branches_exclude_a_markov_class) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const ParentSets sets = random_sets(seed, 4, 6, 3);
    const std::vector<Network> networks = all_networks(sets);
    const MarkovClass out(graph_of(sets, networks[seed % networks.size()]));
    std::vector<Subproblem> children;
    branch(Subproblem(sets), out, children);
    for (const Network &network : networks) {
      const bool same = MarkovClass(graph_of(sets, network)).signature() == out.signature();
      CHECK_EQUAL(count_containing(children, sets, network) == 0, same);
    }
  }
}

TEST(subproblem_branches_on_a_violated_constraint_contain_all_that_meet_it) {
  unsigned branchings = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const ParentSets sets = random_sets(seed, 4, 5, 3);
    NetworkConstraints constraints;
    for (unsigned i = 0; i < 3; ++i) {
      const Node from = static_cast<Node>(random.below(4));
      constraints.paths.push_back(
          {from, static_cast<Node>((from + 1 + random.below(3)) % 4), random.below(2) == 0});
    }
    constraints.max_arcs = 2 + random.below(4);
    const std::optional<Subproblem> root = root_subproblem(constraints, sets);
    const std::vector<Network> networks = all_networks(sets);
    if (!root)
      continue;
    const SubproblemBound bound(sets, *root, Multipliers(), 0);
    std::vector<Subproblem> open{*root};
    for (unsigned depth = 0; depth < 4 && !open.empty(); ++depth) {
      const Subproblem subproblem = open[random.below(static_cast<unsigned>(open.size()))];
      for (const Network &network : networks) {
        const Graph graph = graph_of(sets, network);
        std::vector<Subproblem> children;
        if (!is_choice_of(subproblem, sets, network) ||
            !branch_where_violated(constraints, subproblem, graph, bound, children))
          continue;
        ++branchings;
        for (const Subproblem &child : children)
          CHECK(!contains(child, sets, network) ||
                child.forbidden_by_arcs.size() > subproblem.forbidden_by_arcs.size());
        for (const Network &other : networks)
          if (contains(subproblem, sets, other) && satisfies(constraints, graph_of(sets, other)))
            CHECK(count_containing(children, sets, other) >= 1);
        open = std::move(children);
        break;
      }
    }
  }
  CHECK(branchings > 300);
}

TEST(subproblem_bound_is_never_below_a_network) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const ParentSets sets = random_sets(seed, 5, 5, 3);
    Multipliers prices;
    prices.clusters = {{{0, 1, 2}, 1, 3 * random.uniform()}, {{1, 3, 4}, 2, random.uniform()}};
    const double arc_price = seed % 2 ? random.uniform() : 0;
    Subproblem subproblem(sets);
    subproblem.keep(with_at_least(static_cast<Node>(random.below(5)), 1), true);
    subproblem.require_path(0, 3);
    subproblem.require_path(static_cast<Node>(1 + random.below(2)), 4);
    const double bound = SubproblemBound(sets, Subproblem(sets), prices, arc_price)(subproblem);
    for (const Network &network : all_networks(sets))
      if (contains(subproblem, sets, network))
        CHECK(bound >= network.score - 1e-9 -
                           arc_price * static_cast<double>(arc_count(graph_of(sets, network))));
  }
}

TEST(subproblem_bound_adds_arc_lengths_of_a_required_path) {
  ParentSets sets;
  sets.nodes.resize(3);
  for (Node v = 0; v < 3; ++v)
    add_set(sets.nodes[v], -1, {});
  add_set(sets.nodes[1], -4, {0});
  add_set(sets.nodes[2], -6, {1});
  add_set(sets.nodes[2], -12, {0});
  Subproblem subproblem(sets);
  subproblem.require_path(0, 2);
  const SubproblemBound bound(sets, subproblem, Multipliers(), 0);
  CHECK_NEAR(bound(subproblem), -3 - 3 - 5, 1e-9);
  CHECK(bound.shortest_path(subproblem, 0, 2) == (std::vector<Node>{0, 1, 2}));
  CHECK(bound.shortest_path(subproblem, 2, 0).empty());
}

TEST(graph_searches) {
  const Graph graph{{}, {0}, {1}, {0, 2}, {}};
  CHECK(is_acyclic(graph) && !is_acyclic({{1}, {2}, {1}}));
  CHECK(topological_order(graph).size() == 5);
  CHECK(directed_path(graph, 0, 3) == (std::vector<Node>{0, 3}));
  CHECK(directed_path(graph, 1, 3) == (std::vector<Node>{1, 2, 3}));
  CHECK(directed_path(graph, 3, 1).empty());
  CHECK(ancestors_of(graph, 2) == (std::vector<bool>{true, true, true, false, false}));
  CHECK(descendants_of(graph, 1) == (std::vector<bool>{false, true, true, true, false}));
  CHECK(MarkovClass({{}, {0}, {1}}).signature() == MarkovClass({{1}, {2}, {}}).signature());
  CHECK(MarkovClass({{}, {0, 2}, {}}).signature() != MarkovClass({{}, {0}, {1}}).signature());
}
