// Block kernels: the loops over levels and rows in which sum-product spends its time.
//
// Arrays hold one number for every level and row of a block, the rows of a level side by side
// (kBlockRows apart from level to level), so that vector instructions work on rows. `width` counts
// rows and is a multiple of kRowStep; arrays begin at multiples of 64 bytes.
//
// The kernels are written once and compiled for the instructions that every processor of the
// platform has, for AVX2 and for AVX-512. All sum in the same order and round products before they
// add them, so all give the same bits. Stateless and thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace optbn {

constexpr std::size_t kBlockRows = 64;
constexpr std::size_t kRowStep = 16; // floats in 64 bytes

template <class Real> struct BlockKernels {
  using Exponent = std::conditional_t<sizeof(Real) == 8, std::int64_t, std::int32_t>;

  // The left factor of a product: element (i, k) is at[i * row + k * column].
  struct Left {
    const Real *at;
    std::size_t row, column;
  };

  // c(i, j) = sum over k < inner of a(i, k) b(k, j), for i < rows, j < width; the rows of b and c
  // are `stride` apart.
  void (*product)(Left a, const Real *b, Real *c, std::size_t rows, std::size_t inner,
                  std::size_t width, std::size_t stride);

  // belief *= message; peak of a row = the largest of its levels. Returns the smallest peak of a
  // row and the smallest number of all.
  struct Least {
    Real peak, number;
  };
  Least (*absorb)(Real *belief, const Real *message, Real *peak, std::size_t levels,
                  std::size_t width);

  // Multiplies every row by the power of two that brings its peak to [1/2, 1), exactly, and adds
  // the power's logarithm, negated, to the row's exponent. Rows with peak 0 are unchanged. Products
  // of numbers below 1 are below 1, so nothing overflows, however many messages are absorbed.
  void (*scale)(Real *belief, const Real *peak, Exponent *exponent, std::size_t levels,
                std::size_t width);

  // quotient = share / message, 0 where the message is too small for a normal number.
  void (*divide)(const Real *share, const Real *message, Real *quotient, std::size_t levels,
                 std::size_t width);

  // sums[i * other_levels + j] = sum over rows of a(i, row) b(j, row).
  void (*inner_products)(const Real *a, std::size_t levels, const Real *b, std::size_t other_levels,
                         Real *sums, std::size_t width);
};

template <class Real> const BlockKernels<Real> &plain_block_kernels();
template <class Real> const BlockKernels<Real> &avx2_block_kernels(); // plain where there is none
template <class Real> const BlockKernels<Real> &fastest_block_kernels(); // of this machine

} // namespace optbn
