#include "check.h"
#include "score_fixtures.h"

#include "core/data/cell_runs.h"

using namespace fixtures;

namespace {

CellOrder random_order(std::uint64_t seed, std::uint32_t cells, std::uint32_t rows,
                       std::uint32_t configurations) {
  Random random(seed);
  CellOrder order;
  order.configurations = configurations;
  for (std::uint32_t cell = 0; cell < cells; ++cell)
    order.end.push_back((cell + 1) * rows / cells);
  for (std::uint32_t row = 0; row < rows; ++row)
    order.configuration.push_back(static_cast<std::uint32_t>(random.below(configurations)));
  return order;
}

} // namespace

// f(k) = k^2 and f(k) = 3 k.
TEST(sums_over_runs_equal_counts_of_each_run) {
  const std::size_t rows = 60;
  std::vector<double> rise;
  for (std::size_t k = 0; k < rows; ++k) {
    rise.push_back(static_cast<double>(2 * k + 1));
    rise.push_back(3);
  }
  for (std::uint32_t configurations : {1u, 4u, 50u}) {
    const CellOrder order = random_order(configurations, 7, rows, configurations);
    const Host host;
    Watch watch(host);
    const auto sums = sums_over_runs(order, rise, 2, watch);
    for (std::size_t last = 0; last < 7; ++last) {
      for (std::size_t first = 0; first <= last; ++first) {
        std::vector<double> count(configurations);
        const std::uint32_t begin = first > 0 ? order.end[first - 1] : 0;
        for (std::uint32_t row = begin; row < order.end[last]; ++row)
          ++count[order.configuration[row]];
        double squares = 0;
        for (double k : count)
          squares += k * k;
        CHECK(sums[0][run_index(first, last)] == squares);
        CHECK(sums[1][run_index(first, last)] == 3.0 * (order.end[last] - begin));
      }
    }
  }
}

TEST(sums_over_runs_stop_when_asked) {
  const CellOrder order = random_order(1, 7, 60, 4);
  Host host;
  host.should_stop = [] { return StopReason::interrupt; };
  Watch watch(host);
  CHECK_THROWS(sums_over_runs(order, std::vector<double>(60, 1.0), 1, watch), Interrupted);
}
