// Steps of expectation-maximisation: when they end, and which of them was best.
#pragma once

#include "core/base/log_sum.h"

namespace optbn {

// When the steps of an expectation-maximisation end.
struct Steps {
  unsigned most = 100;
  unsigned patience = 3;   // so many steps without a gain
  double tolerance = 1e-4; // a gain in mean log-likelihood that counts as one
};

// Watches the mean log-likelihood step by step.
class StepWatch {
public:
  explicit StepWatch(const Steps &steps) : steps_(steps) {}

  // The value of the next step. True when it is the best so far.
  bool offer(double value) {
    if (value > gained_ + steps_.tolerance) {
      gained_ = value;
      waited_ = 0;
    } else {
      ++waited_;
    }
    ++done_;
    const bool best = done_ == 1 || value > best_;
    if (best) {
      best_ = value;
      best_step_ = done_ - 1;
    }
    return best;
  }

  // Steps that follow are of another kind: patience begins again, gains are over one another.
  void begin_stretch() {
    gained_ = kLogZero;
    waited_ = 0;
  }

  bool finished() const { return done_ >= steps_.most || waited_ >= steps_.patience; }
  unsigned done() const { return done_; }
  unsigned best_step() const { return best_step_; } // from 0
  double best() const { return best_; }

private:
  const Steps steps_;
  double best_ = kLogZero;
  double gained_ = best_; // when patience began again
  unsigned done_ = 0, waited_ = 0, best_step_ = 0;
};

} // namespace optbn
