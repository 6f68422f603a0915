// Host: the services that the caller offers the core, and Watch: how one long job uses them.
//
// The core knows no R. Its caller hands in a Host: how to ask whether to stop, how to show
// progress, where random seeds come from, how many threads may run. Only the thread that made the
// Watch ever calls the Host; every other thread reads an atomic flag, so a host need not be
// thread-safe.
#pragma once

#include "core/base/errors.h"
#include "core/base/search_log.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <thread>

namespace optbn {

// Why a job ended early. A host never says `gap` (the answer is as near to the best as was asked
// for) or `effort` (as much has been done as was asked for).
enum class StopReason : int { none, interrupt, time_limit, gap, effort };

struct Host {
  // Asked about every 20 ms while a job runs.
  std::function<StopReason()> should_stop = [] { return StopReason::none; };
  // Work done so far out of `total`, in the job's own unit.
  std::function<void(double done, double total)> report_progress = [](double, double) {};
  // The best score of a search so far, and an upper bound on any score, in the search's own unit.
  std::function<void(double score, double bound)> report_bounds = [](double, double) {};
  // Seed of the i-th random stream of the job: the same i always gives the same seed.
  std::function<std::uint64_t(std::uint64_t i)> seed = [](std::uint64_t i) { return i; };
  // How many threads a job may use, the calling one included.
  unsigned threads = 1;
  // Where events are logged, or null.
  SearchLog *log = nullptr;
};

// One Watch per job, made on the thread that may talk to the host.
class Watch {
public:
  explicit Watch(const Host &host, double total = 0)
      : host_(host), owner_(std::this_thread::get_id()), total_(total) {}
  Watch(const Watch &) = delete;
  Watch &operator=(const Watch &) = delete;

  // True once the host wants the job to end; stays true. Cheap enough for every few microseconds
  // of work: the owner asks the host at most every 20 ms, other threads only read the flag.
  bool stopped() { return stopped(true); }

  // The same, without a report of progress: for a job whose nested job reports its own.
  bool stopped_quietly() { return stopped(false); }

  StopReason reason() const { return reason_.load(std::memory_order_relaxed); }

  // Any thread: `units` more of the total are done.
  void advance(std::uint64_t units) {
    if (pauses_.load(std::memory_order_relaxed) == 0)
      done_.fetch_add(units, std::memory_order_relaxed);
  }

  // Any thread: the search has this score, and can have none above the bound. A better score or
  // bound reported before stays.
  void report_bounds(double score, double bound) {
    raise(score_, score);
    raise(negative_bound_, -bound);
  }

  // Any thread.
  void log(const char *event, SearchLog::Facts facts) const {
    if (host_.log)
      host_.log->write(event, facts);
  }

  // While one of these exists advance() does nothing: a job that counts in its own units holds one
  // while it calls code that counts in others. Owner only.
  class PausedProgress {
  public:
    explicit PausedProgress(Watch &watch) : watch_(watch) { ++watch_.pauses_; }
    ~PausedProgress() { --watch_.pauses_; }
    PausedProgress(const PausedProgress &) = delete;
    PausedProgress &operator=(const PausedProgress &) = delete;

  private:
    Watch &watch_;
  };

  // A job that learns its size, or begins a new phase, says so. Owner only.
  void restart(double total) {
    total_ = total;
    done_ = 0;
  }

  // Is this the thread that made the watch? It alone may start others.
  bool on_owner_thread() const { return std::this_thread::get_id() == owner_; }

  const Host &host() const { return host_; }

private:
  bool stopped(bool reports_progress) {
    if (on_owner_thread())
      poll(reports_progress);
    return reason_.load(std::memory_order_relaxed) != StopReason::none;
  }

  void poll(bool reports_progress) {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_poll_)
      return;
    next_poll_ = now + std::chrono::milliseconds(20);
    try {
      if (reason() == StopReason::none)
        reason_ = host_.should_stop();
      if (reports_progress)
        report();
    } catch (...) { // the host's own failure ends the job, and with it other threads
      reason_ = StopReason::interrupt;
      throw;
    }
  }

  void report() {
    const double score = score_.load(std::memory_order_relaxed);
    if (score > -std::numeric_limits<double>::infinity())
      host_.report_bounds(score, -negative_bound_.load(std::memory_order_relaxed));
    host_.report_progress(static_cast<double>(done_.load(std::memory_order_relaxed)), total_);
  }

  static void raise(std::atomic<double> &value, double to) {
    double now = value.load(std::memory_order_relaxed);
    while (now < to && !value.compare_exchange_weak(now, to, std::memory_order_relaxed)) {
    }
  }

  const Host &host_;
  const std::thread::id owner_;
  double total_;
  std::atomic<std::uint64_t> done_{0};
  std::atomic<unsigned> pauses_{0};
  std::atomic<double> score_{-std::numeric_limits<double>::infinity()};
  std::atomic<double> negative_bound_{-std::numeric_limits<double>::infinity()};
  std::atomic<StopReason> reason_{StopReason::none};
  std::chrono::steady_clock::time_point next_poll_{};
};

// The host of a job within another one: the nested job stops when the outer one does, or after so
// many seconds. Its watch asks the outer watch, never the host, so that the outer job hears of an
// interrupt first. Its progress and bounds are reported only if asked for; otherwise the outer
// job's are.
inline Host nested_host(Watch &outer, double seconds = std::numeric_limits<double>::infinity(),
                        bool reports_progress = false) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(std::min(seconds, 1e9));
  Host host = outer.host();
  host.should_stop = [&outer, end, reports_progress] {
    if (reports_progress ? outer.stopped_quietly() : outer.stopped())
      return outer.reason();
    return Clock::now() > end ? StopReason::time_limit : StopReason::none;
  };
  if (!reports_progress) {
    host.report_progress = [](double, double) {};
    host.report_bounds = [](double, double) {};
  }
  return host;
}

// For jobs that have nothing partial worth returning.
inline void throw_if_stopped(Watch &watch) {
  if (!watch.stopped())
    return;
  if (watch.reason() == StopReason::time_limit)
    throw TimeLimitReached();
  throw Interrupted();
}

} // namespace optbn
