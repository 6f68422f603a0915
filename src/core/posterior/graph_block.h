// GraphBlock: the inner loops of graph_posterior.cpp.
//
// Eight sets U of placed nodes that differ in the lowest three nodes alone, by l, are worked on
// together, as the lanes of registers. A set T of nodes beside them has a part among the lowest
// nodes, which makes l to s, and a part among the others. Some of the others are *inner* nodes: all
// their sets are run through for each set of the *outer* ones, so that few products are kept. Then
//     A_T(U) = outer(l) inner(l) low(s, l)
// where low(s, l) is 0 unless l is inside s. All factors are scaled numbers (scaled_sums.h).
#pragma once

#include "core/base/simd/aligned_array.h"

#include <cstddef>
#include <vector>

namespace optbn {

constexpr unsigned kLowNodes = 3;
constexpr std::size_t kLowSets = 8;

// Has a set of the lowest nodes an odd number of them?
constexpr bool is_odd(std::size_t set) { return (set ^ set >> 1 ^ set >> 2) & 1; }

// Eight scaled numbers a row.
struct LaneTable {
  explicit LaneTable(std::size_t rows) : value(rows * kLowSets), exponent(rows * kLowSets) {}
  AlignedArray value, exponent;
};

// Sets of some nodes, the empty one first.
struct SetProducts {
  explicit SetProducts(std::size_t most)
      : product(most), derivative(most * kLowSets), place(most), sign(most) {}

  std::size_t size = 1;
  LaneTable product;
  AlignedArray derivative;
  std::vector<std::size_t> place; // of a set among all sets, to be added
  std::vector<double> sign;       // -1 for an odd number of nodes
};

struct GraphBlock {
  GraphBlock(std::size_t inner_sets, std::size_t outer_sets)
      : inner(inner_sets), outer(outer_sets), low(kLowSets), low_of_placed(kLowSets), placed(1),
        low_derivative(kLowSets * kLowSets) {}

  SetProducts inner, outer;
  LaneTable low;               // low(s, l), a row for each s
  LaneTable low_of_placed;     // the same, a row for each l, times (-1)^(|s| + |l| + 1)
  LaneTable placed;            // Z(U)
  AlignedArray low_derivative; // as low
};

struct GraphKernels {
  // Of the terms A_T(U) B(U + T) with nodes in T that are not among the lowest, in units of 2^scale:
  // even[l] and odd[l] are the sums of those with an even and with an odd number |T| + |l|.
  void (*sum_terms)(const GraphBlock &block, const double *b, const double *of_b,
                    const double *scale, double *even, double *odd);
  // Adds up the derivatives of the total by all factors, as shares of it and in their units: what
  // the same terms, times Z(U) and their signs, give to the inner and the outer ones; those of the
  // low ones begin here. The total is 2^scale / inverse.
  void (*derive)(GraphBlock &block, const double *b, const double *of_b, double scale,
                 double inverse);
  // Adds these terms to Z(U + T); `lost` has the low parts of the sums (Kahan).
  void (*add_terms)(const GraphBlock &block, double *z, double *lost, const double *of_z);
};

// The kernels that this machine can run, the fastest last; all give the same bits.
std::vector<GraphKernels> all_graph_kernels();

} // namespace optbn
