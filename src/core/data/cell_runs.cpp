#include "core/data/cell_runs.h"

#include <algorithm>

namespace optbn {

std::vector<std::vector<double>> sums_over_runs(const CellOrder &rows,
                                                const std::vector<double> &rise,
                                                std::size_t functions, Watch &watch) {
  const std::size_t cells = rows.cells();
  std::vector<std::vector<double>> result(functions, std::vector<double>(run_index(0, cells)));
  std::vector<std::uint32_t> count(rows.configurations);
  std::vector<double> sum(functions);
  for (std::size_t first = 0; first < cells; ++first) {
    throw_if_stopped(watch);
    std::fill(count.begin(), count.end(), 0);
    std::fill(sum.begin(), sum.end(), 0.0);
    std::uint32_t row = first > 0 ? rows.end[first - 1] : 0;
    for (std::size_t last = first; last < cells; ++last) {
      for (; row < rows.end[last]; ++row) {
        const double *step = &rise[count[rows.configuration[row]]++ * functions];
        for (std::size_t i = 0; i < functions; ++i)
          sum[i] += step[i];
      }
      for (std::size_t i = 0; i < functions; ++i)
        result[i][run_index(first, last)] = sum[i];
    }
  }
  return result;
}

} // namespace optbn
