#include "core/structure/anytime.h"

#include "core/base/invariant.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace optbn {

namespace {

// Bounds rise in small steps: lines of the log that have no better score are at least so far apart.
constexpr double kSecondsBetweenLines = 0.5;

} // namespace

std::vector<Improvement> in_order(std::vector<Improvement> seen) {
  std::stable_sort(seen.begin(), seen.end(),
                   [](const Improvement &a, const Improvement &b) { return a.when < b.when; });
  std::vector<Improvement> improvements;
  for (const Improvement &one : seen)
    if (improvements.empty() || one.score > improvements.back().score)
      improvements.push_back(one);
  return improvements;
}

void AnytimeRecord::note(double score, double bound, Clock::time_point when) {
  bound = std::max(bound, score);
  watch_.report_bounds(score, bound);
  if (!std::isfinite(score) || !std::isfinite(bound))
    return;
  if (!trace_.empty()) {
    OPTBN_INVARIANT(about_at_most(trace_.back().score, score), "the best score never falls");
    OPTBN_INVARIANT(about_at_most(bound, trace_.back().bound), "the bound never rises");
    if (score <= trace_.back().score && bound >= trace_.back().bound)
      return;
  }
  trace_.push_back({seconds_at(when), score, bound});
  log(score, bound);
}

void AnytimeRecord::log(double score, double bound) {
  if (score <= logged_.score + rounding(score) &&
      seconds() < logged_.seconds + kSecondsBetweenLines)
    return;
  logged_ = {seconds(), score, bound};
  watch_.log("better", {{"score", score}, {"bound", bound}, {"gap", bound - score}});
}

void AnytimeRecord::close(AnytimeResult &result, double bound, bool proved) {
  const double score = result.network.score;
  result.proved = proved;
  result.bound = proved ? score : std::max(bound, score);
  result.stop = proved ? StopReason::none : watch_.reason();
  const bool near_enough =
      !result.network.empty() && result.bound - score <= gap_ + rounding(score);
  if (!proved && result.stop == StopReason::none && near_enough)
    result.stop = StopReason::gap;
  watch_.log("end", {{"score", score}, {"bound", result.bound}, {"proved", proved}});
  result.trace = std::move(trace_);
}

} // namespace optbn
