// The text of a whole proof: what is claimed, and the steps of each part from the log.
//
// src/checker/check_proof.cpp has the language.
#pragma once

#include "core/base/errors.h"
#include "core/score/parent_sets.h"
#include "core/structure/search.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace optbn {

// Writes the proof of a result over these sets, which `constraints`, lines of the language, have
// left of those that a checker is given. `copy`: writes a piece of the log to the same place.
inline void write_proof(const ParentSets &sets, const std::vector<std::string> &constraints,
                        const SearchResult &result,
                        const std::function<void(const std::string &)> &write,
                        const std::function<void(const ProofLog::Piece &)> &copy) {
  const auto line = [&](std::string first, const Node *begin, const Node *end) {
    for (const Node *u = begin; u != end; ++u)
      first += ' ' + std::to_string(*u);
    write(first + '\n');
  };
  write("optbn-proof 1\n" + std::to_string(constraints.size()) + '\n');
  for (const std::string &constraint : constraints)
    write(constraint + '\n');
  for (Node v = 0; v < sets.size(); ++v) {
    const CandidateSets &of_node = sets.nodes[v];
    const std::size_t i = result.network.choice[v];
    line(std::to_string(of_node.size_of(i)), of_node.begin_of(i), of_node.end_of(i));
  }
  write(std::to_string(result.proof.size()) + '\n');
  for (const ProofPart &part : result.proof) {
    const std::string claim = std::to_string(part.bits) + ' ' + std::to_string(part.target) + ' ' +
                              std::to_string(part.nodes.size());
    line(claim, part.nodes.data(), part.nodes.data() + part.nodes.size());
    for (const ProofLog::Piece &piece : part.steps)
      copy(piece);
    write(".\n");
  }
  write("end\n");
}

// A log in a file of its own, as no memory need hold it, and the proof that is made of it.
class ProofFile {
public:
  explicit ProofFile(const std::string &steps)
      : steps_(steps, std::ios::binary | std::ios::in | std::ios::out | std::ios::trunc),
        log_([this](const std::string &text) { steps_ << text; }) {}

  ProofLog &log() { return log_; }

  void write(const ParentSets &sets, const std::vector<std::string> &constraints,
             const SearchResult &result, const std::string &name) {
    std::ofstream whole(name, std::ios::binary);
    write_proof(
        sets, constraints, result, [&](const std::string &text) { whole << text; },
        [&](const ProofLog::Piece &piece) { copy(piece, whole); });
    whole.flush();
    if (!steps_ || !whole)
      throw Error("The proof cannot be written: is there room for it on the disk?");
  }

private:
  void copy(const ProofLog::Piece &piece, std::ofstream &whole) {
    steps_.seekg(static_cast<std::streamoff>(piece.begin));
    std::uint64_t left = piece.end - piece.begin;
    std::vector<char> block(std::min<std::uint64_t>(left, std::uint64_t{1} << 20));
    while (left > 0 && steps_) {
      const auto count = static_cast<std::streamsize>(std::min<std::uint64_t>(left, block.size()));
      steps_.read(block.data(), count);
      whole.write(block.data(), count);
      left -= static_cast<std::uint64_t>(count);
    }
  }

  std::fstream steps_;
  ProofLog log_;
};

} // namespace optbn
