// CutScreen: approximate likelihoods of cuts, to choose the most promising ones.
//
// Each part of a cut gets the tree of the slice, without the variable that is cut on and with
// tables from its own rows, instead of its own Chow-Liu tree. Counts of the tree's edges in the
// parts suffice: O(n) per cut in addition to counting, where learning the trees takes O(n^2).
#pragma once

#include "core/density/counts/pair_counts.h"
#include "core/density/counts/slice.h"
#include "core/density/learn/smoothing.h"
#include "core/density/learn/spanning_tree.h"

#include <cstdint>
#include <vector>

namespace optbn {

class CutScreen {
public:
  // The tree and the counts are those of the slice; all must outlive the screen. `part`: scratch
  // space for counts of as many items.
  CutScreen(const Slice &slice, const PairCounts &counts, const SpanningTree &tree,
            const Smoother &smoother, PairCounts &part);

  // Sum over the parts s of a cut on v of N_s log(N_s / N) + log-likelihood of the tree on s.
  double likelihood(Node v);

  // How long that takes, for a Pace.
  std::uint64_t steps() const;

private:
  void set_part(Node v, unsigned level, double size);

  const Items &items_;
  const PairCounts &counts_;
  const SpanningTree &tree_;
  const std::vector<ItemPair> pairs_; // on edges of the tree
  const PairsWithin within_;
  TreeLearner learner_;
  PairCounts &part_;
  std::vector<std::vector<double>> together_; // by level of v but the first, and pair
};

} // namespace optbn
