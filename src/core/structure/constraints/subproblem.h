// Subproblem: the networks that take their sets from child of the candidate sets.
//
// What no node's candidate sets express - a network that is to be left out, a path that must not
// be - is handled by cutting the space of networks into subproblems, each again a choice of one set
// a node (Lawler 1972, doi 10.1287/mnsc.18.7.401; Murty 1968). Subproblems are cut by tests on
// single nodes' sets. Copies share what they have in common.
#pragma once

#include "core/structure/graph.h"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace optbn {

// A question about the set that one node takes.
struct Test {
  Node node;
  std::function<bool(const Node *first, const Node *last)> holds;
};

Test takes(Node v, Node parent);
Test lacks(Node v, Node parent);
Test takes_at_least(Node v, std::size_t parents);
Test takes_just(Node v, const std::vector<Node> &parents); // ascending

class Subproblem {
public:
  using Pair = std::pair<Node, Node>;

  // All choices from these sets, which outlive the subproblem.
  explicit Subproblem(const ParentSets &sets);

  // Leaves only the sets that give this answer; false when there are none.
  bool keep(const Test &test, bool answer);

  // Leaves only networks that stay acyclic with an arc between these two, though it is not theirs.
  // That the arcs demanded so are one another's friends is the caller's affair.
  void demand_order(Node before, Node after) { order_.push_back({before, after}); }
  const std::vector<Pair> &order() const { return order_; }

  // Demands that no single node's sets express. Only noted: a search of the subproblem has to see
  // to it that the networks meet them.
  void demand_adjacent(Node a, Node b) { adjacent_.push_back({a, b}); }
  const std::vector<Pair> &adjacent() const { return adjacent_; }
  void demand_path(Node from, Node to);
  const std::vector<Pair> &paths() const { return paths_; }

  // Paths from a to b that must not be: enforced if b is demanded to stand before a, open if that
  // would exclude networks that have no such path.
  std::vector<Pair> enforced, open;

  // The sets of a node that are left, by index, ascending.
  const std::vector<std::uint32_t> &sets_of(Node v) const { return *kept_[v]; }

  // Of the networks in the subproblem, though not necessarily of one that is acyclic.
  double fewest_arcs() const { return arcs(true); }
  double most_arcs() const { return arcs(false); }

private:
  double arcs(bool fewest) const;

  const ParentSets *all_;
  std::vector<std::shared_ptr<const std::vector<std::uint32_t>>> kept_; // by node
  std::vector<Pair> order_, adjacent_, paths_;
};

// Subproblems without common networks that hold what in `subproblem` fails at least one of the
// tests: the first ones hold, the next one fails. `subproblem` keeps the rest, unless that is
// nothing (false).
bool branch(Subproblem &subproblem, const std::vector<Test> &tests,
            std::vector<Subproblem> &failing);

// The same for "is of this Markov class", where the subproblems may share networks of one class in
// different orientations.
void branch(Subproblem subproblem, const MarkovClass &markov_class,
            std::vector<Subproblem> &failing);

// The sets of a subproblem, each arc priced, in the order that ParentSets promises. Nodes that are
// demanded to stand before others are in all of their sets, at no price.
struct PricedSubproblem {
  ParentSets sets;
  std::vector<std::vector<std::uint32_t>> index; // of sets.nodes[v]'s sets among all of v's

  PricedSubproblem(const ParentSets &all, const Subproblem &subproblem, double arc_price);
};

} // namespace optbn
