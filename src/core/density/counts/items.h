// Items: the levels of all variables other than level 0, numbered consecutively.
//
// The counts of items and of pairs of items determine the counts of all pairs of levels: those with
// level 0 are the remainders. A two-level variable has one item, "present".
#pragma once

#include "core/data/dataset.h"

#include <cstddef>
#include <numeric>
#include <vector>

namespace optbn {

class Items {
public:
  explicit Items(const std::vector<unsigned> &levels) : levels_(levels), first_(levels.size() + 1) {
    for (std::size_t v = 0; v < levels.size(); ++v) {
      first_[v + 1] = first_[v] + levels[v] - 1;
      two_levels_ = two_levels_ && levels[v] == 2;
    }
  }

  Node variables() const { return static_cast<Node>(levels_.size()); }
  unsigned levels(Node v) const { return levels_[v]; }
  std::size_t size() const { return first_.back(); }
  std::size_t first(Node v) const { return first_[v]; } // level 1 of v; then levels 2, 3, ...
  bool two_levels() const { return two_levels_; }       // have all variables? Item v is v then.

  std::vector<Node> all_variables() const {
    std::vector<Node> all(variables());
    std::iota(all.begin(), all.end(), Node{0});
    return all;
  }

private:
  std::vector<unsigned> levels_;
  std::vector<std::size_t> first_;
  bool two_levels_ = true;
};

struct ItemPair {
  std::size_t one, other;
};

} // namespace optbn
