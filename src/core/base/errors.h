// Typed failures of the core. Each carries the facts; the caller words the message for its user.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace optbn {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The user asked the job to stop and there is nothing partial worth returning.
struct Interrupted : Error {
  Interrupted() : Error("interrupted") {}
};

// The time limit was reached and there is nothing partial worth returning.
struct TimeLimitReached : Error {
  TimeLimitReached() : Error("time limit reached") {}
};

// A file does not follow its format; `line` counts from 1.
struct ParseError : Error {
  ParseError(const std::string &what, std::size_t line_number) : Error(what), line(line_number) {}
  std::size_t line;
};

// No acyclic network satisfies the candidate sets: these nodes cannot be ordered.
struct Infeasible : Error {
  explicit Infeasible(std::vector<std::uint16_t> blocked)
      : Error("no acyclic network exists"), nodes(std::move(blocked)) {}
  std::vector<std::uint16_t> nodes;
};

// A job would need more memory than it may use.
struct MemoryLimit : Error {
  MemoryLimit(double needed_bytes, double limit_bytes)
      : Error("memory limit"), needed(needed_bytes), limit(limit_bytes) {}
  double needed, limit;
};

// More nodes depend on each other than an algorithm has room for.
struct TooManyNodes : Error {
  TooManyNodes(std::size_t has, std::size_t may_have)
      : Error("too many nodes"), nodes(has), limit(may_have) {}
  std::size_t nodes, limit;
};

// A model whose parts do not fit together, because it was changed or damaged where it was stored.
struct MalformedModel : Error {
  using Error::Error;
};

inline void require_well_formed(bool well_formed, const char *what) {
  if (!well_formed)
    throw MalformedModel(what);
}

} // namespace optbn
