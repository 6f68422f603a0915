// Invariants: what holds at a place of the code whatever the input, stated where it has to hold.
//
// A wrong invariant is a mistake in this code and never its user's, so BrokenInvariant is no Error:
// nothing handles it, and R shows it as it is. Builds for tests, sanitizers and fuzzing define
// OPTBN_INVARIANTS and check; in all others the compiler reads the conditions and makes nothing of
// them. What takes more than an expression stands in a block of its own:
//
//   OPTBN_INVARIANT(price >= 0, "prices are not negative");
//   if constexpr (kCheckInvariants)
//     for (...)
//       OPTBN_INVARIANT(...);
//
// Never in a destructor, nor in what is noexcept: a broken invariant is thrown.
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

// Equal, or no larger, up to the rounding of any sums that the core forms: generous, for no
// invariant may break without a fault.
inline bool about_equal(double a, double b) {
  return a == b || std::abs(a - b) <= 1e-8 * (1 + std::min(std::abs(a), std::abs(b)));
}
inline bool about_at_most(double a, double b) { return a <= b || about_equal(a, b); }

[[noreturn]] inline void break_off(const char *what, const char *file, int line) {
  throw BrokenInvariant(what, file, line);
}

} // namespace optbn

#define OPTBN_INVARIANT(condition, what)                                                           \
  do {                                                                                             \
    if constexpr (::optbn::kCheckInvariants) {                                                     \
      if (!(condition))                                                                            \
        ::optbn::break_off(what, __FILE__, __LINE__);                                              \
    }                                                                                              \
  } while (false)
