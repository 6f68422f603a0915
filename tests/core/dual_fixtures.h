// Slow, obvious counterparts of duals and their parts.
#pragma once

#include "random_problem.h"

#include "core/structure/bounds/dual.h"

namespace fixtures {

using namespace optbn;

// The cost of the cheapest network, over all subsets; kNoCost when there is none.
template <unsigned Words> Cost cheapest_network(const CostProblem<Words> &problem) {
  const Node n = problem.size();
  std::vector<Cost> best(std::size_t{1} << n, kNoCost);
  best[0] = 0;
  for (std::size_t nodes = 1; nodes < best.size(); ++nodes)
    for (Node v = 0; v < n; ++v) {
      if (!(nodes >> v & 1) || best[nodes ^ (std::size_t{1} << v)] == kNoCost)
        continue;
      BitSet<Words> before;
      before.word[0] = nodes ^ (std::size_t{1} << v);
      const CostDomain<Words> &domain = problem.domains[v];
      for (std::size_t i = 0; i < domain.size(); ++i)
        if (domain.set[i].inside(before))
          best[nodes] = std::min(best[nodes], best[before.word[0]] + domain.cost[i]);
    }
  return best.back();
}

// Calls visit(choice) for every acyclic choice of patterns for the nodes of a group that are not in
// `prefix`; choice[i] is ignored for those that are.
template <class Visit>
void for_each_acyclic_choice(unsigned g, unsigned prefix, std::vector<unsigned> &choice,
                             unsigned next, Visit visit) {
  while (next < g && prefix >> next & 1)
    ++next;
  if (next < g) {
    for (unsigned pattern = 0; pattern < 1u << g; ++pattern)
      if (!(pattern >> next & 1)) {
        choice[next] = pattern;
        for_each_acyclic_choice(g, prefix, choice, next + 1, visit);
      }
    return;
  }
  unsigned ordered = prefix;
  for (unsigned round = 0; round < g; ++round)
    for (unsigned i = 0; i < g; ++i)
      if (!(choice[i] & ~ordered))
        ordered |= 1u << i;
  if (ordered == (1u << g) - 1)
    visit(choice);
}

template <class Visit> void for_each_acyclic_choice(unsigned g, unsigned prefix, Visit visit) {
  std::vector<unsigned> choice(g, 0);
  for_each_acyclic_choice(g, prefix, choice, 0, visit);
}

inline BitSet<1> random_nodes(Node n, Random &random) {
  BitSet<1> nodes;
  nodes.word[0] = random.next() & ((std::uint64_t{1} << n) - 1);
  return nodes;
}

// Any multipliers at all, of the size of the costs.
inline Dual<1> random_dual(Node n, Random &random) {
  Dual<1> dual;
  for (unsigned i = 0; i < 4; ++i) {
    const BitSet<1> nodes = random_nodes(n, random);
    if (nodes.size() > 1)
      dual.clusters.push_back({nodes, 1 + random.below(nodes.size() - 1), random.below(100)});
  }
  for (unsigned i = 0; i < 2; ++i) {
    GroupInequality group;
    random_nodes(n, random).for_each([&](unsigned v) {
      if (group.nodes.size() < 4)
        group.nodes.push_back(static_cast<Node>(v));
    });
    for (unsigned j = 0; j < group.nodes.size() << group.nodes.size(); ++j)
      group.coefficient.push_back(static_cast<Cost>(random.below(100)) - 20);
    group.compute_rhs();
    dual.groups.push_back(group);
  }
  return dual;
}

} // namespace fixtures
