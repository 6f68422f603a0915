// GraphPosterior: sums over all acyclic choices of parents, each counted once.
//
// With a_v(U) the sum of the weights of the parent sets of v inside U, let B(U) be the sum over the
// choices of all nodes that are not in U, acyclic among these, which may have parents in U, too. By
// the inclusion and exclusion of the nodes T whose parents are all in U (Robinson 1973; Tian & He
// 2009, Conference on Uncertainty in Artificial Intelligence, 538-547)
//     B(all) = 1,    B(U) = sum over non-empty T outside U of (-1)^(|T| + 1) A_T(U) B(U + T),
// with A_T(U) the product of a_v(U) over v in T: 3^n terms. Z(S), the sum over the choices of S, is
// the derivative of B(empty set) by B(S), and obeys the same recursion from the other end. The
// derivatives by a_v(U), and from them those by all weights, are the probabilities of the families.
// They take 3^n terms, too, as a product is differentiated by all of its factors at once.
//
// Signs alternate, but no term is larger than the sum that it is in, so that the error of rounding
// is at most that of one term times the number of terms, weighted as the networks are: rounding().
#pragma once

#include "core/base/simd/aligned_array.h"
#include "core/posterior/part_posterior.h"

#include <cstddef>
#include <vector>

namespace optbn {

constexpr unsigned kGraphPosteriorNodes = 24;

double graph_posterior_bytes(unsigned nodes);

class GraphPosterior final : public PartPosterior {
public:
  // Throws TimeLimitReached or Interrupted when the watch stops; it advances by 2 * 2^n units, the
  // sets passed in either direction. Some network must have weight.
  GraphPosterior(const FamilyWeights &weights, Watch &watch);

  // By layers, from the nodes without parents on: every node has a parent in the layer before its
  // own (Talvitie, Vuoksenmaa & Koivisto 2019, Conference on Uncertainty in Artificial
  // Intelligence). A layer takes O(m 2^m) steps, where m nodes are left.
  std::vector<Choice> draw(std::size_t count, Random &random, Watch &watch) const override;

private:
  // Scaled numbers, by set.
  struct Table {
    explicit Table(std::size_t size) : value(size), exponent(size) {}
    Scaled operator[](std::size_t i) const { return {value[i], exponent[i]}; }
    AlignedArray value, exponent;
  };
  class Passes;

  // Goes on with the networks of these numbers, whose first layers are `placed`, the last of them
  // `layer`.
  void draw_after(std::uint32_t placed, std::uint32_t layer,
                  const std::vector<std::size_t> &numbers, std::vector<Choice> &choices,
                  Random &random, Watch &watch) const;

  std::vector<Table> sums_; // a_v(U), without the bit of v
  Table rest_;              // B
};

} // namespace optbn
