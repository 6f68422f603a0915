// Pace: polls a watch at regular intervals in loops whose iterations are too short to poll in each.
#pragma once

#include "core/base/host.h"

#include <cstdint>

namespace optbn {

class Pace {
public:
  // Without a watch nothing is polled: the work is done in any case.
  explicit Pace(Watch *watch) : watch_(watch) {}

  // So many small steps, of a nanosecond or so, are done. Throws Interrupted. A time limit does not
  // stop a loop that has begun: callers of many such loops have to obey it.
  void advance(std::uint64_t steps) {
    steps_ += steps;
    if (steps_ < kSteps)
      return;
    steps_ = 0;
    if (watch_ != nullptr && watch_->stopped() && watch_->reason() == StopReason::interrupt)
      throw Interrupted();
  }

private:
  static constexpr std::uint64_t kSteps = 1u << 20;

  Watch *const watch_;
  std::uint64_t steps_ = 0;
};

} // namespace optbn
