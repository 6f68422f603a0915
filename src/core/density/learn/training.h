// Training: what all learners of some weighted rows begin with.
//
// Immutable and safe to share between threads: networks that learn from the same rows share one,
// and with it the counting of all pairs and the memory of a table of them.
#pragma once

#include "core/density/counts/pair_counts.h"
#include "core/density/counts/slice.h"
#include "core/density/learn/smoothing.h"
#include "core/density/learn/training_rows.h"

#include <vector>

namespace optbn {

struct Training {
  // `weights`: how often each row counts; empty, as the rows' own weights say. The rows must
  // outlive it. Throws Interrupted.
  Training(const TrainingRows &rows, const std::vector<double> &weights, const Smoothing &smoothing,
           Watch &watch)
      : whole(rows, weights), counts(whole.counted(&watch)),
        smoother(smoothing, rows.items(), counts) {}
  Training(const Training &) = delete;
  Training &operator=(const Training &) = delete;

  const Slice whole;
  const PairCounts counts;
  const Smoother smoother;
};

} // namespace optbn
