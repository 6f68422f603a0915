// MixedFamilies: families with any numbers of parents, scored together. A score takes batches with
// equally many parents (FamilyBatch).
#pragma once

#include "core/score/local_score.h"

#include <map>
#include <vector>

namespace optbn {

class MixedFamilies {
public:
  // The parents are ascending. Families are numbered in the order of these calls.
  void add(Node child, const Node *first, const Node *last);
  void add(Node child, const std::vector<Node> &parents) {
    add(child, parents.data(), parents.data() + parents.size());
  }

  std::size_t size() const { return size_; }

  // By number. When the watch stops, returns early with unspecified numbers.
  std::vector<double> score(LocalScore &score, Watch &watch) const;
  // The same up to rounding.
  std::vector<double> score_nearly(LocalScore &score, Watch &watch) const;

private:
  struct Level {
    FamilyBatch families;
    std::vector<std::size_t> number;
  };

  template <class Score> std::vector<double> by_level(Score score, Watch &watch) const;

  std::map<unsigned, Level> levels_; // by number of parents
  std::size_t size_ = 0;
};

} // namespace optbn
