// SearchLog: what a search did, one line an event, for those who develop it.
//
// A line has the seconds since the user's call, the event, and named numbers:
//     1.204 root       round=7 bound=-11790.2 rows=273 columns=558
// ARCHITECTURE.md describes the events. A host without a log (the default) costs one test an event;
// events are at most some hundred a second. Thread-safe.
#pragma once

#include <chrono>
#include <cstdio>
#include <fstream>
#include <initializer_list>
#include <mutex>
#include <string>
#include <utility>

namespace optbn {

class SearchLog {
public:
  using Facts = std::initializer_list<std::pair<const char *, double>>;

  // Appends to a file; so many seconds have passed since the user's call.
  SearchLog(const std::string &file, double seconds)
      : out_(file, std::ios::app), before_(seconds) {}

  void write(const char *event, Facts facts) {
    const std::lock_guard<std::mutex> lock(guard_);
    char text[64];
    std::snprintf(text, sizeof text, "%10.3f %-10s", seconds(), event);
    out_ << text;
    for (const auto &[name, value] : facts) {
      std::snprintf(text, sizeof text, "%.10g", value);
      out_ << ' ' << name << '=' << text;
    }
    out_ << std::endl; // a search that is killed leaves what it wrote
  }

private:
  using Clock = std::chrono::steady_clock;
  double seconds() const {
    return before_ + std::chrono::duration<double>(Clock::now() - begun_).count();
  }

  std::mutex guard_;
  std::ofstream out_;
  const double before_;
  const Clock::time_point begun_ = Clock::now();
};

} // namespace optbn
