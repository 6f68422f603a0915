// Host: what the outside world offers the core, and Watch: the eye that one long job keeps on it.
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

// Why a job ended early. (No host says `gap`: the answer is as near to the best as was asked for;
// or `effort`: as much has been done as was asked for.)
enum class StopReason : int { none, interrupt, time_limit, gap, effort };

struct Host {
  // Asked about every 20 ms while a job runs.
  std::function<StopReason()> should_stop = [] { return StopReason::none; };
  // Work done so far out of `total`, in the job's own unit.
  std::function<void(double done, double total)> progress = [](double, double) {};
  // The best score of a search so far, and a bound on what could be found, in its own unit.
  std::function<void(double score, double bound)> found = [](double, double) {};
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

  // The same of a job that has a part which shows itself what it does.
  bool stopped_in_part() { return stopped(false); }

  StopReason reason() const { return reason_.load(std::memory_order_relaxed); }

  // Any thread: so much more of `total` is done.
  void advance(std::uint64_t units) {
    if (uncounted_.load(std::memory_order_relaxed) == 0)
      done_.fetch_add(units, std::memory_order_relaxed);
  }

  // Any thread: the search has this score, and can have none above the bound. What was better
  // before stays.
  void found(double score, double bound) {
    raise(score_, score);
    raise(negative_bound_, -bound);
  }

  // Any thread.
  void log(const char *event, SearchLog::Facts facts) const {
    if (host_.log)
      host_.log->write(event, facts);
  }

  // While one of these lives nothing counts as done: a job that counts in units of its own holds
  // one while it has others work for it. Owner only.
  class Uncounted {
  public:
    explicit Uncounted(Watch &watch) : watch_(watch) { ++watch_.uncounted_; }
    ~Uncounted() { --watch_.uncounted_; }
    Uncounted(const Uncounted &) = delete;
    Uncounted &operator=(const Uncounted &) = delete;

  private:
    Watch &watch_;
  };

  // A job that learns its size, or begins a new stretch, says so. Owner only.
  void restart(double total) {
    total_ = total;
    done_ = 0;
  }

  // Is this the thread that made the watch, which alone may start others?
  bool owned() const { return std::this_thread::get_id() == owner_; }

  const Host &host() const { return host_; }

private:
  bool stopped(bool shows_progress) {
    if (owned())
      poll(shows_progress);
    return reason_.load(std::memory_order_relaxed) != StopReason::none;
  }

  void poll(bool shows_progress) {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_poll_)
      return;
    next_poll_ = now + std::chrono::milliseconds(20);
    try {
      if (reason() == StopReason::none)
        reason_ = host_.should_stop();
      if (shows_progress)
        show();
    } catch (...) { // the host's own failure ends the job, and with it other threads
      reason_ = StopReason::interrupt;
      throw;
    }
  }

  void show() {
    const double score = score_.load(std::memory_order_relaxed);
    if (score > -std::numeric_limits<double>::infinity())
      host_.found(score, -negative_bound_.load(std::memory_order_relaxed));
    host_.progress(static_cast<double>(done_.load(std::memory_order_relaxed)), total_);
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
  std::atomic<unsigned> uncounted_{0};
  std::atomic<double> score_{-std::numeric_limits<double>::infinity()};
  std::atomic<double> negative_bound_{-std::numeric_limits<double>::infinity()};
  std::atomic<StopReason> reason_{StopReason::none};
  std::chrono::steady_clock::time_point next_poll_{};
};

// The host of a part of a job: the part ends when the whole does, whose watch hears of it first, or
// after so many seconds. Its progress, and what it finds, are shown only if asked for: else those
// of the whole are.
inline Host host_of_part(Watch &whole, double seconds = std::numeric_limits<double>::infinity(),
                         bool shows_progress = false) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(std::min(seconds, 1e9));
  Host host = whole.host();
  host.should_stop = [&whole, end, shows_progress] {
    if (shows_progress ? whole.stopped_in_part() : whole.stopped())
      return whole.reason();
    return Clock::now() > end ? StopReason::time_limit : StopReason::none;
  };
  if (!shows_progress) {
    host.progress = [](double, double) {};
    host.found = [](double, double) {};
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
