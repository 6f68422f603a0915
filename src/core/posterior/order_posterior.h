// OrderPosterior: sums over all orders of the nodes, and all choices of parents before their
// children.
//
// Koivisto & Sood (2004, Journal of Machine Learning Research 5, 549-573) and Koivisto (2006). With
// a_v(U) the sum of the weights of the parent sets of v inside U, an order has the product of
// a_v(nodes before v), and R(U), the sum over the orders of the nodes that are not in U, after those
// of U, obeys
//     R(all) = 1,    R(U) = sum over v not in U of a_v(U) R(U + v);
// L(S) is the same from the other end: the sum over the orders of S. A network counts once for each
// of its orders, so this is a distribution in which networks of many orders have more weight.
// The family (v, P) has the probability
//     w_v(P) / R(empty set) times the sum over U around P, without v, of L(U) R(U + v),
// a derivative of log R(empty set), which comes by the transposes of all sums.
//
// For up to kOrderPosteriorNodes nodes: 8 * 2^n bytes, and O(n 2^n) steps on short arrays.
#pragma once

#include "core/base/simd/scaled_sums.h"
#include "core/posterior/part_posterior.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace optbn {

constexpr unsigned kOrderPosteriorNodes = 30;

double order_posterior_bytes(unsigned nodes);

class OrderPosterior final : public PartPosterior {
public:
  // Throws TimeLimitReached or Interrupted when the watch stops; it advances by 2 * 2^n units, the
  // subsets passed in either direction. Some order must have weight.
  OrderPosterior(const FamilyWeights &weights, Watch &watch);

  std::vector<Choice> draw(std::size_t count, Random &random, Watch &watch) const override;

private:
  // Goes on with the networks of these numbers, whose first nodes are placed.
  void draw_after(std::uint32_t placed, const std::vector<std::size_t> &numbers,
                  std::vector<Choice> &choices, Random &random, Watch &watch) const;

  std::unique_ptr<Packed[]> rest_; // R
};

} // namespace optbn
