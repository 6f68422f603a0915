#include "core/structure/constraints/subproblem_bound.h"

#include "core/base/invariant.h"
#include "core/structure/bounds/multipliers.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace optbn {

namespace {

struct Routes {
  std::vector<Cost> distance; // from the start; kNoCost: not to be reached
  std::vector<Node> before;   // on a shortest path
};

// Dijkstra's algorithm (1959, doi 10.1007/BF01386390) on a dense graph: tolls[v][u] of u -> v.
Routes shortest_routes(const std::vector<std::vector<Cost>> &tolls, Node from) {
  const Node n = static_cast<Node>(tolls.size());
  Routes routes{std::vector<Cost>(n, kNoCost), std::vector<Node>(n, n)};
  std::vector<bool> settled(n, false);
  routes.distance[from] = 0;
  while (true) {
    Node u = n;
    for (Node v = 0; v < n; ++v)
      if (!settled[v] && routes.distance[v] < kNoCost &&
          (u == n || routes.distance[v] < routes.distance[u]))
        u = v;
    if (u == n)
      return routes;
    settled[u] = true;
    OPTBN_INVARIANT(*std::min_element(tolls[u].begin(), tolls[u].end()) >= 0,
                    "tolls are not negative: what is settled stays so");
    for (Node v = 0; v < n; ++v)
      if (tolls[v][u] < kNoCost && routes.distance[u] + tolls[v][u] < routes.distance[v]) {
        routes.distance[v] = routes.distance[u] + tolls[v][u];
        routes.before[v] = u;
      }
  }
}

} // namespace

SubproblemBound::SubproblemBound(const ParentSets &sets, const Subproblem &whole,
                                 const Multipliers &multipliers, double arc_price)
    : sets_(sets) {
  if (sets.size() > kTreeNodes)
    return;
  const PricedSubproblem priced(sets, whole, arc_price);
  const Problem problem = whole_problem(priced.sets);
  with_width(problem.words, [&](auto words) { price<words>(problem, multipliers); });
  for (Node v = 0; v < sets.size(); ++v) {
    std::vector<Cost> in_own_order(sets.nodes[v].size(), kNoCost);
    for (std::size_t i = 0; i < priced.index[v].size(); ++i)
      in_own_order[priced.index[v][i]] = reduced_[v][i];
    reduced_[v] = std::move(in_own_order);
  }
}

template <unsigned Words>
void SubproblemBound::price(const Problem &problem, const Multipliers &multipliers) {
  const CostProblem<Words> costs(problem);
  const Dual<Words> dual = in_costs(multipliers, costs);
  for (Node v = 0; v < costs.size(); ++v)
    reduced_.push_back(reduced_costs(costs, dual, v));
  promised_ = promised(dual);
  ideal_ = costs.ideal;
  bits_ = costs.bits;
}

double SubproblemBound::operator()(const Subproblem &subproblem) const {
  if (reduced_.empty())
    return std::numeric_limits<double>::infinity();
  Cost bound = promised_;
  for (Node v = 0; v < sets_.size(); ++v)
    bound += least(subproblem, v);
  const Cost paths = cost_of_paths(subproblem);
  if (paths == kNoCost)
    return -std::numeric_limits<double>::infinity();
  return ideal_ - std::ldexp(static_cast<double>(bound + paths), -bits_);
}

std::vector<Node> SubproblemBound::cheapest_path(const Subproblem &subproblem, Node from,
                                                 Node to) const {
  std::vector<Node> path;
  if (reduced_.empty())
    return path;
  const Routes routes = shortest_routes(tolls(subproblem), from);
  if (routes.distance[to] == kNoCost)
    return path;
  for (Node v = to; v != from; v = routes.before[v])
    path.push_back(v);
  path.push_back(from);
  std::reverse(path.begin(), path.end());
  return path;
}

Cost SubproblemBound::least(const Subproblem &subproblem, Node v) const {
  Cost least = kNoCost;
  for (const std::uint32_t i : subproblem.sets_of(v))
    least = std::min(least, reduced_[v][i]);
  return least;
}

SubproblemBound::Tolls SubproblemBound::tolls(const Subproblem &subproblem) const {
  const Node n = sets_.size();
  Tolls tolls(n, std::vector<Cost>(n, kNoCost));
  for (Node v = 0; v < n; ++v) {
    const CandidateSets &candidates = sets_.nodes[v];
    const Cost without = least(subproblem, v);
    for (const std::uint32_t i : subproblem.sets_of(v))
      for (const Node *u = candidates.begin_of(i); u != candidates.end_of(i); ++u)
        tolls[v][*u] = std::min(tolls[v][*u], reduced_[v][i] - without);
  }
  return tolls;
}

Cost SubproblemBound::cost_of_paths(const Subproblem &subproblem) const {
  Cost cost = 0;
  if (subproblem.paths().empty())
    return cost;
  Tolls left = tolls(subproblem);
  for (const auto &[from, to] : subproblem.paths()) {
    const Routes routes = shortest_routes(left, from);
    const Cost length = routes.distance[to];
    if (length == kNoCost)
      return kNoCost;
    cost += length;
    for (std::vector<Cost> &into : left) {
      const Cost at = std::min(length, routes.distance[static_cast<std::size_t>(&into - &left[0])]);
      Cost used = 0;
      for (Node u = 0; u < into.size(); ++u)
        if (into[u] < kNoCost)
          used = std::max(used, at - std::min(length, routes.distance[u]));
      for (Cost &toll : into)
        if (toll < kNoCost)
          toll = std::max<Cost>(0, toll - used);
    }
  }
  return cost;
}

} // namespace optbn
