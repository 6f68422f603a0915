// DecisionTree: the domain of a node (its candidate sets and their reduced costs) in a form in
// which queries, changes and undoing are fast.
//
// Propagators query a domain very often: is some set inside T? It may be a *live* set (one that the
// search has not removed; "type 1") or a *zero* set (live, and of the least reduced cost that any
// live set may have; "type 2"). A plain list tests one set after the other. A decision tree
// (Troesser, de Givry & Katsirelos 2022, "Structured Set Variable Domains in Bayesian Network
// Structure Learning") tests one element at every node, and a query follows the branch "contains u"
// only if u is in T; counts of the live and zero sets below a node prune subtrees without any. With
// implied literals a node also stores what all sets below it have in common: unless that is inside
// T, no set below is; and the elements that any of them has: if those are inside T, all sets below
// are.
//
// A leaf is a short list in three sections: zero sets, other live sets, removed sets. Within it
// sets change positions, so they are addressed by *rank*, their position in the order of cost.
// Removal swaps a set to the end of the live section; undone in reverse order, the sets to restore
// are just those behind it, wherever swaps have put them (the sparse sets of Briggs & Torczon 1993,
// doi 10.1145/176454.176484). A plain list is a tree of a single leaf.
//
// A change costs O(1) a set and O(depth) a leaf. Not thread-safe.
#pragma once

#include "core/base/bit_set.h"
#include "core/structure/bounds/exact_costs.h"
#include "core/structure/engines/reduced_cost_kernels.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace optbn {

using Rank = std::uint32_t;
constexpr Rank kNoSet = ~Rank{0};

// How a node of a tree chooses the element that it tests.
enum class SplitRule {
  none,             // no tests: a plain list
  information_gain, // the element with most information on which sets are in the domain
  most_frequent,    // the element that most sets contain
  balanced          // the element whose sets are closest to one half
};

struct TreeOptions {
  SplitRule split = SplitRule::information_gain;
  bool implied_literals = true;
};

// The faster form: with zero sets in front, queries take a tenth of the time, and trees only slow
// down the changes of reduced costs that take the rest.
constexpr TreeOptions kPlainList{SplitRule::none, true};

template <unsigned Words> class DecisionTree {
public:
  using Set = BitSet<Words>;
  static constexpr unsigned kWords = Words;

  // Sets by rank, all live. No reduced cost may be below `least_reduced`.
  DecisionTree(const std::vector<Set> &sets, const std::vector<Cost> &reduced, Cost least_reduced,
               const TreeOptions &options);

  Rank size() const { return static_cast<Rank>(set_.size()); }
  Rank live() const { return nodes_[0].live; } // how many
  Rank zeros() const { return nodes_[0].zero; }
  bool has_zero() const { return nodes_[0].zero > 0; }
  Cost least_reduced() const { return least_reduced_; }

  bool is_live(Rank rank) const {
    const TreeNode &leaf = nodes_[leaf_[slot_[rank]]];
    return slot_[rank] < leaf.begin + leaf.live;
  }
  bool is_zero(Rank rank) const {
    const TreeNode &leaf = nodes_[leaf_[slot_[rank]]];
    return slot_[rank] < leaf.begin + leaf.zero;
  }
  const Set &set(Rank rank) const { return set_[slot_[rank]]; }
  Cost reduced(Rank rank) const { return reduced_[slot_[rank]]; } // of a live set

  // A live set, a zero set, or the live set of least rank inside `allowed`; or kNoSet.
  Rank live_inside(const Set &allowed) const;
  Rank zero_inside(const Set &allowed) const;
  Rank cheapest_inside(const Set &allowed) const;
  Rank cheapest_zero_inside(const Set &allowed) const;
  Rank zeros_inside(const Set &allowed) const;

  // The least reduced cost of a live set disjoint from the cluster, less least_reduced(); kNoCost
  // if there is none.
  Cost slack_outside(Set cluster) const;

  // visit(set, reduced cost) for all live sets.
  template <class Visit> void for_each_live(Visit visit) const;

  // The reduced costs of live sets fall by the prices of the clusters in which they count, or rise
  // if all the amounts are negative. Undone, in reverse order, by the opposite amounts.
  void change_prices(const std::vector<PriceChange<Words>> &changes);

  // With no zero set: least_reduced() rises to the least of the live sets' reduced costs. Undone by
  // restore_least_reduced(former).
  void raise_least_reduced();
  void restore_least_reduced(Cost former);

  // Removes the live sets that test(rank, set, reduced cost) names. Undone by restore(former live).
  template <class Test> void remove_if(Test test);
  void remove_from(Cost least); // those of this reduced cost or more, more than least_reduced()
  void restore(Rank former_live);

  // A hash of all that queries depend on: least_reduced(), which sets are live, which are zero, and
  // the reduced costs of the live ones, wherever they are stored. For invariants.
  std::uint64_t fingerprint() const;

private:
  // Nodes are in preorder, "lacks u" before "contains u", so that a traversal needs no stack: node
  // i is followed by i + 1, or by nodes_[i].next if nothing below i matters.
  struct TreeNode {
    Set required; // in all sets below: at least the elements tested on the branch to this node
    Set possible; // the sets below have no others; without implied literals: all there are
    Rank live = 0, zero = 0;            // sets below; of a leaf: the lengths of its sections
    std::uint32_t next = 0, parent = 0; // the root is its own parent
    std::uint32_t begin = 0;            // of the slots below
    Rank least_rank = 0;                // of the sets below
    bool leaf = false;
  };

  void grow(const std::vector<Set> &sets, std::vector<Rank> ranks, const Set &branch,
            std::uint32_t parent, const TreeOptions &options);

  template <class Next> void remove(Next next);

  template <Rank TreeNode::*Count> Rank find(const Set &allowed) const;

  // visit(leaf) for leaves with live sets (or zero sets, as Count says) that may be inside
  // `allowed`.
  template <Rank TreeNode::*Count, class Visit>
  void for_each_leaf(const Set &allowed, Visit visit) const {
    for (std::uint32_t i = 0; i < nodes_.size();) {
      const TreeNode &node = nodes_[i];
      if (node.*Count == 0 || !node.required.inside(allowed)) {
        i = node.next;
        continue;
      }
      if (node.leaf)
        visit(i);
      ++i;
    }
  }

  template <Rank TreeNode::*Count> void add(std::uint32_t leaf, Rank amount) {
    std::uint32_t i = leaf;
    for (; i != 0; i = nodes_[i].parent)
      nodes_[i].*Count += amount; // modulo 2^32, so that amounts may be negative
    nodes_[0].*Count += amount;
  }

  void swap(std::uint32_t a, std::uint32_t b) {
    if (a == b)
      return;
    std::swap(set_[a], set_[b]);
    std::swap(reduced_[a], reduced_[b]);
    std::swap(rank_[a], rank_[b]);
    slot_[rank_[a]] = a;
    slot_[rank_[b]] = b;
  }

  // Moves the zero sets that count in any of the clusters out of the zero section.
  void release_zeros(std::uint32_t leaf, const std::vector<PriceChange<Words>> &changes);

  // Do counts and slots agree, are zero sets those of least_reduced(), and no live set below it?
  bool is_consistent() const;

  // Moves sets of least_reduced(), from the leaf's `first` one on, from its live section to its
  // zero section.
  void gather_zeros(std::uint32_t leaf, Rank first);

  static Set everything() {
    Set all;
    all.word.fill(~std::uint64_t{0});
    return all;
  }

  ReducedCostKernels<Words> kernels_ = reduced_cost_kernels<Words>();
  Cost least_reduced_;
  std::vector<TreeNode> nodes_;
  std::vector<Set> set_; // by slot, leaf after leaf
  std::vector<Cost> reduced_;
  std::vector<Rank> rank_;
  std::vector<std::uint32_t> leaf_;
  std::vector<std::uint32_t> slot_; // by rank
  std::vector<Rank> removed_;       // in the order of removal
};

template <unsigned Words>
template <class Visit>
void DecisionTree<Words>::for_each_live(Visit visit) const {
  for_each_leaf<&TreeNode::live>(everything(), [&](std::uint32_t leaf) {
    const std::uint32_t begin = nodes_[leaf].begin, end = begin + nodes_[leaf].live;
    for (std::uint32_t slot = begin; slot < end; ++slot)
      visit(set_[slot], reduced_[slot]);
  });
}

template <unsigned Words> template <class Next> void DecisionTree<Words>::remove(Next next) {
  for_each_leaf<&TreeNode::live>(everything(), [&](std::uint32_t leaf) {
    const std::uint32_t begin = nodes_[leaf].begin;
    Rank live = nodes_[leaf].live, zero = nodes_[leaf].zero;
    for (std::uint32_t end = begin + live; (end = next(begin, zero, end)) > begin;) {
      std::uint32_t hole = --end;
      removed_.push_back(rank_[hole]);
      if (hole < begin + zero) {
        swap(hole, begin + --zero);
        hole = begin + zero;
      }
      swap(hole, begin + --live);
    }
    if (live != nodes_[leaf].live)
      add<&TreeNode::live>(leaf, live - nodes_[leaf].live);
    if (zero != nodes_[leaf].zero)
      add<&TreeNode::zero>(leaf, zero - nodes_[leaf].zero);
  });
}

template <unsigned Words> template <class Test> void DecisionTree<Words>::remove_if(Test test) {
  remove([&](std::uint32_t begin, Rank, std::uint32_t end) {
    while (end > begin && !test(rank_[end - 1], set_[end - 1], reduced_[end - 1]))
      --end;
    return end;
  });
}

template <unsigned Words> void DecisionTree<Words>::remove_from(Cost least) {
  remove([&](std::uint32_t begin, Rank zero, std::uint32_t end) {
    begin += zero;
    if (end <= begin)
      return begin - zero;
    const std::size_t last = kernels_.last_from(reduced_.data() + begin, end - begin, least);
    return last > 0 ? begin + static_cast<std::uint32_t>(last) : begin - zero;
  });
}

} // namespace optbn
