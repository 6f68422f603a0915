// Invariants: statements that hold at a line of the code whatever the input, checked on that line.
//
// A broken invariant is a mistake in this code, never its user's, so BrokenInvariant is no Error:
// nothing handles it, and R shows it as it is. Builds for tests, sanitizers and fuzzing define
// OPTBN_INVARIANTS and check; all others compile the conditions but do not run them. A check that
// takes more than an expression goes into a block:
//
//   OPTBN_INVARIANT(multiplier >= 0, "multipliers are not negative");
//   if constexpr (kCheckInvariants)
//     for (...)
//       OPTBN_INVARIANT(...);
//
// Never use them in a destructor or a noexcept function: a broken invariant is thrown.
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace optbn {

#ifdef OPTBN_INVARIANTS
constexpr bool kCheckInvariants = true;
#else
constexpr bool kCheckInvariants = false;
#endif

struct BrokenInvariant : std::logic_error {
  BrokenInvariant(const char *what, const char *file, int line)
      : std::logic_error("broken invariant (" + std::string(file) + ":" + std::to_string(line) +
                         "): " + what) {}
};

// Equal, or no larger, up to the rounding of any sums that the core forms. The tolerance is
// generous, since no invariant may break without a fault.
inline bool about_equal(double a, double b) {
  return a == b || std::abs(a - b) <= 1e-8 * (1 + std::min(std::abs(a), std::abs(b)));
}
inline bool about_at_most(double a, double b) { return a <= b || about_equal(a, b); }

[[noreturn]] inline void throw_broken_invariant(const char *what, const char *file, int line) {
  throw BrokenInvariant(what, file, line);
}

} // namespace optbn

#define OPTBN_INVARIANT(condition, what)                                                           \
  do {                                                                                             \
    if constexpr (::optbn::kCheckInvariants) {                                                     \
      if (!(condition))                                                                            \
        ::optbn::throw_broken_invariant(what, __FILE__, __LINE__);                                 \
    }                                                                                              \
  } while (false)
