// TableStrides: how a factor lies over a larger table, and the four passes that join the two.
//
// A table over some variables is an array, the first variable fastest. A factor over some of them,
// in the same order, is met by going through the table from its first cell to its last: a step
// along a variable that the factor has moves by its stride there, along others it stays. Loops that
// continue each other are joined and loops of length 1 dropped, so that what remains is mostly one
// or two long loops with stride 0 or 1 inside.
//
// Tables are worked on a block at a time, a block being all combinations of the first few
// variables: it stays in the processor's nearest cache while everything that has to be done with it
// is done. Passes are written once and compiled for plain C++ and for AVX2; sums are taken in the
// same four lanes in both, so both give the same bits.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace optbn {

// Cells of a block, unless the first variable alone has more: 32 kB of doubles.
constexpr std::size_t kBlockCells = 4096;

class TableStrides {
public:
  struct Loop {
    std::size_t count, stride;
  };
  static constexpr std::size_t kDepth = 13; // a block of 2^12 cells has 12 variables at most

  // Along variable i the table has extent[i] levels, and the factor moves by stride[i]. The first
  // `split` variables make a block.
  void lay(const std::size_t *extent, const std::size_t *stride, std::size_t variables,
           std::size_t split);

  // Where the factor is at the first cell of a block.
  std::size_t start(std::size_t block) const;

  // The loops inside a block, innermost first: one at least.
  const Loop *loops() const { return inner_.data(); }
  std::size_t depth() const { return depth_; }

private:
  std::array<Loop, kDepth> inner_{};
  std::size_t depth_ = 0;
  std::vector<Loop> outer_;
};

// The passes over one block of a table; `factor` is where the factor is at its first cell.
struct Passes {
  // cell = factor
  void (*assign)(double *cells, const TableStrides &strides, const double *factor);
  // cell *= factor
  void (*multiply)(double *cells, const TableStrides &strides, const double *factor);
  // factor += cell
  void (*add)(const double *cells, const TableStrides &strides, double *factor);
  // factor = max(factor, cell)
  void (*raise)(const double *cells, const TableStrides &strides, double *factor);
};

const Passes &plain_passes();
const Passes &fastest_passes(); // that this machine can run

} // namespace optbn
