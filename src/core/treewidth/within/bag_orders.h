// BagOrders: all orders of a few nodes, numbered, and their relation to orders of one node fewer.
//
// Order number r is the r-th permutation of the members 0..size-1 in lexicographic order. Dynamic
// programming over a k-tree has a state for every order of a bag; these are contiguous in memory,
// so that one loop processes all of them. size! numbers in every table: meant for size <= 9.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

class BagOrders {
public:
  explicit BagOrders(unsigned size);

  unsigned size() const { return size_; }
  std::size_t count() const { return count_; }

  // before(i)[r]: the members that come before member i in order r, as a mask.
  const std::uint16_t *before(unsigned i) const { return before_.data() + i * count_; }

  // without(i)[r]: the number of the order that results when member i is removed from order r, the
  // other members being renumbered from 0 in ascending order.
  const std::uint32_t *without(unsigned i) const { return without_.data() + i * count_; }

private:
  unsigned size_;
  std::size_t count_;
  std::vector<std::uint16_t> before_;
  std::vector<std::uint32_t> without_;
};

} // namespace optbn
