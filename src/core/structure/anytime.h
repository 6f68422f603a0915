// The record of a search that may end at any moment, whatever its method: the best network so far,
// a bound that no network exceeds, when both were found, and why the search ended.
#pragma once

#include "core/base/host.h"
#include "core/structure/network.h"

#include <chrono>
#include <limits>
#include <vector>

namespace optbn {

// One moment of a search: the best score and bound after so many seconds.
struct TracePoint {
  double seconds, score, bound;
};

// What every anytime search returns; results of searches add to it.
struct AnytimeResult {
  Network network;
  double bound = std::numeric_limits<double>::infinity(); // no network scores more
  bool proved = false;                // score = bound, up to the rounding of sums
  StopReason stop = StopReason::none; // what ended the search before a proof, if something did
  std::vector<TracePoint> trace;      // one point for every improvement of the score or the bound
};

// A better network, found at this moment.
struct Improvement {
  std::chrono::steady_clock::time_point when;
  double score;
};

// The improvements of several threads in order of time, without those that are no better than an
// earlier one.
std::vector<Improvement> in_order(std::vector<Improvement> seen);

// Keeps the clock and the trace of a search, reports its progress, and decides when it may end.
class AnytimeRecord {
public:
  using Clock = std::chrono::steady_clock;

  // The search may end once bound - score is at most `gap`, if that is not 0.
  AnytimeRecord(double gap, Watch &watch) : gap_(gap), watch_(watch) {}

  double seconds() const { return seconds_at(Clock::now()); }

  bool within_gap(double score, double bound) const { return gap_ > 0 && bound - score <= gap_; }

  // Adds a moment to the trace, unless neither the score nor the bound is better than before, or
  // there is no network or no bound yet.
  void note(double score, double bound, Clock::time_point when = Clock::now());

  // Fills in the rest of a result that has its network: `bound` holds; `proved` if the network's
  // score is one as well.
  void close(AnytimeResult &result, double bound, bool proved);

private:
  void log(double score, double bound);

  double seconds_at(Clock::time_point when) const {
    return std::chrono::duration<double>(when - begun_).count();
  }

  const Clock::time_point begun_ = Clock::now();
  const double gap_;
  Watch &watch_;
  std::vector<TracePoint> trace_;
  TracePoint logged_{0, -std::numeric_limits<double>::infinity(), 0};
};

} // namespace optbn
