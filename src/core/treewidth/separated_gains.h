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
// By subset dynamic programming (subset_dp.h) over T, side by side with the prefixes of all orders
// of S: either a node of T comes last, or the last of the prefix. All A are gone through at once.
// For one separator fewer than e k! 2^n numbers and n times as many steps.
//
// Natural logs over the empty sets (bag_scores.h), in single precision: what two sides gain is too
// small or too large by slack() at most. One object for each thread.
#pragma once

#include "core/base/host.h"
#include "core/treewidth/bag_scores.h"
#include "core/treewidth/node_masks.h"

#include <cstddef>
#include <vector>

namespace optbn {

// table[v << n | T] is the most that v gains from parents in T: bag_scores() in single precision.
// When the watch stops, numbers are missing.
std::vector<float> gains_among_all(const SetTrie &sets, Watch &watch);

class SeparatedGains {
public:
  // Bytes of one object, and steps that separate() takes.
  static double bytes(unsigned nodes, unsigned k);
  static double steps(unsigned nodes, unsigned k);

  // Rounding error of the gains of two sides together; `total` is at least what any network gains.
  static double slack(unsigned nodes, double total);

  // gains: of gains_among_all(); must outlive this object. k is at least 1.
  SeparatedGains(const std::vector<float> &gains, unsigned nodes, unsigned k);

  // Fills the tables for this separator. stopped() is asked now and then, and ends it early.
  template <class Stopped> void separate(NodeMask separator, Stopped &&stopped) {
    take(separator);
    for (NodeMask side = 0; side < mask_of(nodes_ - k_); ++side) {
      fill_(*this, side);
      if (side % 1024 == 1023 && stopped())
        return;
    }
  }

  std::size_t orders() const { return complete_.size(); }

  // What the side gains, by A as a mask over the separator: 2^k numbers. The side is given by its
  // number among the sets without the separator (node_masks.h), the order by its own
  // (bag_orders.h).
  const float *gain(NodeMask side, std::size_t order) const {
    return values_.data() + ((side * prefixes_.size() + complete_[order]) << k_);
  }

private:
  // The first few members of the separator in some order.
  struct Prefix {
    std::size_t before; // the prefix without the last of them
    unsigned last;
    unsigned members; // as a mask over the separator
  };
  using Fill = void (*)(SeparatedGains &, NodeMask side);

  void extend(std::size_t prefix);
  void take(NodeMask separator);
  template <unsigned Sets> void fill(NodeMask side);
  template <unsigned Sets> static Fill pick_fill();
  template <unsigned Sets> static void fill_plainly(SeparatedGains &self, NodeMask side);
  template <unsigned Sets> static void fill_fast(SeparatedGains &self, NodeMask side);

  const float *const gains_;
  const unsigned nodes_, k_;
  Fill fill_;
  std::vector<Prefix> prefixes_;      // each after the one that it extends; the empty one first
  std::vector<std::size_t> complete_; // order -> prefix
  std::vector<float> values_;         // by side, prefix, A
  // Of the separator in hand.
  NodeMask separator_ = 0;
  std::vector<unsigned> member_, other_;              // of the separator, and not
  std::vector<NodeMask> prefix_nodes_, nodes_before_; // by prefix: with the last member, without
};

} // namespace optbn
