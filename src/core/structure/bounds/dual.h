// Dual: multipliers of valid inequalities, and the bound on the optimum that they prove.
//
// In every network, and every set C of nodes, at least k members of C have fewer than k parents in
// C (the first k of C in any order of the network): the k-cluster inequalities of Bartlett &
// Cussens (2017, doi 10.1016/j.artint.2015.03.003). More is true of small groups of nodes, whose
// acyclic choices can be listed: for any coefficients f(v, T) of "v has the parents T inside the
// group", the left-hand side of a network is at least that of the cheapest acyclic choice inside
// the group, which is the right-hand side.
//
// A network costs at least the constant term, which is the sum of the right-hand sides times their
// multipliers, plus for every node the least reduced cost of its sets: a set's cost less the
// multipliers of the clusters in which it counts and less its coefficients in groups (whose
// multipliers are 1). Any multipliers >= 0 and any coefficients of groups give such a bound, so how
// they were found does not matter; all sums are exact (see exact_costs.h).
//
// A prefix of an order lowers right-hand sides, and changes no reduced cost until that of a cluster
// is 0: see Cluster::constant_term, GroupInequality::constant_term.
#pragma once

#include "core/structure/bounds/exact_costs.h"

#include <vector>

namespace optbn {

constexpr unsigned kLargestGroup = 8;

template <unsigned Words> struct Cluster {
  BitSet<Words> nodes;
  unsigned k = 1;
  Cost price = 0; // the multiplier

  // Does this set of a member count? It does with fewer than k parents in the cluster.
  bool counts(const BitSet<Words> &set) const {
    return k == 1 ? !set.intersects(nodes) : (set & nodes).size() < k;
  }
  // The multiplier times the right-hand side for the nodes outside this prefix of an order.
  Cost constant_term(const BitSet<Words> &prefix) const {
    const unsigned ordered = (prefix & nodes).size();
    return ordered < k ? static_cast<Cost>(k - ordered) * price : 0;
  }
};

// Which of these nodes are in the set: bit i is that of nodes[i].
template <unsigned Words>
unsigned pattern_in(const std::vector<Node> &nodes, const BitSet<Words> &set) {
  unsigned pattern = 0;
  for (unsigned i = 0; i < nodes.size(); ++i)
    pattern |= static_cast<unsigned>(set.contains(nodes[i])) << i;
  return pattern;
}

// An inequality over the choices of a few nodes among one another.
struct GroupInequality {
  std::vector<Node> nodes;       // at most kLargestGroup, ascending
  std::vector<Cost> coefficient; // of nodes[i] with these parents: [i << nodes.size() | pattern]
  std::vector<Cost> rhs;         // by pattern of the nodes in the prefix; from compute_rhs()

  // rhs[pattern] = the least sum of coefficients, over the nodes outside the pattern, of any
  // acyclic choice that orders those in the pattern first. A pattern has bit i when nodes[i] is in
  // it. For g nodes the recurrence over subsets of Silander & Myllymaki (2006, arXiv:1206.6875),
  // g^2 2^g steps.
  void compute_rhs();

  template <unsigned Words> unsigned pattern(const BitSet<Words> &set) const {
    return pattern_in(nodes, set);
  }
  template <unsigned Words> Cost constant_term(const BitSet<Words> &prefix) const {
    return rhs[pattern(prefix)];
  }
};

// An inequality that not every network satisfies, but all that are of interest: at most `most` of
// these requirements are met, each counted by its weight.
template <unsigned Words> struct Limit {
  struct Requirement {
    Node node;
    BitSet<Words> parents; // the node's set contains them
    unsigned weight;

    bool operator==(const Requirement &other) const {
      return node == other.node && parents == other.parents && weight == other.weight;
    }
  };
  std::vector<Requirement> requirements;
  unsigned most = 0;
  Cost price = 0; // the multiplier

  bool operator==(const Limit &other) const {
    return most == other.most && requirements == other.requirements;
  }
  unsigned weight_of(Node v, const BitSet<Words> &set) const {
    unsigned weight = 0;
    for (const Requirement &requirement : requirements)
      if (requirement.node == v && requirement.parents.inside(set))
        weight += requirement.weight;
    return weight;
  }
  Cost constant_term() const { return -static_cast<Cost>(most) * price; }
};

template <unsigned Words> struct Dual {
  std::vector<Cluster<Words>> clusters;
  std::vector<GroupInequality> groups; // with their right-hand sides
  std::vector<Limit<Words>> limits{};  // none, unless the search is limited
};

// Of all inequalities, for the empty prefix.
template <unsigned Words> Cost constant_term(const Dual<Words> &dual) {
  Cost sum = 0;
  for (const Cluster<Words> &cluster : dual.clusters)
    sum += cluster.constant_term(BitSet<Words>());
  for (const GroupInequality &group : dual.groups)
    sum += group.rhs[0];
  for (const Limit<Words> &limit : dual.limits)
    sum += limit.constant_term();
  return sum;
}

// Of all sets of node v, in the order of its domain. Linear in sets times inequalities of v.
template <unsigned Words>
std::vector<Cost> reduced_costs(const CostProblem<Words> &problem, const Dual<Words> &dual, Node v);

// The bound that the dual proves: no network of the problem costs less.
template <unsigned Words> Cost bound_of(const CostProblem<Words> &problem, const Dual<Words> &dual);

} // namespace optbn
