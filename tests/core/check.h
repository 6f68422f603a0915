// A test program in a hundred lines: TEST(name) { CHECK(condition); CHECK_NEAR(a, b, tolerance); }
//
// Tests register themselves; main.cpp runs those whose name contains the first argument (or all),
// prints one line per failure and the seconds of the slowest, and closes with "N passed, N failed".
#pragma once

#include <cmath>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace check {

struct Test {
  std::string name;
  std::function<void()> body;
};

std::vector<Test> &tests();
void fail(const char *file, int line, const std::string &what);

struct Registration {
  Registration(const char *name, std::function<void()> body) { tests().push_back({name, body}); }
};

template <class A, class B> std::string show(const char *relation, const A &a, const B &b) {
  std::ostringstream text;
  text.precision(17);
  text << relation << ": " << a << " and " << b;
  return text.str();
}

} // namespace check

#define TEST(name)                                                                                 \
  static void test_##name();                                                                       \
  static const check::Registration registration_##name(#name, test_##name);                        \
  static void test_##name()

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition))                                                                              \
      check::fail(__FILE__, __LINE__, #condition);                                                 \
  } while (false)

#define CHECK_EQUAL(a, b)                                                                          \
  do {                                                                                             \
    if (!((a) == (b)))                                                                             \
      check::fail(__FILE__, __LINE__, check::show(#a " == " #b, a, b));                            \
  } while (false)

#define CHECK_NEAR(a, b, tolerance)                                                                \
  do {                                                                                             \
    if (!(std::abs((a) - (b)) <= (tolerance)))                                                     \
      check::fail(__FILE__, __LINE__, check::show(#a " near " #b, a, b));                          \
  } while (false)

#define CHECK_THROWS(expression, exception)                                                        \
  do {                                                                                             \
    bool thrown = false;                                                                           \
    try {                                                                                          \
      (void)(expression);                                                                          \
    } catch (const exception &) {                                                                  \
      thrown = true;                                                                               \
    }                                                                                              \
    if (!thrown)                                                                                   \
      check::fail(__FILE__, __LINE__, #expression " throws " #exception);                          \
  } while (false)
