// SeparatedGains: upper bounds on the gains of the nodes on one side of a separator, without a
// bound on the width.
//
// A separator S of k nodes divides a k-tree, and the networks within it, into two sides. Let r be
// the order of S, and A its members whose families are assigned to the other side. Then the nodes T
// of this side and the rest of S gain no more than in the best network over T and S in which S is
// in order r, the members of A have no parents, and the width is not bounded. Each member of S is
// assigned to one side and both sides agree on r, and two such networks combined along r are a
// network again: so the sum of the gains of two sides never exceeds the unbounded optimum, and is
// less where S separates related nodes.
//
// Computed by subset dynamic programming (subset_dp.h) over T for every prefix of an order of S:
// the last node is either a node of T or the last member of the prefix,
//
//     gain(T, prefix) = max over v in T of gain(T - v, prefix) + g_v(T - v + prefix),
//                       gain(T, prefix - last) + g_last(T + prefix - last), or + 0 for last in A,
//
// g_v(P) being the largest gain of v from parents in P. Prefixes are visited depth first as a tree,
// so that only the tables of those on the path to the current one are stored; all A are processed
// together. A separator takes fewer than e k! 2^n n / 2 steps.
//
// Natural logs over the empty sets (bag_scores.h), in single precision: the sum of two sides is too
// small or too large by rounding_error() at most. One object for each thread.
#pragma once

#include "core/base/host.h"
#include "core/treewidth/exact/node_masks.h"
#include "core/treewidth/within/bag_scores.h"

#include <cstddef>
#include <vector>

namespace optbn {

// table[T * n + v] is the largest gain of v from parents in T, a mask over the n nodes; whether T
// contains v makes no difference. When the watch stops, the table is incomplete.
std::vector<float> gains_among_all(const SetTrie &sets, Watch &watch);

class SeparatedGains {
public:
  // Bytes of one object, and steps that separate() takes.
  static double bytes(unsigned nodes, unsigned k);
  static double steps(unsigned nodes, unsigned k);

  // Of the gains of two sides together; `total` is an upper bound on the gain of any network.
  static double rounding_error(unsigned nodes, double total);

  // gains: of gains_among_all(); must outlive this object. k is from 1 to kLargestDpWidth.
  SeparatedGains(const std::vector<float> &gains, unsigned nodes, unsigned k);

  // Fills the tables for this separator. When the watch stops, they are incomplete.
  void separate(NodeMask separator, Watch &watch);

  std::size_t orders() const { return orders_; }

  // The gains of a side, by A as a mask over the separator: 2^k numbers. The side is given by its
  // number among the sets without the separator (node_masks.h), the order by its number
  // (bag_orders.h).
  const float *gain(NodeMask side, std::size_t order) const {
    return values_.data() + (order << nodes_) + (std::size_t{side} << k_);
  }

  // The largest gain of this side and the other side together.
  float most(NodeMask side) const { return most_[side]; }

private:
  // The first few members of the separator in some order, as a mask over it and as nodes.
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
  std::vector<float> values_; // by order, then by length of the current prefixes; side; A
  std::vector<float> most_;   // by side
  // Of the current separator.
  std::vector<NodeMask> nodes_of_side_;
  std::vector<unsigned> member_, other_; // nodes of the separator, and the others
  std::size_t next_order_ = 0;
};

} // namespace optbn
