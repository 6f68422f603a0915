// Sums over runs of cells: what the rows in every run of neighbouring cells of an ordered column add
// to a score that is a sum over the configurations of other columns,
//
//     sum(first, last) = sum over configurations of f(rows of it in the cells first, ..., last),
//
// for several functions f of a count at once, f(0) = 0. The best bins of the column are then found by
// dynamic programming over runs (Friedman & Goldszmidt 1996, section 4). A count that goes from k to
// k + 1 adds f(k + 1) - f(k), so that the runs which begin at one cell take one pass over the rows
// from there on: cells * rows / 2 steps in all, however many configurations there are. Runs in one
// thread, owned by nobody else.
#pragma once

#include "core/base/host.h"

#include <cstdint>
#include <vector>

namespace optbn {

// The rows in the order of their cells.
struct CellOrder {
  std::vector<std::uint32_t> end;           // by cell, how many rows are in it and those below
  std::vector<std::uint32_t> configuration; // by row, from 0
  std::uint32_t configurations = 0;

  std::size_t cells() const { return end.size(); }
};

// The number of a run among all, those with a lower last cell first.
inline std::size_t run_index(std::size_t first, std::size_t last) {
  return last * (last + 1) / 2 + first;
}

// rise[k * functions + i]: f(k + 1) - f(k) of function i, for every count below that of the rows.
// The sums of function i stand in result[i], by run_index(). Throws when the watch says to stop.
std::vector<std::vector<double>> sums_over_runs(const CellOrder &rows,
                                                const std::vector<double> &rise,
                                                std::size_t functions, Watch &watch);

} // namespace optbn
