// OrderedKTree: a k-tree and an order of its nodes, hence a network, under small changes.
//
// Given both, every node takes the best of its candidate sets that lies in a bag together with it
// and among the nodes before it. Nodes do not bear on one another, so that a change costs what it
// touches, whatever the size of the whole, and without the factorials of the best network within
// the k-tree (bag_step.h). Bags and what joins them are a tree without a root. The changes:
//
//   rename      two bags that meet differ in one node each. On one side of where they meet, a node
//               that they share gives up its places to the one that the other side has alone:
//               branches move without falling apart. Both then find new places in the order.
//   transplant  a node that a single bag holds leaves it for a handle elsewhere, and for a place in
//               the order (insertion.h): the best of those that were looked at.
//   reorder     a node moves to another place in the order.
//
// A change is kept or undone as a whole.
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

// Node -> the nodes that some candidate set of up to `largest` parents joins it with.
std::vector<std::vector<Node>> related_nodes(const ParentSets &sets, unsigned largest);

class OrderedKTree {
public:
  // `kept` and `related` must outlive it and are shared between copies. `order`: all nodes, parents
  // first. Bags have at most kLargestBag members.
  OrderedKTree(BagSets &kept, const std::vector<std::vector<Node>> &related, const KTree &tree,
               const std::vector<Node> &order);

  // A random change of its kind; false, and to be undone, where there was none to make. At a
  // temperature places in the order are drawn, with odds that fall by a factor e for every so many
  // nats; at 0 the best one is taken. `looks`: how many bags transplant() compares.
  bool rename(double temperature, Random &random);
  bool transplant(unsigned looks, Random &random);
  bool reorder(double temperature, Random &random);

  void keep();
  void undo(); // everything since the last keep()

  // Moves nodes within the order until no single one gains; kept.
  void improve_order(Random &random);

  // Room between the nodes of the order again, and gains without the rounding of many changes;
  // kept.
  void tidy();

  // To be called after BagSets::forget().
  void look_up();

  double gain() const { return total_; }
  Node nodes() const { return static_cast<Node>(rank_.size()); }
  KTree tree() const;
  std::vector<Node> order() const;
  // Empty where some node has no candidate set. candidates: those of BagSets::all().
  Network network(const ParentSets &candidates) const;

private:
  using BagId = std::uint32_t;

  // What undo() has to put back.
  struct Change {
    enum class Kind { gain, rank, members, joined, parted } kind;
    std::uint32_t a, b; // a node; a bag; two bags
    double value = 0;   // its gain, its rank
    const BagSets::Bag *sets = nullptr;
  };

  // Of a node that is about to move: somebody it shares a bag with.
  struct Mate {
    Node node;
    double before = 0, after = 0; // what it gains when the node comes before it, after it
  };

  const Node *bag(BagId i) const { return members_.data() + std::size_t{i} * size_; }
  const Node *bag_end(BagId i) const { return bag(i) + size_; }
  BagId bags() const { return static_cast<BagId>(joined_.size()); }
  bool holds(BagId i, Node v) const;
  unsigned place_of(BagId i, Node v) const;
  std::uint32_t before(BagId i, Node v) const;
  double gain_within(BagId i, Node v) const;
  double gain_of(Node v) const;
  std::optional<Node> loose_node(BagId i) const;

  void set_gain(Node v, double gain);
  void set_rank(Node v, double rank);
  void set_members(BagId i, const Node *members);
  void swap_members(BagId i, const Node *members);
  void replace(BagId i, Node from, Node to);
  void join(BagId i, BagId j);
  void part(BagId i, BagId j);
  bool put_between(Node v, std::optional<Node> last, std::optional<Node> next, Random &random);

  bool gains_hold() const;
  bool holds_together() const;
  void count_anew();

  void lift(BagId i);
  bool move_in_order(Node v, double temperature, Random &random);
  void find_mates(Node v);
  void look_at_mates(Node v);

  BagSets *kept_;
  const std::vector<std::vector<Node>> *related_;
  Insertion insertion_;
  unsigned k_, size_;
  std::vector<Node> members_;               // bag i from i * size_ on, ascending
  std::vector<const BagSets::Bag *> sets_;  // by bag
  std::vector<std::vector<BagId>> joined_;  // by bag
  std::vector<std::vector<BagId>> bags_of_; // by node
  std::vector<double> rank_, gain_;         // by node
  double total_ = 0;

  std::vector<Change> journal_;
  std::vector<Node> old_members_; // of the bags in the journal

  // For one change.
  std::vector<Mate> mates_;         // first to last
  std::vector<double> own_;         // what the node gains after so many mates
  std::vector<std::uint32_t> mate_; // node -> its place among the mates
  std::vector<char> seen_;          // by node; all false in between
  std::vector<Node> touched_;
  std::vector<std::pair<BagId, BagId>> side_; // bags, and where the way to them came from
};

} // namespace optbn
