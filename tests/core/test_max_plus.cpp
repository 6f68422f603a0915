#include "check.h"

#include "core/base/random.h"
#include "core/base/simd/max_plus.h"

#include <limits>
#include <vector>

using namespace optbn;

namespace {

// Some numbers, some of them minus infinity, as tables of sparse domains have.
std::vector<double> numbers(std::size_t size, Random &random) {
  std::vector<double> result(size);
  for (double &x : result)
    x = random.below(3) == 0 ? -std::numeric_limits<double>::infinity() : random.uniform() - 0.5;
  return result;
}

} // namespace

TEST(superset_max_is_the_maximum_over_subsets) {
  Random random(1);
  for (unsigned bits = 0; bits <= 9; ++bits) {
    const std::vector<double> scores = numbers(std::size_t{1} << bits, random);
    std::vector<double> slow(scores);
    for (std::size_t set = 0; set < scores.size(); ++set)
      for (std::size_t subset = 0; subset < set; ++subset)
        if ((subset & ~set) == 0)
          slow[set] = std::max(slow[set], scores[subset]);
    for (const MaxPlus &kernels : {max_plus(), plain_max_plus()}) {
      std::vector<double> a(scores);
      kernels.superset_max(a.data(), bits);
      CHECK(a == slow);
    }
  }
}

TEST(max_plus_kernels_agree_at_every_length) {
  Random random(2);
  const MaxPlus fast = max_plus(), slow = plain_max_plus();
  for (std::size_t size = 0; size <= 70; ++size) {
    const std::vector<double> x = numbers(size, random), y = numbers(size, random);
    std::vector<double> a = numbers(size + 1, random), b(a);
    fast.max_add(a.data(), x.data(), y.data(), size);
    slow.max_add(b.data(), x.data(), y.data(), size);
    CHECK(a == b);
    fast.fill(a.data(), size, 0.25);
    slow.fill(b.data(), size, 0.25);
    CHECK(a == b);
  }
  for (unsigned bits = 10; bits <= 13; ++bits) {
    std::vector<double> a = numbers(std::size_t{1} << bits, random), b(a);
    fast.superset_max(a.data(), bits);
    slow.superset_max(b.data(), bits);
    CHECK(a == b);
  }
}
