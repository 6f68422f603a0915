// NLogN: n log n of whole numbers, small ones from a table. 0 for n = 0. Thread-safe.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

class NLogN {
public:
  NLogN() = default;
  // For numbers up to `most`; larger ones are as exact, but take longer.
  explicit NLogN(std::uint64_t most) : table_(std::min<std::uint64_t>(most + 1, kTabulated)) {
    for (std::size_t n = 0; n < table_.size(); ++n)
      table_[n] = compute(n);
  }

  double operator()(std::uint64_t n) const { return n < table_.size() ? table_[n] : compute(n); }

private:
  static constexpr std::uint64_t kTabulated = 1u << 14;

  static double compute(std::uint64_t n) {
    const auto x = static_cast<double>(n);
    return n > 0 ? x * std::log(x) : 0;
  }

  std::vector<double> table_;
};

} // namespace optbn
