// TreeBlock: sum-product in a tree density for a block of rows at a time, and the counts that its
// expectation step needs.
//
// Messages go up from the leaves to the root, one number for every level and row, rows side by side
// so that a message is one small matrix product for the whole block (block_kernels.h). Rows are
// scaled by powers of two where they become small, exactly, and the logarithms of the scales added:
// no tree is too large. The levels of a member share a scale, however: children that contradict
// each other may bring one below the smallest number before others make it the likely one. So a
// bound of what may have been lost goes up beside the messages, and rows where it counts are
// answered one by one in logarithms (tree_messages.h). A variable of a row is observed or missing;
// a member that is hidden or missing is summed out, and a whole part of the tree without
// observations sends ones and costs nothing. On the way back every member gets its flow, the
// posterior of its levels; the flow into a child is that of the parent over the message that came
// up from the child, times the table.
//
// Time O(sum of levels times parent levels) a row. TreeBlock works in double precision; the
// FastTreeBlock of learners in single, which takes half the time and errs by some 1e-6 in a row's
// log density and in a count, relatively. A workspace, for one thread.
#pragma once

#include "core/data/partial_rows.h"
#include "core/density/density.h"
#include "core/density/inference/block_kernels.h"
#include "core/density/inference/level_weights.h"
#include "core/density/inference/tree_descent.h"
#include "core/density/inference/tree_messages.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace optbn {

template <class Real> class TreeBlockOf {
public:
  static constexpr std::size_t kRows = kBlockRows; // in a block at most

  // Holds on to the tree. Kernels for tests.
  explicit TreeBlockOf(const TreeDensity &tree,
                       const BlockKernels<Real> &kernels = fastest_block_kernels<Real>());

  // The tables of the tree have changed.
  void reload();

  // log P of what is observed in these rows, which are numbers of rows of `data`; `count` of them,
  // kRows at most.
  void collect(const PartialRows &data, const std::uint32_t *rows, std::size_t count,
               double *log_densities);

  // After collect(), of the same rows, once: adds to `expected`, laid out as the tree's tables, how
  // often each level of a member together with each level of its parent is to be expected, every
  // row counting `weights[row of the block]` times. Rows of density 0 must have weight 0.
  void distribute(const double *weights, double *expected);

private:
  using Exponent = typename BlockKernels<Real>::Exponent;

  // What is kept of a member; the last place stands above all roots and has one level.
  struct Place {
    std::uint32_t parent;
    std::uint16_t levels;
    bool inner = false;      // has children
    bool observed = false;   // some row of the block observes it
    bool informed = false;   // or something below it
    bool lost = false;       // may something have been lost, here or below?
    std::size_t belief = 0;  // levels x rows: what is below, given the level; later its flow. And
                             // by row what is lost of a level, at most, in Limits' units
    std::size_t message = 0; // parent's levels x rows, what went up; of inner places
    std::size_t codes = 0;   // rows: observed levels, `levels` where missing; of variables
  };

  Real *at(std::size_t place) { return numbers_ + place; }
  const Real *table(std::size_t member) const {
    return tables_.data() + tree_.members[member].table;
  }
  void answer_singly(const PartialRows &data, const std::uint32_t *rows, double *log_densities);
  void observe(std::size_t member, const PartialRows &data, const std::uint32_t *rows);
  void show_observed(std::size_t member, Real *belief) const;
  void fill_ones(Real *to, std::size_t levels) const;
  Real *losses(const Place &place) { return at(place.belief) + place.levels * kRows; }
  void carry_losses(const Place &child, Place &parent, const Real *message);
  void lose(Place &place, std::size_t terms);
  void absorb(Place &parent, const Real *message, const Place *child);
  void count_leaf(std::size_t member, double *expected);
  void pass_down(std::size_t member, double *expected);

  const TreeDensity &tree_;
  const BlockKernels<Real> &kernels_;
  std::vector<Place> places_; // by member, and the one above the roots
  std::vector<Real> tables_;
  std::size_t count_ = 0, width_ = 0; // rows of the block; in whole steps
  std::vector<Exponent> exponent_;    // by row: log2 of what the densities were divided by
  std::vector<std::pair<std::size_t, LevelWeights>> single_; // rows of the block answered singly
  TreeMessages messages_;
  TreeDescent descent_;
  std::vector<std::uint16_t> codes_;
  std::vector<Real> store_;
  Real *numbers_ = nullptr; // the first place of store_ that is a multiple of 64 bytes
  // Scratch: levels of a leaf or quotients of messages; a message of a leaf or expected counts;
  // beliefs, level by level within a row; the largest number of each row.
  std::size_t first_ = 0, second_ = 0, turned_ = 0, peak_ = 0;
};

using TreeBlock = TreeBlockOf<double>;
using FastTreeBlock = TreeBlockOf<float>;

} // namespace optbn
