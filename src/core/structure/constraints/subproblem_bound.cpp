#include "core/structure/constraints/subproblem_bound.h"

#include "core/base/invariant.h"
#include "core/structure/bounds/multipliers.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace optbn {

namespace {

struct ShortestPaths {
  std::vector<Cost> distance; // from the start; kNoCost: not to be reached
  std::vector<Node> before;   // on a shortest path
};

// Node -> the nodes that are in one of its remaining sets, some more than once.
Graph possible_parents(const ParentSets &sets, const Subproblem &subproblem) {
  Graph graph(sets.size());
  for (Node v = 0; v < sets.size(); ++v)
    for (const std::uint32_t i : subproblem.sets_of(v))
      graph[v].insert(graph[v].end(), sets.nodes[v].begin_of(i), sets.nodes[v].end_of(i));
  return graph;
}

// Dijkstra's algorithm (1959, doi 10.1007/BF01386390) on a dense graph: arc_lengths[v][u]
// is that of u -> v.
ShortestPaths shortest_paths(const std::vector<std::vector<Cost>> &arc_lengths, Node from) {
  const Node n = static_cast<Node>(arc_lengths.size());
  ShortestPaths shortest{std::vector<Cost>(n, kNoCost), std::vector<Node>(n, n)};
  std::vector<bool> finished(n, false);
  shortest.distance[from] = 0;
  while (true) {
    Node u = n;
    for (Node v = 0; v < n; ++v)
      if (!finished[v] && shortest.distance[v] < kNoCost &&
          (u == n || shortest.distance[v] < shortest.distance[u]))
        u = v;
    if (u == n)
      return shortest;
    finished[u] = true;
    OPTBN_INVARIANT(*std::min_element(arc_lengths[u].begin(), arc_lengths[u].end()) >= 0,
                    "arc lengths are not negative: the distance of a finished node is final");
    for (Node v = 0; v < n; ++v)
      if (arc_lengths[v][u] < kNoCost &&
          shortest.distance[u] + arc_lengths[v][u] < shortest.distance[v]) {
        shortest.distance[v] = shortest.distance[u] + arc_lengths[v][u];
        shortest.before[v] = u;
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
  with_width(problem.words,
             [&](auto words) { compute_reduced_costs<words>(problem, multipliers); });
  for (Node v = 0; v < sets.size(); ++v) {
    std::vector<Cost> in_own_order(sets.nodes[v].size(), kNoCost);
    for (std::size_t i = 0; i < priced.index[v].size(); ++i)
      in_own_order[priced.index[v][i]] = reduced_[v][i];
    reduced_[v] = std::move(in_own_order);
  }
}

template <unsigned Words>
void SubproblemBound::compute_reduced_costs(const Problem &problem,
                                            const Multipliers &multipliers) {
  const CostProblem<Words> costs(problem);
  const Dual<Words> dual = in_costs(multipliers, costs);
  for (Node v = 0; v < costs.size(); ++v)
    reduced_.push_back(reduced_costs(costs, dual, v));
  constant_term_ = constant_term(dual);
  ideal_ = costs.ideal;
  bits_ = costs.bits;
}

double SubproblemBound::operator()(const Subproblem &subproblem) const {
  if (reduced_.empty())
    return std::numeric_limits<double>::infinity();
  Cost bound = constant_term_;
  for (Node v = 0; v < sets_.size(); ++v)
    bound += least(subproblem, v);
  const Cost paths = length_of_paths(subproblem);
  if (paths == kNoCost)
    return -std::numeric_limits<double>::infinity();
  return ideal_ - std::ldexp(static_cast<double>(bound + paths), -bits_);
}

std::vector<Node> SubproblemBound::shortest_path(const Subproblem &subproblem, Node from,
                                                 Node to) const {
  if (reduced_.empty())
    return directed_path(possible_parents(sets_, subproblem), from, to);
  std::vector<Node> path;
  const ShortestPaths shortest = shortest_paths(arc_lengths(subproblem), from);
  if (shortest.distance[to] == kNoCost)
    return path;
  for (Node v = to; v != from; v = shortest.before[v])
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

SubproblemBound::ArcLengths SubproblemBound::arc_lengths(const Subproblem &subproblem) const {
  const Node n = sets_.size();
  ArcLengths arc_lengths(n, std::vector<Cost>(n, kNoCost));
  for (Node v = 0; v < n; ++v) {
    const CandidateSets &candidates = sets_.nodes[v];
    const Cost least_of_v = least(subproblem, v);
    for (const std::uint32_t i : subproblem.sets_of(v))
      for (const Node *u = candidates.begin_of(i); u != candidates.end_of(i); ++u)
        arc_lengths[v][*u] = std::min(arc_lengths[v][*u], reduced_[v][i] - least_of_v);
  }
  return arc_lengths;
}

Cost SubproblemBound::length_of_paths(const Subproblem &subproblem) const {
  Cost cost = 0;
  if (subproblem.paths().empty())
    return cost;
  ArcLengths left = arc_lengths(subproblem);
  for (const auto &[from, to] : subproblem.paths()) {
    const ShortestPaths shortest = shortest_paths(left, from);
    const Cost length = shortest.distance[to];
    if (length == kNoCost)
      return kNoCost;
    cost += length;
    for (std::vector<Cost> &into : left) {
      const Cost at =
          std::min(length, shortest.distance[static_cast<std::size_t>(&into - &left[0])]);
      Cost used = 0;
      for (Node u = 0; u < into.size(); ++u)
        if (into[u] < kNoCost)
          used = std::max(used, at - std::min(length, shortest.distance[u]));
      for (Cost &arc : into)
        if (arc < kNoCost)
          arc = std::max<Cost>(0, arc - used);
    }
  }
  return cost;
}

} // namespace optbn
