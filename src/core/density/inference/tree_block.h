// TreeBlock: sum-product in a tree density for a block of rows at a time, and the counts that its
// expectation step needs.
//
// Messages go up from the leaves to the root, one number for every level and row, rows side by side
// so that a message is one small matrix product for the whole block (block_kernels.h). Rows are
// scaled by powers of two where they become small, exactly, and the logarithms of the scales added:
// no tree is too large. The levels of a node share a scale, however: children that contradict each
// other may let one level underflow before other children make it the likely one. So a bound on the
// underflow error goes up with the messages, and rows with too large a bound are recomputed one by
// one in logarithms (tree_messages.h). A variable of a row is observed or missing; nodes that are
// hidden or missing are summed out, and a subtree without observations sends ones and costs
// nothing. On the way back every node gets its flow, the posterior of its levels; the flow into a
// child is that of the parent divided by the message that came from the child, times the table.
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

  // The tree must outlive this object. `kernels`: for tests.
  explicit TreeBlockOf(const TreeDensity &tree,
                       const BlockKernels<Real> &kernels = fastest_block_kernels<Real>());

  // To be called when the tables of the tree have changed.
  void reload();

  // log P of the observed levels in `count` rows, at most kRows; `rows`: their numbers in `data`.
  void collect(const PartialRows &data, const std::uint32_t *rows, std::size_t count,
               double *log_densities);

  // Once after collect(), for the same rows: adds to `expected`, in the layout of the tree's
  // tables, the expected count of each level of a node together with each level of its parent,
  // where a row has weight `weights[row of the block]`. Rows of density 0 must have weight 0.
  void distribute(const double *weights, double *expected);

private:
  using Exponent = typename BlockKernels<Real>::Exponent;

  // The state of a node of the tree. The last one is the parent of all roots and has one level.
  struct NodeState {
    std::uint32_t parent;
    std::uint16_t levels;
    bool inner = false;     // has children
    bool observed = false;  // observed in some row of the block
    bool informed = false;  // or a descendant is
    bool has_error = false; // may there be an underflow error, here or below?
    std::size_t belief = 0; // levels x rows: the belief, later the flow; then by row a bound on the
                            // error of a level, in the units of Limits
    std::size_t message = 0; // parent's levels x rows: the message to the parent; of inner nodes
    std::size_t codes = 0;   // rows: observed levels, `levels` where missing; of variables
  };

  Real *at(std::size_t offset) { return numbers_ + offset; }
  const Real *table(std::size_t node) const { return tables_.data() + tree_.nodes[node].table; }
  void answer_one_by_one(const PartialRows &data, const std::uint32_t *rows, double *log_densities);
  void observe(std::size_t node, const PartialRows &data, const std::uint32_t *rows);
  void fill_indicators(std::size_t node, Real *belief) const;
  void fill_ones(Real *to, std::size_t levels) const;
  Real *errors(const NodeState &state) { return at(state.belief) + state.levels * kRows; }
  void propagate_errors(const NodeState &child, NodeState &parent, const Real *message);
  void add_error(NodeState &state, std::size_t terms);
  void absorb(NodeState &parent, const Real *message, const NodeState *child);
  void count_leaf_pairs(std::size_t node, double *expected);
  void distribute_to(std::size_t node, double *expected);

  const TreeDensity &tree_;
  const BlockKernels<Real> &kernels_;
  std::vector<NodeState> states_; // by node, then the parent of the roots
  std::vector<Real> tables_;
  std::size_t count_ = 0, width_ = 0; // rows of the block; in whole steps
  std::vector<Exponent> exponent_;    // by row: log2 of what the densities were divided by
  std::vector<std::pair<std::size_t, LevelWeights>> single_; // rows computed one by one
  TreeMessages messages_;
  TreeDescent descent_;
  std::vector<std::uint16_t> codes_;
  std::vector<Real> store_;
  Real *numbers_ = nullptr; // the first address in store_ that is a multiple of 64 bytes
  // Scratch: levels of a leaf or quotients of messages; a message of a leaf or expected counts;
  // beliefs, level by level within a row; the largest number of each row.
  std::size_t scratch_ = 0, more_scratch_ = 0, transposed_ = 0, peak_ = 0;
};

using TreeBlock = TreeBlockOf<double>;
using FastTreeBlock = TreeBlockOf<float>;

} // namespace optbn
