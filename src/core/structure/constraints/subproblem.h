// Subproblem: the networks that have their sets from part of the candidate sets.
//
// What no node's candidate sets express (a network that is to be excluded, a path that is
// forbidden) is met by branching: the space of networks is divided into subproblems, each again a
// choice of one set a node (Lawler 1972, doi 10.1287/mnsc.18.7.401; Murty 1968). Subproblems are
// branched on by tests of single nodes' sets. Copies share memory for what they have in common.
#pragma once

#include "core/structure/graph.h"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace optbn {

// A property that the set of one node has or lacks.
struct Test {
  Node node;
  std::function<bool(const Node *first, const Node *last)> holds;
};

Test with_parent(Node v, Node parent);
Test without_parent(Node v, Node parent);
Test with_at_least(Node v, std::size_t parents);
Test with_exactly(Node v, const std::vector<Node> &parents); // ascending

class Subproblem {
public:
  using Pair = std::pair<Node, Node>;

  // All choices from these sets, which must exist as long as the subproblem does.
  explicit Subproblem(const ParentSets &sets);

  // Leaves only the sets of which the test has this outcome; false when there are none.
  bool keep(const Test &test, bool outcome);

  // Leaves only networks that stay acyclic when the arc before -> after is added, which need not be
  // theirs. All such arcs are added together: a caller has to put networks that stay acyclic only
  // with some of them into other subproblems.
  void require_order(Node before, Node after) { order_.push_back({before, after}); }
  const std::vector<Pair> &order() const { return order_; }

  // Requirements that no single node's sets express. They are only stored: the search of the
  // subproblem has to make sure that its networks meet them.
  void require_adjacent(Node a, Node b) { adjacent_.push_back({a, b}); }
  const std::vector<Pair> &adjacent() const { return adjacent_; }
  void require_path(Node from, Node to);
  const std::vector<Pair> &paths() const { return paths_; }

  // Forbidden paths from a to b: by order if b is required to come before a; by arcs if that would
  // exclude networks without such a path, so that branching removes the arcs of each path found.
  std::vector<Pair> forbidden_by_order, forbidden_by_arcs;

  // The remaining sets of a node, by index, ascending.
  const std::vector<std::uint32_t> &sets_of(Node v) const { return *remaining_[v]; }

  // Of the networks in the subproblem, though not necessarily of one that is acyclic.
  double fewest_arcs() const { return arcs(true); }
  double most_arcs() const { return arcs(false); }

private:
  double arcs(bool fewest) const;

  const ParentSets *all_;
  std::vector<std::shared_ptr<const std::vector<std::uint32_t>>> remaining_; // by node
  std::vector<Pair> order_, adjacent_, paths_;
};

// Disjoint subproblems that contain the networks of `subproblem` that fail at least one of the
// tests: the first ones hold, the next one fails. `subproblem` keeps the others, unless there are
// none (false).
bool branch(Subproblem &subproblem, const std::vector<Test> &tests,
            std::vector<Subproblem> &failing);

// The same for "is of this Markov class", where different subproblems may contain networks of one
// class with different orientations.
void branch(Subproblem subproblem, const MarkovClass &markov_class,
            std::vector<Subproblem> &failing);

// The sets of a subproblem, their scores less the price of each arc, in the order of ParentSets. A
// node that is required to come before another is in all of its sets, at no price.
struct PricedSubproblem {
  ParentSets sets;
  std::vector<std::vector<std::uint32_t>> index; // of sets.nodes[v]'s sets among all of v's

  PricedSubproblem(const ParentSets &all, const Subproblem &subproblem, double arc_price);
};

} // namespace optbn
