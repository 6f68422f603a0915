// Training: weighted rows with their counts and the smoother, the input of learners.
//
// Immutable and safe to share between threads: networks that learn from the same rows share one, so
// that all pairs are counted, and the counts stored, only once.
#pragma once

#include "core/density/counts/pair_counts.h"
#include "core/density/counts/slice.h"
#include "core/density/learn/smoothing.h"
#include "core/density/learn/training_rows.h"

#include <vector>

namespace optbn {

struct Training {
  // `weights`: how often each row counts; if empty, the rows' own weights. The rows must outlive
  // it. Throws Interrupted.
  Training(const TrainingRows &rows, const std::vector<double> &weights, const Smoothing &smoothing,
           Watch &watch)
      : all_rows(rows, weights), counts(all_rows.counted(&watch)),
        smoother(smoothing, rows.items(), counts) {}
  Training(const Training &) = delete;
  Training &operator=(const Training &) = delete;

  const Slice all_rows;
  const PairCounts counts;
  const Smoother smoother;
};

} // namespace optbn
