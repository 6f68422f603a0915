// Lanes: some responses of one type, worked on side by side.
//
// The trees of one parent set take the same steps for all responses and differ only in the numbers,
// so eight responses go through the sweep together, one per lane, and a step costs little more than
// for one. Lanes define the statistics of a set of rows, how those of two disjoint sets merge, and
// the score of such a set as a leaf (leaf.h):
//     DiscreteLanes  counts of levels, and Dirichlet leaves
//     NormalLanes    mean and sum of squares about it, merged as by Chan, Golub & LeVeque (1983),
//                    which loses no digits to cancellation
// Immutable once made.
#pragma once

#include "core/base/simd/processor.h"
#include "core/score/local_structure/cell_tally.h"
#include "core/score/local_structure/leaf.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

constexpr unsigned kLanes = 8;

// Children by type, at most kLanes together: lists of their indices among `children`.
inline std::vector<std::vector<std::size_t>> lane_blocks(const Responses &responses,
                                                         const std::vector<Node> &children) {
  std::vector<std::vector<std::size_t>> blocks;
  for (const bool discrete : {true, false}) {
    bool open = false;
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (responses.discrete(children[i]) != discrete)
        continue;
      if (!open)
        blocks.emplace_back();
      blocks.back().push_back(i);
      open = blocks.back().size() < kLanes;
    }
  }
  return blocks;
}

class DiscreteLanes {
public:
  using Statistic = std::uint32_t;

  // At most kLanes nodes. Leaves may depend on the part of the space that they cover, which is
  // given by its index among the `shares`.
  DiscreteLanes(const Responses &responses, const std::vector<Node> &nodes,
                const std::vector<double> &shares, DirichletLeaves &leaves)
      : count_(static_cast<unsigned>(nodes.size())) {
    std::size_t width = 0;
    for (unsigned lane = 0; lane < count_; ++lane) {
      offset_[lane] = responses.offset(nodes[lane]);
      levels_[lane] = responses.levels(nodes[lane]);
      width += levels_[lane];
    }
    stride_ = (width + kPadding - 1) / kPadding * kPadding;
    for (const double share : shares)
      for (unsigned lane = 0; lane < count_; ++lane)
        leaves_.push_back(&leaves.of(share, levels_[lane]));
  }

  std::size_t stride() const { return stride_; } // statistics of a set of rows

  void copy(const CellTally &tally, std::size_t cell, Statistic *to) const {
    const std::uint32_t *from = tally.counts(cell);
    for (unsigned lane = 0; lane < count_; ++lane)
      for (unsigned level = 0; level < levels_[lane]; ++level)
        *to++ = from[offset_[lane] + level];
  }

  OPTBN_INLINE void merge(const Statistic *x, std::uint32_t /*rows*/, const Statistic *y,
                          std::uint32_t /*rows*/, Statistic *to) const {
    for (std::size_t block = 0; block < stride_; block += kPadding) {
      Statistic sum[kPadding]; // not written in place: `to` may be x or y
      for (std::size_t i = 0; i < kPadding; ++i)
        sum[i] = x[block + i] + y[block + i];
      std::copy_n(sum, kPadding, to + block);
    }
  }

  OPTBN_INLINE void leaf(const Statistic *counts, std::uint32_t rows, std::uint32_t share,
                         double *score) const {
    const DirichletLeaf *const *leaves = leaves_.data() + share * count_;
    for (unsigned lane = 0; lane < count_; ++lane) {
      double sum = 0;
      for (unsigned level = 0; level < levels_[lane]; ++level)
        sum += leaves[lane]->level(*counts++);
      score[lane] = sum - leaves[lane]->all(rows);
    }
  }

private:
  static constexpr std::size_t kPadding = 8;
  unsigned count_;
  std::vector<const DirichletLeaf *> leaves_; // by share, then lane
  std::size_t stride_ = 0;
  std::size_t offset_[kLanes] = {};
  unsigned levels_[kLanes] = {};
};

class NormalLanes {
public:
  using Statistic = double;

  // At most kLanes nodes; `leaves` must outlive the lanes.
  NormalLanes(const Responses &responses, const std::vector<Node> &nodes,
              const NormalLeaves &leaves)
      : count_(static_cast<unsigned>(nodes.size())), leaves_(leaves) {
    for (unsigned lane = 0; lane < count_; ++lane) {
      offset_[lane] = responses.offset(nodes[lane]);
      mu_[lane] = leaves.mu() - responses.shift(nodes[lane]);
    }
  }

  std::size_t stride() const { return 2 * kLanes; } // means, then sums of squares

  void copy(const CellTally &tally, std::size_t cell, Statistic *to) const {
    for (unsigned lane = 0; lane < count_; ++lane) {
      to[lane] = tally.means(cell)[offset_[lane]];
      to[kLanes + lane] = tally.squares(cell)[offset_[lane]];
    }
  }

  OPTBN_INLINE void merge(const Statistic *x, std::uint32_t rows_x, const Statistic *y,
                          std::uint32_t rows_y, Statistic *to) const {
    const double part = rows_y / (static_cast<double>(rows_x) + rows_y);
    const double weight = rows_x * part;
    Statistic merged[2 * kLanes]; // `to` may be x or y
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const double gap = y[lane] - x[lane];
      merged[lane] = x[lane] + part * gap;
      merged[kLanes + lane] = x[kLanes + lane] + y[kLanes + lane] + weight * gap * gap;
    }
    std::copy_n(merged, 2 * kLanes, to);
  }

  OPTBN_INLINE void leaf(const Statistic *moments, std::uint32_t rows, std::uint32_t /*share*/,
                         double *score) const {
    const double weight = leaves_.weight(rows);
    const double constant = leaves_.constant(rows), exponent = leaves_.exponent(rows);
    for (unsigned lane = 0; lane < count_; ++lane) {
      const double gap = moments[lane] - mu_[lane];
      score[lane] = constant - exponent * std::log(moments[kLanes + lane] + weight * gap * gap +
                                                   leaves_.nu_lambda());
    }
  }

private:
  unsigned count_;
  const NormalLeaves &leaves_;
  std::size_t offset_[kLanes] = {};
  double mu_[kLanes] = {};
};

} // namespace optbn
