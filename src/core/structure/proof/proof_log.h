// ProofLog: where a search writes the steps of its proof, piece by piece.
//
// A piece goes to a sink, such as a file, and is remembered by its place there: a proof of many
// pieces takes no more memory than their places. Thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace optbn {

class ProofLog {
public:
  using Sink = std::function<void(const std::string &)>;
  struct Piece {
    std::uint64_t begin, end; // in what the sink was given
  };

  explicit ProofLog(Sink sink) : sink_(std::move(sink)) {}

  Piece write(const std::string &text) {
    const std::lock_guard<std::mutex> lock(guard_);
    sink_(text);
    const std::uint64_t begin = length_;
    length_ += text.size();
    return {begin, length_};
  }

private:
  const Sink sink_;
  std::mutex guard_;
  std::uint64_t length_ = 0;
};

// A text in the log: its pieces, in the order of reading.
struct ProofText {
  ProofLog &log;
  std::vector<ProofLog::Piece> pieces{};

  void write(const std::string &text) { pieces.push_back(log.write(text)); }
  // What is claimed in between holds only there.
  void begin() { write("=\n"); }
  void end() { write("-\n"); }
};

} // namespace optbn
