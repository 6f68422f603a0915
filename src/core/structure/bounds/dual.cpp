#include "core/structure/bounds/dual.h"

#include "core/base/invariant.h"

#include <algorithm>

namespace optbn {

void GroupInequality::compute_rhs() {
  const unsigned g = static_cast<unsigned>(nodes.size()), full = (1u << g) - 1;
  // cheapest[i << g | allowed] = the least coefficient of nodes[i] with parents among the allowed.
  std::vector<Cost> cheapest = coefficient;
  for (unsigned i = 0; i < g; ++i) {
    Cost *of = cheapest.data() + (std::size_t{i} << g);
    for (unsigned u = 0; u < g; ++u)
      for (unsigned allowed = 0; allowed <= full; ++allowed)
        if (u != i && allowed >> u & 1)
          of[allowed] = std::min(of[allowed], of[allowed ^ (1u << u)]);
  }
  rhs.assign(std::size_t{full} + 1, kNoCost);
  rhs[full] = 0;
  for (unsigned prefix = full; prefix-- > 0;)
    for (unsigned i = 0; i < g; ++i)
      if (!(prefix >> i & 1))
        rhs[prefix] =
            std::min(rhs[prefix], rhs[prefix | 1u << i] + cheapest[std::size_t{i} << g | prefix]);
}

template <unsigned Words>
std::vector<Cost> reduced_costs(const CostProblem<Words> &problem, const Dual<Words> &dual,
                                Node v) {
  const CostDomain<Words> &domain = problem.domains[v];
  std::vector<Cost> reduced = domain.cost;
  for (const Cluster<Words> &cluster : dual.clusters)
    if (cluster.nodes.contains(v))
      for (std::size_t i = 0; i < domain.size(); ++i)
        reduced[i] -= cluster.counts(domain.set[i]) ? cluster.price : 0;
  for (const GroupInequality &group : dual.groups) {
    const auto member = std::find(group.nodes.begin(), group.nodes.end(), v);
    if (member == group.nodes.end())
      continue;
    const Cost *coefficient =
        group.coefficient.data() +
        (static_cast<std::size_t>(member - group.nodes.begin()) << group.nodes.size());
    for (std::size_t i = 0; i < domain.size(); ++i)
      reduced[i] -= coefficient[group.pattern(domain.set[i])];
  }
  for (const Limit<Words> &limit : dual.limits)
    for (const auto &requirement : limit.requirements)
      if (requirement.node == v)
        for (std::size_t i = 0; i < domain.size(); ++i)
          if (requirement.parents.inside(domain.set[i]))
            reduced[i] += static_cast<Cost>(requirement.weight) * limit.price;
  return reduced;
}

template <unsigned Words>
Cost bound_of(const CostProblem<Words> &problem, const Dual<Words> &dual) {
  for ([[maybe_unused]] const Cluster<Words> &cluster : dual.clusters)
    OPTBN_INVARIANT(cluster.price >= 0, "multipliers are not negative");
  for ([[maybe_unused]] const Limit<Words> &limit : dual.limits)
    OPTBN_INVARIANT(limit.price >= 0, "multipliers are not negative");
  Cost bound = constant_term(dual);
  for (Node v = 0; v < problem.size(); ++v) {
    const std::vector<Cost> reduced = reduced_costs(problem, dual, v);
    bound += *std::min_element(reduced.begin(), reduced.end());
  }
  return bound;
}

#define OPTBN_INSTANTIATE(words)                                                                   \
  template std::vector<Cost> reduced_costs(const CostProblem<words> &, const Dual<words> &, Node); \
  template Cost bound_of(const CostProblem<words> &, const Dual<words> &);
OPTBN_FOR_EACH_WIDTH(OPTBN_INSTANTIATE)
#undef OPTBN_INSTANTIATE

} // namespace optbn
