// The text of a whole proof: what is claimed, and the steps of each part from the log.
//
// src/checker/check_proof.cpp has the language.
#pragma once

#include "core/score/parent_sets.h"
#include "core/structure/search.h"

#include <functional>
#include <string>

namespace optbn {

// Writes the proof of a result over these sets. `copy`: writes a piece of the log to the same place.
inline void write_proof(const ParentSets &sets, const SearchResult &result,
                        const std::function<void(const std::string &)> &write,
                        const std::function<void(const ProofLog::Piece &)> &copy) {
  const auto line = [&](std::string first, const Node *begin, const Node *end) {
    for (const Node *u = begin; u != end; ++u)
      first += ' ' + std::to_string(*u);
    write(first + '\n');
  };
  write("optbn-proof 1\n");
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

} // namespace optbn
