// SeparatedGains: what the nodes on one side of a separator can gain at most, whatever the width.
//
// A separator S of k nodes cuts a k-tree, and the networks within it, in two. Say that S stands in
// order r, and that A are its members that take their parents on the other side. Then the nodes T
// of this side and the rest of S gain no more than the best network over T and S in which S stands
// in order r, A have no parents, and nothing bounds the width. The sides share the members of S
// between them and agree on r, and two such networks glued along r are a network again: so the sum
// of what two sides can gain never exceeds the unbounded optimum, and falls short of it where S
// cuts through what belongs together.
//
// By subset dynamic programming (subset_dp.h) over T for every prefix of an order of S: either a
// node of T comes last, or the last member of the prefix,
//
//     gain(T, prefix) = max over v in T of gain(T - v, prefix) + g_v(T - v + prefix),
//                       gain(T, prefix - last) + g_last(T + prefix - last), or + 0 for last in A,
//
// g_v(P) being the most that v gains from parents in P. Prefixes are gone through as a tree, so
// that only those on the way to the one in hand are kept, and all A at once. A separator takes
// fewer than e k! 2^n n / 2 steps.
//
// Natural logs over the empty sets (bag_scores.h), in single precision: what two sides gain is too
// small or too large by slack() at most. One object for each thread.
#pragma once

#include "core/base/host.h"
#include "core/treewidth/exact/node_masks.h"
#include "core/treewidth/within/bag_scores.h"

#include <cstddef>
#include <vector>

namespace optbn {

// table[T * n + v] is the most that v gains from parents in T, a mask over the n nodes; whether T
// holds v makes no difference. When the watch stops, numbers are missing.
std::vector<float> gains_among_all(const SetTrie &sets, Watch &watch);

class SeparatedGains {
public:
  // Bytes of one object, and steps that separate() takes.
  static double bytes(unsigned nodes, unsigned k);
  static double steps(unsigned nodes, unsigned k);

  // Rounding error of the gains of two sides together; `total` is at least what any network gains.
  static double slack(unsigned nodes, double total);

  // gains: of gains_among_all(); must outlive this object. k is from 1 to kLargestDpWidth.
  SeparatedGains(const std::vector<float> &gains, unsigned nodes, unsigned k);

  // Fills the tables for this separator. When the watch stops, numbers are missing.
  void separate(NodeMask separator, Watch &watch);

  std::size_t orders() const { return orders_; }

  // What a side gains, by A as a mask over the separator: 2^k numbers. The side is given by its
  // number among the sets without the separator (node_masks.h), the order by its own
  // (bag_orders.h).
  const float *gain(NodeMask side, std::size_t order) const {
    return values_.data() + (order << nodes_) + (std::size_t{side} << k_);
  }

  // The most that this side and its counterpart gain together.
  float most(NodeMask side) const { return most_[side]; }

private:
  // The first few members of the separator in some order, as a set and as the nodes that they are.
  struct Prefix {
    unsigned members;
    NodeMask nodes;
    const float *gains; // by side and A
  };
  // Loops over all sides, for 2^k sets A.
  struct Loops {
    void (*fill)(SeparatedGains &, const Prefix &before, unsigned last, float *to);
    void (*pair)(SeparatedGains &, const float *gains);
  };

  template <unsigned Sets> static Loops loops();
  template <unsigned Sets> void fill(const Prefix &before, unsigned last, float *to) const;
  template <unsigned Sets> void pair(const float *gains);
  template <unsigned Sets> struct Plain;
  template <unsigned Sets> struct Fast;

  void extend(const Prefix &prefix, Watch &watch);
  NodeMask sides() const { return mask_of(nodes_ - k_); }

  const float *const gains_;
  const unsigned nodes_, k_;
  const std::size_t orders_;
  Loops loops_;
  std::vector<float> values_; // by order, then by length of the prefixes in hand; side; A
  std::vector<float> most_;   // by side
  // Of the separator in hand.
  std::vector<NodeMask> nodes_of_side_;
  std::vector<unsigned> member_, other_; // of the separator, and not
  std::size_t next_order_ = 0;
};

} // namespace optbn
