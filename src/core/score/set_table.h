// SetTable: an index of distinct node sets of one size, each with a number.
//
// Sets are stored flat, in order of arrival. The index is one of two:
//   by rank   where most sets of that size are expected: set {c_1 < c_2 < ...} has rank
//             sum of binom(c_i, i), different for every set, and its own slot (colexicographic
//             ranking, Knuth, TAOCP 4A, 7.2.1.3);
//   hashed    otherwise: open addressing over set numbers, so that memory grows with the sets.
// Works for any number of nodes, unlike bit masks; 2 bytes a member and 4 to 16 bytes a set.
#pragma once

#include "core/data/dataset.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

class SetTable {
public:
  static constexpr std::uint32_t kAbsent = UINT32_MAX;

  // Sets of `set_size` of the nodes 0..universe-1, of which about `expected` will be inserted.
  explicit SetTable(unsigned set_size = 0, Node universe = 0, std::size_t expected = 1);

  std::size_t size() const { return count_; }
  unsigned set_size() const { return set_size_; }
  // The members of a set, ascending.
  const Node *set(std::size_t number) const { return members_.data() + number * set_size_; }

  std::uint32_t find(const Node *set) const { return slots_[slot_of(set)]; }

  // The number of the set, a new one if it was absent.
  std::uint32_t insert(const Node *set);

private:
  std::size_t slot_of(const Node *set) const { return ranked() ? rank(set) : probe(set); }
  bool ranked() const { return !binomial_.empty(); }
  std::size_t rank(const Node *set) const {
    std::size_t sum = 0;
    const std::uint32_t *row = binomial_.data();
    for (unsigned i = 0; i < set_size_; ++i, row += universe_)
      sum += row[set[i]];
    return sum;
  }
  std::size_t probe(const Node *wanted) const;
  void grow();

  unsigned set_size_;
  Node universe_;
  std::size_t count_ = 0;
  std::vector<Node> members_;
  std::vector<std::uint32_t> slots_; // set numbers
  std::vector<std::uint32_t>
      binomial_; // row i: binom(c, i + 1) for every node c; empty when hashed
};

} // namespace optbn
