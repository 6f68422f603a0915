#include "check.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <iomanip>
#include <iostream>
#include <utility>

namespace {
unsigned failures_in_test = 0;
std::string running;
} // namespace

std::vector<check::Test> &check::tests() {
  static std::vector<Test> all;
  return all;
}

void check::fail(const char *file, int line, const std::string &what) {
  if (++failures_in_test <= 10)
    std::cout << "FAIL " << running << " (" << file << ":" << line << ") " << what << "\n";
}

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begun) {
  return std::chrono::duration<double>(Clock::now() - begun).count();
}

void show_slowest(std::vector<std::pair<double, std::string>> seconds) {
  const std::size_t shown = std::min<std::size_t>(10, seconds.size());
  std::partial_sort(seconds.begin(), seconds.begin() + shown, seconds.end(), std::greater<>());
  std::cout << "slowest, seconds\n";
  for (std::size_t i = 0; i < shown; ++i)
    std::cout << std::fixed << std::setprecision(2) << std::setw(7) << seconds[i].first << "  "
              << seconds[i].second << "\n";
}

} // namespace

int main(int argc, char **argv) {
  const std::string wanted = argc > 1 ? argv[1] : "";
  unsigned passed = 0, failed = 0;
  std::vector<std::pair<double, std::string>> seconds;
  for (const check::Test &test : check::tests()) {
    if (test.name.find(wanted) == std::string::npos)
      continue;
    running = test.name;
    failures_in_test = 0;
    const Clock::time_point begun = Clock::now();
    try {
      test.body();
    } catch (const std::exception &e) {
      check::fail("exception", 0, e.what());
    }
    failures_in_test == 0 ? ++passed : ++failed;
    seconds.emplace_back(seconds_since(begun), test.name);
  }
  show_slowest(std::move(seconds));
  std::cout << passed << " passed, " << failed << " failed\n";
  return failed == 0 && passed > 0 ? 0 : 1;
}
