// ParentSets: for every node the candidate parent sets and their local scores.
//
// This is the input of every search. The sets of one node are in order of decreasing score (ties:
// fewer parents, then lexicographic), members ascending, so that the first set that a search may
// use is the best that it may use. Natural logs, larger is better.
#pragma once

#include "core/data/dataset.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

// The candidates of one node, stored flat: set i has score[i] and the parents
// parents[offset[i]] .. parents[offset[i + 1] - 1].
struct CandidateSets {
  std::vector<double> score;
  std::vector<std::uint32_t> offset{0};
  std::vector<Node> parents;

  std::size_t size() const { return score.size(); }
  unsigned size_of(std::size_t i) const { return offset[i + 1] - offset[i]; }
  const Node *begin_of(std::size_t i) const { return parents.data() + offset[i]; }
  const Node *end_of(std::size_t i) const { return parents.data() + offset[i + 1]; }

  void add(double set_score, const Node *first, const Node *last) {
    score.push_back(set_score);
    parents.insert(parents.end(), first, last);
    offset.push_back(static_cast<std::uint32_t>(parents.size()));
  }

  // Puts the sets into the order that the first lines of this file describe.
  void sort();
};

struct ParentSets {
  std::vector<CandidateSets> nodes;

  Node size() const { return static_cast<Node>(nodes.size()); }
};

} // namespace optbn
