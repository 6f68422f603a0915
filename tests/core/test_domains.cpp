#include "check.h"
#include "search_fixtures.h"

#include "core/base/errors.h"
#include "core/structure/domains.h"

#include <numeric>

using namespace optbn;
using namespace fixtures;

namespace {

std::vector<Node> members(const Problem &problem, Node v, std::size_t i) {
  std::vector<Node> found;
  for (unsigned u = 0; u < 64 * problem.words; ++u)
    if (problem.domains[v].mask[i * problem.words + u / 64] >> (u % 64) & 1)
      found.push_back(static_cast<Node>(u));
  return found;
}

ParentSets as_sets(const Problem &problem) {
  ParentSets sets;
  sets.nodes.resize(problem.size());
  for (Node v = 0; v < problem.size(); ++v)
    for (std::size_t i = 0; i < problem.domains[v].size(); ++i) {
      const std::vector<Node> set = members(problem, v, i);
      sets.nodes[v].add(problem.domains[v].score[i], set.data(), set.data() + set.size());
    }
  return sets;
}

// Components cover every node once; a set is the part of its origin inside the component, with the
// same score, or that of an equally good one that comes earlier; other parents are in earlier
// components, or in components that were one until dominated sets had been removed.
void check_components(const ParentSets &sets, const std::vector<Component> &components) {
  std::vector<unsigned> covered(sets.size(), 0);
  for (const Component &component : components) {
    CHECK_EQUAL(component.nodes.size(), component.problem.domains.size());
    for (Node v = 0; v < component.problem.size(); ++v) {
      ++covered[component.nodes[v]];
      const Domain &domain = component.problem.domains[v];
      const CandidateSets &whole = sets.nodes[component.nodes[v]];
      CHECK(std::is_sorted(domain.score.rbegin(), domain.score.rend()));
      for (std::size_t i = 0; i < domain.size(); ++i) {
        CHECK_EQUAL(domain.score[i], whole.score[domain.origin[i]]);
        std::vector<Node> inside;
        for (const Node *u = whole.begin_of(domain.origin[i]); u != whole.end_of(domain.origin[i]);
             ++u) {
          const auto at = std::find(component.nodes.begin(), component.nodes.end(), *u);
          if (at != component.nodes.end())
            inside.push_back(static_cast<Node>(at - component.nodes.begin()));
        }
        CHECK(inside == members(component.problem, v, i));
      }
    }
  }
  CHECK(std::all_of(covered.begin(), covered.end(), [](unsigned times) { return times == 1; }));
}

// A best network of every component (by trying all), put together through the origins.
std::vector<std::uint32_t> assemble(const ParentSets &sets,
                                    const std::vector<Component> &components) {
  std::vector<std::uint32_t> whole(sets.size());
  for (const Component &component : components) {
    const ParentSets inside = as_sets(component.problem);
    std::vector<std::uint32_t> choice(inside.size(), 0), best;
    double best_score = kImpossible;
    for (Node v = 0; v < inside.size();) {
      if (total_score(inside, choice) > best_score && acyclic(inside, choice)) {
        best_score = total_score(inside, choice);
        best = choice;
      }
      for (v = 0; v < inside.size() && ++choice[v] == inside.nodes[v].size(); ++v)
        choice[v] = 0;
    }
    for (Node v = 0; v < inside.size(); ++v)
      whole[component.nodes[v]] = component.problem.domains[v].origin[best[v]];
  }
  return whole;
}

} // namespace

TEST(domains_components_add_up_to_the_optimum) {
  unsigned several = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Node n = static_cast<Node>(1 + seed % 8);
    const ParentSets sets = random_sets(seed, n, static_cast<unsigned>(2 + seed % 4), 3,
                                        static_cast<unsigned>(1 + seed % 3));
    const std::vector<Component> components = split(sets);
    several += components.size() > 1 && components.size() < n;
    check_components(sets, components);
    const std::vector<std::uint32_t> choice = assemble(sets, components);
    CHECK(acyclic(sets, choice));
    CHECK_NEAR(total_score(sets, choice), optimum(sets), 1e-9);
  }
  CHECK(several > 30); // the seeds include problems that decompose, and not into single nodes
}

// Whole numbers as scores make many ties, which must not let a cycle through.
TEST(domains_ties_keep_components_in_order) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    ParentSets sets = random_sets(seed, 6, 4, 2, 2);
    for (CandidateSets &candidates : sets.nodes) {
      for (double &score : candidates.score)
        score = std::round(score / 6);
      candidates.sort();
    }
    const std::vector<Component> components = split(sets);
    const std::vector<std::uint32_t> choice = assemble(sets, components);
    CHECK(acyclic(sets, choice));
    CHECK_NEAR(total_score(sets, choice), optimum(sets), 1e-9);
  }
}

TEST(domains_arcs_between_components_point_forward) {
  // 2 -> 0 -> {1, 3} -> 4, where 1 and 3 may be each other's parents
  ParentSets sets;
  sets.nodes.resize(5);
  add_set(sets.nodes[0], -1, {2});
  add_set(sets.nodes[1], -1, {0, 3});
  add_set(sets.nodes[2], -1, {});
  add_set(sets.nodes[3], -1, {0, 1});
  add_set(sets.nodes[4], -1, {1, 3});
  for (const std::size_t v : {0, 1, 3, 4})
    add_set(sets.nodes[v], -2, {});
  const std::vector<Component> components = split(sets);
  CHECK_EQUAL(components.size(), 4u);
  CHECK(components[0].nodes == std::vector<Node>({2}));
  CHECK(components[1].nodes == std::vector<Node>({0}));
  CHECK(components[2].nodes == std::vector<Node>({1, 3}));
  CHECK(components[3].nodes == std::vector<Node>({4}));
}

TEST(domains_free_parents_break_components_further) {
  // 0 and 1 may be each other's parents, but 2, which has none, serves 0 better.
  ParentSets sets;
  sets.nodes.resize(3);
  add_set(sets.nodes[0], -1, {2});
  add_set(sets.nodes[0], -2, {1});
  add_set(sets.nodes[0], -3, {});
  add_set(sets.nodes[1], -1, {0});
  add_set(sets.nodes[1], -3, {});
  add_set(sets.nodes[2], -1, {});
  const std::vector<Component> components = split(sets);
  CHECK_EQUAL(components.size(), 3u);
  CHECK(components[1].nodes == std::vector<Node>({0}));
  CHECK_EQUAL(components[1].problem.domains[0].size(), 1u);
  CHECK_EQUAL(components[1].problem.domains[0].origin[0], 0u);
}

TEST(domains_reduced_sets_lose_duplicates_and_dominated_ones) {
  // Inside the component {0, 1, 2, 3}, node 4 being free: {1 4}, {2 3 4}, {1}, {2 3}, {1 3}, {}
  ParentSets sets;
  sets.nodes.resize(5);
  add_set(sets.nodes[0], -1, {1, 4});
  add_set(sets.nodes[0], -2, {2, 3, 4});
  add_set(sets.nodes[0], -3, {1});
  add_set(sets.nodes[0], -4, {2, 3});
  add_set(sets.nodes[0], -5, {1, 3});
  add_set(sets.nodes[0], -6, {});
  for (const std::size_t v : {1, 2, 3}) {
    add_set(sets.nodes[v], -1, {0});
    add_set(sets.nodes[v], -2, {});
  }
  add_set(sets.nodes[4], -1, {});
  const std::vector<Component> components = split(sets);
  CHECK_EQUAL(components.size(), 2u);
  const Domain &domain = components[1].problem.domains[0];
  CHECK(domain.origin == std::vector<std::uint32_t>({0, 1, 5}));
  CHECK(domain.mask == std::vector<std::uint64_t>({0b0010, 0b1100, 0}));
}

TEST(domains_large_reduced_sets_lose_duplicates) {
  // Nodes 0 to 12 may be on cycles, 13 and 14 have no parents; both first sets of 0 come to the
  // same.
  ParentSets sets;
  sets.nodes.resize(15);
  add_set(sets.nodes[0], -1, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13});
  add_set(sets.nodes[0], -2, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14});
  add_set(sets.nodes[0], -3, {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13});
  add_set(sets.nodes[0], -4, {});
  for (std::size_t v = 1; v < 15; ++v) {
    if (v < 13)
      add_set(sets.nodes[v], -1, {0});
    add_set(sets.nodes[v], -2, {});
  }
  const std::vector<Component> components = split(sets);
  CHECK_EQUAL(components.size(), 3u);
  CHECK(components[2].problem.domains[0].origin == std::vector<std::uint32_t>({0, 2, 3}));
}

TEST(domains_many_words) {
  const Node n = 150;
  ParentSets ring, chain;
  ring.nodes.resize(n);
  chain.nodes.resize(n);
  for (Node v = 0; v < n; ++v) {
    add_set(ring.nodes[v], -1, {static_cast<Node>((v + 1) % n)});
    add_set(ring.nodes[v], -2, {});
    if (v + 1 < n)
      add_set(chain.nodes[v], -1, {static_cast<Node>(v + 1)});
    add_set(chain.nodes[v], -2, {});
  }
  const std::vector<Component> one = split(ring);
  CHECK_EQUAL(one.size(), 1u);
  CHECK_EQUAL(one[0].problem.words, 4u);
  check_components(ring, one);

  const std::vector<Component> many = split(chain);
  CHECK_EQUAL(many.size(), std::size_t{n});
  check_components(chain, many);
  for (Node i = 0; i < n; ++i)
    CHECK_EQUAL(many[i].nodes[0], n - 1 - i);
}

TEST(domains_whole_problem_has_all_sets) {
  ParentSets sets = random_sets(1, 70, 6, 3);
  add_set(sets.nodes[3], -1000, {0, 69});
  const Problem problem = whole_problem(sets);
  CHECK_EQUAL(problem.words, 2u);
  for (Node v = 0; v < 70; ++v) {
    CHECK(problem.domains[v].score == sets.nodes[v].score);
    for (std::uint32_t i = 0; i < sets.nodes[v].size(); ++i) {
      CHECK_EQUAL(problem.domains[v].origin[i], i);
      CHECK(members(problem, v, i) ==
            std::vector<Node>(sets.nodes[v].begin_of(i), sets.nodes[v].end_of(i)));
    }
  }
}

TEST(domains_feasible_exactly_when_a_network_exists) {
  unsigned infeasible = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const ParentSets sets = random_sets(seed, 6, 3, 2, 0, false);
    if (optimum(sets) == kImpossible) {
      ++infeasible;
      CHECK_THROWS(require_feasible(sets), Infeasible);
    } else {
      require_feasible(sets);
    }
  }
  CHECK(infeasible > 20 && infeasible < 180);
}

TEST(domains_infeasible_names_the_blocked_nodes) {
  ParentSets sets;
  sets.nodes.resize(5);
  add_set(sets.nodes[0], -1, {});
  add_set(sets.nodes[1], -1, {0, 3}); // 1 and 3 need each other
  add_set(sets.nodes[2], -1, {0});
  add_set(sets.nodes[3], -1, {1});
  // node 4 has no set at all
  std::vector<Node> blocked;
  try {
    require_feasible(sets);
  } catch (const Infeasible &e) {
    blocked = e.nodes;
  }
  CHECK(blocked == std::vector<Node>({1, 3, 4}));
}
