// Conversion between a Dual in exact arithmetic and the same multipliers in natural log units,
// which are used after the search: in a certificate, and as the start of the next search.
//
// Rounding is harmless: any prices >= 0 and any coefficients of groups prove some bound.
#pragma once

#include "core/structure/bounds/dual.h"
#include "core/structure/search.h"

namespace optbn {

template <unsigned Words>
Multipliers in_units(const Dual<Words> &dual, const CostProblem<Words> &problem) {
  Multipliers result;
  for (const Cluster<Words> &cluster : dual.clusters) {
    std::vector<Node> nodes;
    cluster.nodes.for_each([&](unsigned v) { nodes.push_back(static_cast<Node>(v)); });
    result.clusters.push_back({std::move(nodes), cluster.k, problem.units(cluster.price)});
  }
  for (const GroupInequality &group : dual.groups) {
    std::vector<double> coefficient;
    for (const Cost cost : group.coefficient)
      coefficient.push_back(problem.units(cost));
    result.groups.push_back({group.nodes, std::move(coefficient)});
  }
  return result;
}

template <unsigned Words>
Dual<Words> in_costs(const Multipliers &multipliers, const CostProblem<Words> &problem) {
  Dual<Words> dual;
  for (const Multipliers::Cluster &cluster : multipliers.clusters) {
    BitSet<Words> nodes;
    for (const Node v : cluster.nodes)
      nodes.insert(v);
    dual.clusters.push_back({nodes, cluster.k, problem.cost(cluster.price)});
  }
  for (const Multipliers::Group &group : multipliers.groups) {
    GroupInequality inequality;
    inequality.nodes = group.nodes;
    for (const double coefficient : group.coefficient)
      inequality.coefficient.push_back(problem.cost(coefficient));
    inequality.compute_rhs();
    dual.groups.push_back(std::move(inequality));
  }
  return dual;
}

} // namespace optbn
