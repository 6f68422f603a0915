// TableStrides: the strides of a factor along the variables of a larger table, and the four passes
// that combine the two.
//
// A table over some variables is an array, the first variable fastest. A factor is over some of
// these variables, in the same order. Passes visit the cells of the table from the first to the
// last; a step along a variable moves the position in the factor by the factor's stride for this
// variable, which is 0 for a variable that it lacks. Loops that continue each other are merged and
// loops of length 1 are dropped, so that mostly one or two long loops remain, with stride 0 or 1
// inside.
//
// Tables are processed in blocks, a block being all combinations of the first few variables: it
// stays in the processor's first-level cache for all passes over it. Passes are written once and
// compiled for plain C++ and for AVX2; sums use the same four lanes in both, so both give the same
// bits.
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

  // Variable i has extent[i] levels in the table and stride[i] in the factor. The first `split`
  // variables make a block.
  void set(const std::size_t *extent, const std::size_t *stride, std::size_t variables,
           std::size_t split);

  // The cell of the factor for the first cell of a block.
  std::size_t start(std::size_t block) const;

  // The loops inside a block, innermost first: at least one.
  const Loop *loops() const { return inner_.data(); }
  std::size_t depth() const { return depth_; }

private:
  std::array<Loop, kDepth> inner_{};
  std::size_t depth_ = 0;
  std::vector<Loop> outer_;
};

// The passes over one block of a table; `factor` points to the factor's cell for its first cell.
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
