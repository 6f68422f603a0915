#include "check.h"

#include "core/base/random.h"
#include "core/base/simd/dense_rows.h"

#include <vector>

using namespace optbn;

TEST(dense_rows_have_the_bits_of_sums_of_every_eighth_product) {
  Random random(1);
  for (std::size_t size = 0; size < 70; ++size) {
    std::vector<double> a(size), b(size);
    for (std::size_t j = 0; j < size; ++j) {
      a[j] = random.uniform() - .5;
      b[j] = random.uniform() - .5;
    }
    double sums[8] = {};
    for (std::size_t j = 0; j < size; ++j) {
      const volatile double product = a[j] * b[j]; // rounded before it is added
      sums[j % 8] += product;
    }
    CHECK_EQUAL(dot(a.data(), b.data(), size), ((sums[0] + sums[4]) + (sums[1] + sums[5])) +
                                                   ((sums[2] + sums[6]) + (sums[3] + sums[7])));
    std::vector<double> wanted = a, got = a;
    for (std::size_t j = 0; j < size; ++j) {
      const volatile double product = .3 * b[j];
      wanted[j] += product;
    }
    add_times(got.data(), .3, b.data(), size);
    CHECK(got == wanted);
  }
}
