#include "check.h"

#include <exception>
#include <iostream>

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

int main(int argc, char **argv) {
  const std::string wanted = argc > 1 ? argv[1] : "";
  unsigned passed = 0, failed = 0;
  for (const check::Test &test : check::tests()) {
    if (test.name.find(wanted) == std::string::npos)
      continue;
    running = test.name;
    failures_in_test = 0;
    try {
      test.body();
    } catch (const std::exception &e) {
      check::fail("exception", 0, e.what());
    }
    failures_in_test == 0 ? ++passed : ++failed;
  }
  std::cout << passed << " passed, " << failed << " failed\n";
  return failed == 0 && passed > 0 ? 0 : 1;
}
