// Dual: multipliers of valid inequalities, and the bound on the optimum that they prove.
//
// In every network, and every set C of nodes, at least k members of C have fewer than k parents in
// C (the first k of C in any order of the network): the k-cluster inequalities of Bartlett &
// Cussens (2017, doi 10.1016/j.artint.2015.03.003). More is true of small groups of nodes, whose
// acyclic choices can be listed: for any charge f(v, T) on "v has the parents T inside the group",
// the charges of a network add up to at least the cheapest acyclic choice inside the group.
//
// A network pays at least: what the inequalities promise, plus for every node the least of its
// sets' reduced costs, which are costs less what the set is charged. Any multipliers >= 0 and any
// charges give such a bound, so how they were found does not matter; all sums are exact (see
// exact_costs.h).
//
// Nodes that stand before the others (a prefix of an order) weaken what is promised, and change no
// reduced cost until a cluster is worth nothing: see Cluster::promised, GroupInequality::promised.
#pragma once

#include "core/structure/bounds/exact_costs.h"

#include <vector>

namespace optbn {

constexpr unsigned kLargestGroup = 8;

template <unsigned Words> struct Cluster {
  BitSet<Words> nodes;
  unsigned k = 1;
  Cost price = 0; // the multiplier

  // Members pay for sets with fewer than k parents in the cluster.
  bool charges(const BitSet<Words> &set) const {
    return k == 1 ? !set.meets(nodes) : (set & nodes).size() < k;
  }
  // What all networks that begin with these nodes pay at least, the prefix itself excepted.
  Cost promised(const BitSet<Words> &prefix) const {
    const unsigned standing = (prefix & nodes).size();
    return standing < k ? static_cast<Cost>(k - standing) * price : 0;
  }
};

// Which of these nodes are in the set: bit i stands for nodes[i].
template <unsigned Words>
unsigned pattern_in(const std::vector<Node> &nodes, const BitSet<Words> &set) {
  unsigned pattern = 0;
  for (unsigned i = 0; i < nodes.size(); ++i)
    pattern |= static_cast<unsigned>(set.contains(nodes[i])) << i;
  return pattern;
}

// Charges on the choices of a few nodes among one another.
struct GroupInequality {
  std::vector<Node> nodes;   // at most kLargestGroup, ascending
  std::vector<Cost> charge;  // of nodes[i] with these parents: [i << nodes.size() | pattern]
  std::vector<Cost> promise; // by pattern of the nodes that stand; set by settle()

  // promise[pattern] = the least that the nodes outside the pattern pay in any acyclic choice that
  // places those in the pattern first. A pattern has bit i when nodes[i] is in it. For g nodes the
  // recurrence over subsets of Silander & Myllymaki (2006, arXiv:1206.6875), g^2 2^g steps.
  void settle();

  template <unsigned Words> unsigned pattern(const BitSet<Words> &set) const {
    return pattern_in(nodes, set);
  }
  template <unsigned Words> Cost promised(const BitSet<Words> &prefix) const {
    return promise[pattern(prefix)];
  }
};

template <unsigned Words> struct Dual {
  std::vector<Cluster<Words>> clusters;
  std::vector<GroupInequality> groups; // settled
};

// What the inequalities promise when no node stands yet.
template <unsigned Words> Cost promised(const Dual<Words> &dual) {
  Cost sum = 0;
  for (const Cluster<Words> &cluster : dual.clusters)
    sum += cluster.promised(BitSet<Words>());
  for (const GroupInequality &group : dual.groups)
    sum += group.promise[0];
  return sum;
}

// Of all sets of node v, in the order of its domain. Linear in sets times inequalities of v.
template <unsigned Words>
std::vector<Cost> reduced_costs(const CostProblem<Words> &problem, const Dual<Words> &dual, Node v);

// The bound that the dual proves: no network of the problem costs less.
template <unsigned Words> Cost bound_of(const CostProblem<Words> &problem, const Dual<Words> &dual);

} // namespace optbn
