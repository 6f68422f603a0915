// BagStep: one bag's turn in the search for the best network within a k-tree.
//
// In a network within a k-tree every node takes its parents inside one of the bags that hold it.
// Orders of the bags that agree wherever bags meet glue to one order of all nodes (a cycle in a
// chordal graph can be shortened to a triangle inside a bag). So a subtree of bags tells the bag
// above it no more than this: for every order of the nodes that they share, its handle, and every
// set A of these, how much the subtree gains if A are the nodes of its handle that take their
// parents there, beside the nodes that are its own.
//
// Three things make it quick. All orders of a bag go through each step side by side. A node of the
// handle finds every set that the bag above offers too up there, so that a bag counts for it only
// where the bag's own new node is among the parents: few sets A are worth telling. And a set that
// gains no more than its subsets is never told.
//
// Gains are natural logs over the empty parent sets (bag_scores.h), 0 or more, and so monotone
// in A. Worst case (k + 1)! 3^(k + 1) a bag. A step is not thread-safe; messages are, once made.
#pragma once

#include "core/base/simd/max_plus.h"
#include "core/treewidth/within/bag_orders.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

// What a subtree gains: gain(j)[r] if its handle stands in order r and sets[j], a mask over the
// handle, are the nodes of it that may take parents there. The first set is the empty one.
struct BagMessage {
  std::size_t orders = 0;
  std::vector<std::uint32_t> sets;
  std::vector<double> gains;

  const double *gain(std::size_t j) const { return gains.data() + j * orders; }
};

// A subtree below a bag. Its handle is the bag but for the member at place `omitted`.
struct BagChild {
  unsigned omitted;
  const BagMessage *message;
};

class BagStep {
public:
  explicit BagStep(unsigned bag_size);

  // What the subtree from this bag down tells the bag above. `table` as bag_scores() makes it;
  // `introduced` is the place of the member that is not in the bag's handle.
  void pass_up(const double *table, unsigned introduced, const std::vector<BagChild> &children,
               BagMessage &message);

  // The most that a whole tree gains, this bag being its root.
  double finish(const double *table, const std::vector<BagChild> &children);

  // The way back: the order of the bag that attains the gain, and for each child the set of its
  // message that does.
  struct Trace {
    std::uint32_t order = 0;
    std::vector<std::uint32_t> child_sets; // places in message->sets
  };
  Trace trace_root(const double *table, const std::vector<BagChild> &children);
  // The bag above has settled the order of this bag's handle, and which of it take parents here.
  Trace trace(const double *table, unsigned introduced, const std::vector<BagChild> &children,
              std::uint32_t handle_order, std::uint32_t handle_nodes);

  const BagOrders &orders() const { return orders_; }
  const BagOrders &handle_orders() const { return handle_orders_; }

private:
  // Orders that are gone through side by side: all of the bag's, or the few that a trace is about.
  struct Block {
    std::vector<std::uint32_t> orders; // numbers; empty for all
    std::size_t count = 0;
  };

  // rows(A)[r]: the gain so far if the members A may take parents, A within `active`.
  struct Rows {
    std::uint32_t active = 0;
    std::size_t width = 0;
    std::vector<double> gains;

    double *operator[](std::uint32_t set) { return gains.data() + set * width; }
    const double *at(std::uint32_t set) const { return gains.data() + (set & active) * width; }
    // Without the room that is left over from larger blocks.
    Rows copy(unsigned members) const {
      return {active,
              width,
              {gains.begin(), gains.begin() + static_cast<std::ptrdiff_t>(width << members)}};
    }
  };

  static constexpr unsigned kNone = UINT32_MAX;
  using Trail = std::vector<Rows>; // what was there before each child, then before each member

  void take_turn(const Block &block, const double *table, unsigned introduced,
                 const std::vector<BagChild> &children, Trail *trail);
  void merge(const Block &block, const BagChild &child);
  bool weigh(const Block &block, const double *table, unsigned introduced, unsigned member);
  void pay(unsigned member);
  Trace trace_within(const Block &block, std::uint32_t nodes, const double *table,
                     unsigned introduced, const std::vector<BagChild> &children);
  Trace walk_back(const Block &one, std::uint32_t nodes, const double *table, unsigned introduced,
                  const std::vector<BagChild> &children);
  void tell(unsigned introduced, BagMessage &message);

  template <class Number>
  Number looked_up(const Number *by_order, const Block &block, std::size_t r) const {
    return by_order[block.orders.empty() ? r : block.orders[r]];
  }

  const BagOrders orders_, handle_orders_;
  const MaxPlus kernels_ = max_plus();
  Rows rows_, spare_, told_;
  std::vector<double> weight_;
};

} // namespace optbn
