// The log-gamma function without shared state, and tables of the log rising factorial.
//
// std::lgamma writes a global (`signgam`), which is a data race between threads, and is slow.
// Scores need log Γ(a + n) - log Γ(a) = log a (a + 1) ... (a + n - 1) for a few values of a and
// millions of small n: LogRising tabulates them once, and all threads share the table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

// log Γ(x) for x > 0; relative error about 1e-15. Thread-safe.
double log_gamma(double x);

// log Γ(a + n) - log Γ(a) for one a > 0. Immutable once made.
class LogRising {
public:
  // Tabulated for n up to `largest`, or up to a few thousand where that is less; computed beyond.
  LogRising(double a, std::uint64_t largest);

  double operator()(std::uint64_t n) const {
    return n < table_.size() ? table_[n] : log_gamma(a_ + static_cast<double>(n)) - log_gamma_a_;
  }

private:
  double a_, log_gamma_a_;
  std::vector<double> table_;
};

} // namespace optbn
