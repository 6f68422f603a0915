// Runs the tests, a process on each core.

#include "check.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <iomanip>
#include <iostream>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

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

struct Outcome {
  double seconds = 0;
  bool ended = false, passed = false;
};

// What the processes that run the tests share: which test is next, and what became of each.
class Board {
public:
  explicit Board(std::size_t tests)
      : outcomes_(shared<Outcome>(tests)), next_(shared<std::atomic<std::size_t>>(1)) {}

  std::size_t take() { return (*next_)++; }
  Outcome &outcome(std::size_t test) { return outcomes_[test]; }

private:
  template <class T> static T *shared(std::size_t count) {
    void *memory = mmap(nullptr, std::max<std::size_t>(1, count) * sizeof(T),
                        PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      throw std::bad_alloc();
    return new (memory) T[count];
  }

  Outcome *outcomes_;
  std::atomic<std::size_t> *next_;
};

void run(const check::Test &test, Outcome &outcome) {
  running = test.name;
  failures_in_test = 0;
  const Clock::time_point begun = Clock::now();
  try {
    test.body();
  } catch (const std::exception &e) {
    check::fail("exception", 0, e.what());
  }
  std::cout.flush();
  outcome = {std::chrono::duration<double>(Clock::now() - begun).count(), true,
             failures_in_test == 0};
}

void run_all(const std::vector<check::Test> &tests, Board &board) {
  for (std::size_t i = board.take(); i < tests.size(); i = board.take())
    run(tests[i], board.outcome(i));
}

// As many processes as cores; the tests of one that dies count as failed, a single test runs in
// this process. False if one died or did not exit as it should.
bool run_in_processes(const std::vector<check::Test> &tests, Board &board) {
  const std::size_t processes =
      std::min<std::size_t>(std::thread::hardware_concurrency(), tests.size());
  for (std::size_t i = 1; i < processes; ++i) {
    if (fork() == 0) {
      run_all(tests, board);
      std::exit(0);
    }
  }
  run_all(tests, board);
  bool sound = true;
  for (int status = 0; wait(&status) > 0;)
    sound = sound && status == 0;
  return sound;
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
  std::vector<check::Test> tests = check::tests();
  tests.erase(std::remove_if(tests.begin(), tests.end(),
                             [&](const check::Test &test) {
                               return test.name.find(wanted) == std::string::npos;
                             }),
              tests.end());
  Board board(tests.size());
  const bool sound = run_in_processes(tests, board);
  std::size_t passed = 0;
  std::vector<std::pair<double, std::string>> seconds;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const Outcome &outcome = board.outcome(i);
    passed += outcome.passed;
    seconds.emplace_back(outcome.seconds, tests[i].name);
    if (!outcome.ended)
      std::cout << "FAIL " << tests[i].name << " did not end\n";
  }
  show_slowest(std::move(seconds));
  std::cout << passed << " passed, " << tests.size() - passed << " failed\n";
  return sound && passed > 0 && passed == tests.size() ? 0 : 1;
}
