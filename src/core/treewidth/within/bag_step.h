// BagStep: the step of one bag in the dynamic program for the best network within a k-tree.
//
// In a network within a k-tree every family is assigned to one of the bags that contain it. Orders
// of the bags that agree wherever bags meet combine to one order of all nodes (a cycle in a chordal
// graph can be shortened to a triangle inside a bag). So the message of a subtree of bags to the
// bag above it is: for every order of their separator, and every set A of its members, the gain of
// the subtree if the families of A are assigned to it, besides those of the nodes that are in the
// subtree alone.
//
// Three things make it fast. All orders of a bag are processed together. A family of a member of
// the separator that does not contain the bag's new node is in the bag above too and is assigned
// there, so that a bag counts families of such a member only with the new node among the parents:
// messages have few sets A. And sets that gain no more than their subsets are left out.
//
// Gains are natural logs over the empty parent sets (bag_scores.h), 0 or more, and so monotone in
// A. Worst case (k + 1)! 3^(k + 1) for each bag. A step is not thread-safe; messages are, once
// made.
#pragma once

#include "core/base/simd/max_plus.h"
#include "core/treewidth/within/bag_orders.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

// The gains of a subtree: gain(j)[r] if its separator is in order r and at most the families of
// sets[j], a mask over the separator, are assigned to the subtree. The first set is the empty one.
struct BagMessage {
  std::size_t orders = 0;
  std::vector<std::uint32_t> sets;
  std::vector<double> gains;

  const double *gain(std::size_t j) const { return gains.data() + j * orders; }
};

// A subtree below a bag. Its separator is the bag without the member at position `omitted`.
struct BagChild {
  unsigned omitted;
  const BagMessage *message;
};

class BagStep {
public:
  explicit BagStep(unsigned bag_size);

  // The message of the subtree from this bag down. `table` as bag_scores() makes it; `introduced`
  // is the position of the member that is not in the bag's separator.
  void pass_up(const double *table, unsigned introduced, const std::vector<BagChild> &children,
               BagMessage &message);

  // The largest gain of a whole tree with this bag as the root.
  double finish(const double *table, const std::vector<BagChild> &children);

  // Backtracking: the order of the bag that attains the gain, and for each child the set of its
  // message that does.
  struct Trace {
    std::uint32_t order = 0;
    std::vector<std::uint32_t> child_sets; // indices in message->sets
  };
  Trace trace_root(const double *table, const std::vector<BagChild> &children);
  // Given the order of this bag's separator, and the members whose families are assigned here.
  Trace trace(const double *table, unsigned introduced, const std::vector<BagChild> &children,
              std::uint32_t separator_order, std::uint32_t assigned);

  const BagOrders &orders() const { return orders_; }
  const BagOrders &separator_orders() const { return separator_orders_; }

private:
  // Orders that are processed together: all orders of the bag, or the few of a trace.
  struct Block {
    std::vector<std::uint32_t> orders; // numbers; empty for all
    std::size_t count = 0;
  };

  // rows(A)[r]: the gain so far if at most the families of A are assigned, A within `active`.
  struct Rows {
    std::uint32_t active = 0;
    std::size_t width = 0;
    std::vector<double> gains;

    double *operator[](std::uint32_t set) { return gains.data() + set * width; }
    const double *at(std::uint32_t set) const { return gains.data() + (set & active) * width; }
    // Without the memory that is left over from larger blocks.
    Rows copy(unsigned members) const {
      return {active,
              width,
              {gains.begin(), gains.begin() + static_cast<std::ptrdiff_t>(width << members)}};
    }
  };

  static constexpr unsigned kNone = UINT32_MAX;
  using Trail = std::vector<Rows>; // the rows before each child, then before each member

  void process(const Block &block, const double *table, unsigned introduced,
               const std::vector<BagChild> &children, Trail *trail);
  void merge(const Block &block, const BagChild &child);
  bool compute_gains(const Block &block, const double *table, unsigned introduced, unsigned member);
  void assign_family(unsigned member);
  Trace trace_within(const Block &block, std::uint32_t nodes, const double *table,
                     unsigned introduced, const std::vector<BagChild> &children);
  Trace trace_back(const Block &one, std::uint32_t nodes, const double *table, unsigned introduced,
                   const std::vector<BagChild> &children);
  void make_message(unsigned introduced, BagMessage &message);

  template <class Number>
  Number at_order(const Number *by_order, const Block &block, std::size_t r) const {
    return by_order[block.orders.empty() ? r : block.orders[r]];
  }

  const BagOrders orders_, separator_orders_;
  const MaxPlus kernels_ = max_plus();
  Rows rows_, scratch_, by_separator_;
  std::vector<double> added_; // gains to be added to rows, by order
};

} // namespace optbn
