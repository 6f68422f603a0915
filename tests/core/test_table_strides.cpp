#include "check.h"

#include "core/base/random.h"
#include "core/inference/table_strides.h"

#include <algorithm>
#include <vector>

using namespace optbn;

namespace {

// A table over some variables, and a factor over some of these in an array that may have gaps.
struct Layout {
  std::vector<std::size_t> extent, stride;
  std::size_t split = 0, block = 1, cells = 1, factor_cells = 1;

  explicit Layout(Random &random) {
    const std::size_t variables = random.below(6);
    for (std::size_t i = 0; i < variables; ++i) {
      extent.push_back(1 + random.below(random.below(4) ? 5 : 20));
      const bool present = random.below(2);
      stride.push_back(present ? factor_cells : 0);
      if (present)
        factor_cells *= extent[i] + (random.below(4) ? 0 : 2); // a sliced table has gaps
      cells *= extent[i];
    }
    split = random.below(static_cast<std::uint32_t>(variables) + 1);
    for (std::size_t i = 0; i < split; ++i)
      block *= extent[i];
  }

  // The cell of the factor for a cell of the table.
  std::size_t factor_cell(std::size_t cell) const {
    std::size_t result = 0;
    for (std::size_t i = 0; i < extent.size(); ++i) {
      result += cell % extent[i] * stride[i];
      cell /= extent[i];
    }
    return result;
  }
};

std::vector<double> numbers(std::size_t n, Random &random) {
  std::vector<double> x(n);
  for (double &value : x)
    value = random.uniform() < 0.1 ? 0 : random.uniform();
  return x;
}

} // namespace

TEST(table_strides_passes_compute_their_definitions) {
  Random random(1);
  for (unsigned repeat = 0; repeat < 2000; ++repeat) {
    const Layout layout(random);
    TableStrides strides;
    strides.set(layout.extent.data(), layout.stride.data(), layout.extent.size(), layout.split);
    const std::vector<double> table = numbers(layout.cells, random);
    const std::vector<double> factor = numbers(layout.factor_cells, random);
    for (const Passes *passes : {&plain_passes(), &fastest_passes()}) {
      std::vector<double> assigned = table, multiplied = table, added = factor, raised = factor;
      for (std::size_t b = 0; b < layout.cells / layout.block; ++b) {
        const std::size_t first = b * layout.block, start = strides.start(b);
        passes->assign(assigned.data() + first, strides, factor.data() + start);
        passes->multiply(multiplied.data() + first, strides, factor.data() + start);
        passes->add(table.data() + first, strides, added.data() + start);
        passes->raise(table.data() + first, strides, raised.data() + start);
      }
      std::vector<double> sum = factor, largest = factor;
      for (std::size_t cell = 0; cell < layout.cells; ++cell) {
        const std::size_t of_factor = layout.factor_cell(cell);
        CHECK_EQUAL(assigned[cell], factor[of_factor]);
        CHECK_EQUAL(multiplied[cell], table[cell] * factor[of_factor]);
        sum[of_factor] += table[cell];
        largest[of_factor] = std::max(largest[of_factor], table[cell]);
      }
      CHECK(raised == largest);
      for (std::size_t i = 0; i < sum.size(); ++i)
        CHECK_NEAR(added[i], sum[i], 1e-12 * (1 + sum[i]));
    }
  }
}

TEST(table_strides_sums_are_the_same_with_and_without_vector_instructions) {
  Random random(2);
  for (unsigned repeat = 0; repeat < 500; ++repeat) {
    const Layout layout(random);
    TableStrides strides;
    strides.set(layout.extent.data(), layout.stride.data(), layout.extent.size(),
                layout.extent.size());
    const std::vector<double> table = numbers(layout.cells, random);
    std::vector<double> plain(layout.factor_cells, 0.0), fastest = plain;
    plain_passes().add(table.data(), strides, plain.data());
    fastest_passes().add(table.data(), strides, fastest.data());
    CHECK(plain == fastest);
  }
}
