#include "core/structure/bounds/dual.h"

#include "core/base/invariant.h"

#include <algorithm>

namespace optbn {

void GroupInequality::settle() {
  const unsigned g = static_cast<unsigned>(nodes.size()), full = (1u << g) - 1;
  // cheapest[i << g | allowed] = the least that nodes[i] pays for parents among the allowed.
  std::vector<Cost> cheapest = charge;
  for (unsigned i = 0; i < g; ++i) {
    Cost *of = cheapest.data() + (std::size_t{i} << g);
    for (unsigned u = 0; u < g; ++u)
      for (unsigned allowed = 0; allowed <= full; ++allowed)
        if (u != i && allowed >> u & 1)
          of[allowed] = std::min(of[allowed], of[allowed ^ (1u << u)]);
  }
  promise.assign(std::size_t{full} + 1, kNoCost);
  promise[full] = 0;
  for (unsigned standing = full; standing-- > 0;)
    for (unsigned i = 0; i < g; ++i)
      if (!(standing >> i & 1))
        promise[standing] =
            std::min(promise[standing],
                     promise[standing | 1u << i] + cheapest[std::size_t{i} << g | standing]);
}

template <unsigned Words>
std::vector<Cost> reduced_costs(const CostProblem<Words> &problem, const Dual<Words> &dual,
                                Node v) {
  const CostDomain<Words> &domain = problem.domains[v];
  std::vector<Cost> reduced = domain.cost;
  for (const Cluster<Words> &cluster : dual.clusters)
    if (cluster.nodes.contains(v))
      for (std::size_t i = 0; i < domain.size(); ++i)
        reduced[i] -= cluster.charges(domain.set[i]) ? cluster.price : 0;
  for (const GroupInequality &group : dual.groups) {
    const auto member = std::find(group.nodes.begin(), group.nodes.end(), v);
    if (member == group.nodes.end())
      continue;
    const Cost *charge =
        group.charge.data() +
        (static_cast<std::size_t>(member - group.nodes.begin()) << group.nodes.size());
    for (std::size_t i = 0; i < domain.size(); ++i)
      reduced[i] -= charge[group.pattern(domain.set[i])];
  }
  return reduced;
}

template <unsigned Words>
Cost bound_of(const CostProblem<Words> &problem, const Dual<Words> &dual) {
  for ([[maybe_unused]] const Cluster<Words> &cluster : dual.clusters)
    OPTBN_INVARIANT(cluster.price >= 0, "prices are not negative");
  Cost bound = promised(dual);
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
