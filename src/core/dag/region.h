// Region: the networks that take their sets from part of the candidate sets.
//
// What no node's candidate sets express - a network that is to be left out, a path that must not
// be - is dealt with by cutting the space of networks into regions, each again a choice of one set
// a node (Lawler 1972, doi 10.1287/mnsc.18.7.401; Murty 1968). Regions are cut by tests on single
// nodes' sets. Copies share what they have in common.
#pragma once

#include "core/dag/graph.h"

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

class Region {
public:
  // All choices from these sets, which outlive the region.
  explicit Region(const ParentSets &sets);

  // Leaves only the sets that give this answer; false when there are none.
  bool keep(const Test &test, bool answer);

  // From now on only networks count in which the two are adjacent: a demand on two nodes' sets,
  // which the region notes and whoever searches it has to meet.
  void demand_adjacent(Node a, Node b) { adjacent_.push_back({a, b}); }
  const std::vector<std::pair<Node, Node>> &adjacent() const { return adjacent_; }

  // The sets of a node that are left, by index, ascending.
  const std::vector<std::uint32_t> &sets_of(Node v) const { return *kept_[v]; }

  // Of the networks in the region, though not necessarily of one that is acyclic.
  double fewest_arcs() const { return arcs(true); }
  double most_arcs() const { return arcs(false); }

private:
  double arcs(bool fewest) const;

  const ParentSets *all_;
  std::vector<std::shared_ptr<const std::vector<std::uint32_t>>> kept_; // by node
  std::vector<std::pair<Node, Node>> adjacent_;
};

// Regions without common networks that hold what in `region` fails at least one of the tests: the
// first ones hold, the next one fails. `region` keeps the rest, unless that is nothing (false).
bool cut(Region &region, const std::vector<Test> &tests, std::vector<Region> &failing);

// The same for "is of this Markov class", where the regions may share networks of one class in
// different orientations.
void cut(Region region, const MarkovClass &markov_class, std::vector<Region> &failing);

// The sets of a region, each arc priced, in the order that ParentSets promises.
struct PricedRegion {
  ParentSets sets;
  std::vector<std::vector<std::uint32_t>> index; // of sets.nodes[v]'s sets among all of v's

  PricedRegion(const ParentSets &all, const Region &region, double arc_price);
};

} // namespace optbn
