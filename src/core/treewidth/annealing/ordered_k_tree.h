// OrderedKTree: a k-tree and an order of its nodes, and so a network, under small changes.
//
// Given both, every node has the best of its candidate sets that is in a bag together with it and
// among the nodes before it. The choices of different nodes are independent, so that the cost of a
// change depends on the nodes and bags that change, not on the size of the k-tree, and there are no
// factorials as for the best network within the k-tree (bag_step.h). The bags are a tree without a
// root. The changes:
//
//   rename      two adjacent bags differ in one node each. On one side of the edge between them, a
//               node of both bags is replaced everywhere by the node that only the bag on the other
//               side has: subtrees move as a whole. Both nodes then move in the order.
//   transplant  nodes near each other, one after another in one bag only, are removed with these bags;
//               then each is attached again, with a position in the order (insertion.h): the best
//               choice of several bags tried. The node that obtains most of what its best set gains
//               comes first (as in k-MAX, Scanagatta, Corani, Zaffalon, Yoo & Kang 2018).
//   reorder     a node moves to another position in the order.
//
// A change is committed or undone as a whole.
//
// Natural logs over the empty sets (bag_scores.h). Not thread-safe.
#pragma once

#include "core/base/random.h"
#include "core/structure/search.h"
#include "core/treewidth/annealing/insertion.h"
#include "core/treewidth/k_tree.h"
#include "core/treewidth/within/bag_sets.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace optbn {

// Node -> the nodes that are with it in the family of some candidate set of up to `largest`
// parents.
std::vector<std::vector<Node>> related_nodes(const ParentSets &sets, unsigned largest);

class OrderedKTree {
public:
  // `cache` and `related` must outlive it and are shared between copies. `order`: all nodes,
  // parents first. Bags have at most kLargestBag members.
  OrderedKTree(BagSets &cache, const std::vector<std::vector<Node>> &related, const KTree &tree,
               const std::vector<Node> &order);

  // A random change of its kind; false, and to be undone, where none is possible. At a positive
  // temperature positions in the order are drawn with probability proportional to
  // exp(gain / temperature), and choices of bags are disturbed likewise; at 0 the best one is
  // chosen. transplant() removes `count` nodes, or all that it can, and compares `trials` bags for
  // each.
  bool rename(double temperature, Random &random);
  bool transplant(unsigned count, unsigned trials, double temperature, Random &random);
  bool reorder(double temperature, Random &random);

  void commit();
  void undo(); // everything since the last commit()

  // Moves nodes within the order until no single move gains; commits.
  void improve_order(Random &random);

  // Numbers the ranks of the order again, to restore gaps between them, and recomputes the gains,
  // which removes the rounding errors of many changes; commits.
  void renumber();

  // Fetches the sets of all bags from this cache: after its clear(), or to change to it.
  void refresh(BagSets &cache);

  double gain() const { return total_; }
  Node nodes() const { return static_cast<Node>(rank_.size()); }
  KTree tree() const;
  std::vector<Node> order() const;
  // Empty where some node has no candidate set. candidates: those of BagSets::all().
  Network network(const ParentSets &candidates) const;

private:
  using BagId = std::uint32_t;

  // What undo() restores.
  struct Change {
    enum class Kind { gain, rank, members, vacated, occupied, linked, unlinked } kind;
    std::uint32_t a, b; // a node; a bag; two bags
    double value = 0;   // the old gain or rank
    const BagSets::Bag *sets = nullptr;
  };

  // Of a node that is about to move: a node in one of its bags.
  struct BagNeighbour {
    Node node;
    double before = 0, after = 0; // its gain when the moving node comes before it, after it
  };

  // A node that transplant() has removed, and where it does best so far.
  struct Cutting {
    Node node;
    double merit; // of the choice, disturbed
    BagId host;
    Insertion::Choice choice;
  };

  const Node *bag(BagId i) const { return members_.data() + std::size_t{i} * size_; }
  const Node *bag_end(BagId i) const { return bag(i) + size_; }
  BagId bags() const { return static_cast<BagId>(adjacent_.size()); }
  bool contains(BagId i, Node v) const;
  unsigned position_of(BagId i, Node v) const;
  std::uint32_t before(BagId i, Node v) const;
  double gain_within(BagId i, Node v) const;
  double gain_at_least(double least, BagId i, Node v) const;
  double gain_of(Node v) const;
  std::optional<Node> private_node(BagId i) const;

  void set_gain(Node v, double gain);
  void set_rank(Node v, double rank);
  void set_members(BagId i, const Node *members);
  void swap_members(BagId i, const Node *members);
  void replace(BagId i, Node from, Node to);
  void vacate(BagId i);
  void occupy(BagId i, const Node *members);
  void restore(BagId i, const BagSets::Bag *sets);
  void link(BagId i, BagId j);
  void unlink(BagId i, BagId j);
  bool rank_between(Node v, std::optional<Node> previous, std::optional<Node> next, Random &random);

  bool journal_is_consistent() const;
  bool is_consistent() const;
  void recompute();

  void remove_nodes(unsigned count, Random &random);
  BagId next_bag(BagId i, BagId from, Random &random) const;
  void detach_bag(BagId i);
  BagId random_host(Node v, Random &random) const;
  void try_host(Cutting &cutting, BagId host, double temperature, Random &random);
  Cutting next_cutting();
  bool attach(const Cutting &cutting, Random &random);
  bool move_in_order(Node v, double temperature, Random &random);
  void find_bag_neighbours(Node v);
  void compute_gains_of_positions(Node v);

  BagSets *cache_;
  const std::vector<std::vector<Node>> *related_;
  Insertion insertion_;
  unsigned k_, size_;
  std::vector<Node> members_;                // bag i from i * size_ on, ascending
  std::vector<const BagSets::Bag *> sets_;   // by bag
  std::vector<std::vector<BagId>> adjacent_; // by bag
  std::vector<std::vector<BagId>> bags_of_;  // by node
  std::vector<double> rank_, gain_;          // by node
  double total_ = 0;

  std::vector<Change> journal_;
  std::vector<Node> old_members_; // of the bags in the journal

  // For one change.
  std::vector<BagNeighbour> neighbours_;    // in order
  std::vector<double> own_gain_;            // of the moving node after so many neighbours
  std::vector<std::uint32_t> neighbour_of_; // node -> its index in neighbours_
  std::vector<char> seen_;                  // by node; all false between uses
  std::vector<Node> touched_;
  std::vector<Cutting> cuttings_;
  std::vector<BagId> vacant_; // bags without members: those of the cuttings
  // Of rename(): bags, and the bags from which they were reached.
  std::vector<std::pair<BagId, BagId>> side_;
};

} // namespace optbn
