// Steps of expectation-maximisation: when they end, and which of them is best.
#pragma once

#include "core/base/log_sum.h"

namespace optbn {

// The stopping rule.
struct Steps {
  unsigned most = 100;
  unsigned patience = 3;   // so many steps without a gain end it
  double tolerance = 1e-4; // the least gain in mean log-likelihood that counts
};

// Follows the mean log-likelihood step by step.
class EmProgress {
public:
  explicit EmProgress(const Steps &steps) : steps_(steps) {}

  // The value of the next step. True if it is the best so far.
  bool add_step(double value) {
    if (value > reference_ + steps_.tolerance) {
      reference_ = value;
      steps_without_gain_ = 0;
    } else {
      ++steps_without_gain_;
    }
    ++done_;
    const bool best = done_ == 1 || value > best_;
    if (best) {
      best_ = value;
      best_step_ = done_ - 1;
    }
    return best;
  }

  // The next steps are of another kind: gains are relative to the first of them.
  void reset_patience() {
    reference_ = kLogZero;
    steps_without_gain_ = 0;
  }

  bool finished() const { return done_ >= steps_.most || steps_without_gain_ >= steps_.patience; }
  unsigned done() const { return done_; }
  unsigned best_step() const { return best_step_; } // from 0
  double best() const { return best_; }

private:
  const Steps steps_;
  double best_ = kLogZero;
  double reference_ = best_; // value at the last gain
  unsigned done_ = 0, steps_without_gain_ = 0, best_step_ = 0;
};

} // namespace optbn
