#include "core/treewidth/within/bag_orders.h"

#include <algorithm>
#include <numeric>

namespace optbn {

namespace {

std::size_t factorial(unsigned n) { return n < 2 ? 1 : n * factorial(n - 1); }

// The lexicographic rank of a permutation of distinct numbers without the one at position `skip`.
std::uint32_t rank_without(const std::vector<unsigned> &order, std::size_t skip) {
  std::size_t rank = 0, left = order.size() - 1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == skip)
      continue;
    std::size_t smaller = 0;
    for (std::size_t j = i + 1; j < order.size(); ++j)
      smaller += j != skip && order[j] < order[i];
    rank = rank * left-- + smaller;
  }
  return static_cast<std::uint32_t>(rank);
}

} // namespace

BagOrders::BagOrders(unsigned size)
    : size_(size), count_(factorial(size)), before_(size * count_), without_(size * count_) {
  std::vector<unsigned> order(size);
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t r = 0; r < count_; ++r) {
    unsigned earlier = 0; // members, as a mask
    for (unsigned p = 0; p < size; ++p) {
      const unsigned i = order[p];
      before_[i * count_ + r] = static_cast<std::uint16_t>(earlier);
      earlier |= 1u << i;
      without_[i * count_ + r] = rank_without(order, p);
    }
    std::next_permutation(order.begin(), order.end());
  }
}

} // namespace optbn
