// Pair counts of rows that count by any real number.
#pragma once

#include "core/cutset/pair_counts.h"
#include "core/cutset/training_rows.h"

#include <cstdint>
#include <vector>

namespace optbn {

// row[i] counts weight[i] times. Weights must be such that sums of them are exact (see slice.h).
void count_weighted_pairs(const TrainingRows &rows, const std::vector<std::uint32_t> &row,
                          const std::vector<double> &weight, PairCounts &counts);

} // namespace optbn
