// TreeSweep: the best score of every box of a plan, for the responses of some lanes.
//
// The recursion of Talvitie et al. (2018), section 4.1, bottom up along the plan:
//     f(R) = max(leaf(R) + log gamma, max over splits of f(R') + f(R''))
// Belongs to one thread.
#pragma once

#include "core/base/host.h"
#include "core/base/simd/processor.h"
#include "core/score/local_structure/response_lanes.h"
#include "core/score/local_structure/tree_plan.h"

#include <algorithm>
#include <vector>

namespace optbn {

class TreeSweep {
public:
  // Boxes with fewer than `least_rows` rows are not split. Unfinished when the watch stops.
  template <class Lanes>
  void run(TreePlan &plan, const CellTally &tally, const Lanes &lanes, double log_leaf,
           std::uint32_t least_rows, Watch &watch) {
    using Statistic = typename Lanes::Statistic;
    std::vector<Statistic> &statistics = storage(lanes);
    grow(statistics, plan.boxes().size(), tally.cells() + 1, lanes.stride());
    grow(best_, plan.boxes().size(), 1, kLanes);
    std::fill_n(statistics.begin(), lanes.stride(), Statistic{0});
    std::fill_n(best_.begin(), kLanes, log_leaf);
    for (std::size_t cell = 0; cell < tally.cells(); ++cell)
      lanes.copy(tally, cell, statistics.data() + (cell + 1) * lanes.stride());
    for (std::size_t chunk = 0; chunk < plan.chunks().size() && !watch.stopped(); ++chunk) {
      grow(statistics, 0, plan.chunks()[chunk].end, lanes.stride());
      grow(best_, 0, plan.chunks()[chunk].end, kLanes);
      const Step step{plan.boxes().data(),
                      plan.chunks()[chunk].first,
                      plan.chunks()[chunk].end,
                      plan.splits(chunk),
                      log_leaf,
                      least_rows};
#ifdef OPTBN_AVX2
      if (has_avx2_) {
        solve_avx2(step, lanes, statistics.data(), best_.data());
        continue;
      }
#endif
      solve(step, lanes, statistics.data(), best_.data());
    }
  }

  // The best score of a box in each lane.
  const double *best(std::uint32_t position) const { return best_.data() + position * kLanes; }

private:
  // Reserves memory for `most` boxes, and creates `boxes`: to touch all of it at once takes
  // seconds.
  template <class Number>
  static void grow(std::vector<Number> &numbers, std::size_t most, std::size_t boxes,
                   std::size_t stride) {
    numbers.reserve(most * stride);
    if (numbers.size() < boxes * stride)
      numbers.resize(boxes * stride);
  }

  struct Step {
    const TreePlan::Box *boxes;
    std::size_t first, end; // of these boxes
    const TreePlan::Split *splits;
    double log_leaf;
    std::uint32_t least_rows;
  };

  template <class Lanes>
  static OPTBN_INLINE void solve(const Step &step, const Lanes &lanes,
                                 typename Lanes::Statistic *statistics, double *best) {
    const std::size_t stride = lanes.stride();
    const TreePlan::Split *split = step.splits;
    for (std::size_t position = step.first; position < step.end; ++position) {
      const TreePlan::Box &box = step.boxes[position];
      const auto [x, y] = box.parts;
      typename Lanes::Statistic *merged = statistics + position * stride;
      if (x != y) // a cell has no parts
        lanes.merge(statistics + x * stride, step.boxes[x].rows, statistics + y * stride,
                    step.boxes[y].rows, merged);
      double found[kLanes] = {};
      lanes.leaf(merged, box.rows, box.share, found);
      for (unsigned lane = 0; lane < kLanes; ++lane)
        found[lane] += step.log_leaf;
      const TreePlan::Split *const end = split + box.splits;
      if (box.rows >= step.least_rows)
        for (; split != end; ++split) {
          const double *left = best + split->left * std::size_t{kLanes};
          const double *right = best + split->right * std::size_t{kLanes};
          for (unsigned lane = 0; lane < kLanes; ++lane) {
            const double sum = left[lane] + right[lane];
            found[lane] = sum > found[lane] ? sum : found[lane];
          }
        }
      split = end;
      std::copy_n(found, kLanes, best + position * kLanes);
    }
  }

#ifdef OPTBN_AVX2
  template <class Lanes>
  OPTBN_AVX2 static void solve_avx2(const Step &step, const Lanes &lanes,
                                    typename Lanes::Statistic *statistics, double *best) {
    solve(step, lanes, statistics, best);
  }
  const bool has_avx2_ = has_avx2();
#endif

  std::vector<std::uint32_t> &storage(const DiscreteLanes &) { return counts_; }
  std::vector<double> &storage(const NormalLanes &) { return moments_; }

  std::vector<double> best_; // kLanes a box
  std::vector<std::uint32_t> counts_;
  std::vector<double> moments_;
};

} // namespace optbn
