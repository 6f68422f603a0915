// WidthCuts: limits that every network of tree-width at most k satisfies, for a linear relaxation.
//
// Let disjoint connected sets of nodes make a minor of the moral graph, each connected by a tree of
// contracted pairs, and let the edges of every graph of tree-width k over its nodes have
// coefficients that add up to R at most (pair_cut.h), those of all its pairs to R + X. Where all
// contracted pairs are joined, the minor has tree-width k or less, as the moral graph has
// (graph/minor.h): the pairs joined in the minor add up to R at most. Where one is not, they still
// add up to R + X at most. So with c contracted pairs
//
//   the sum of the coefficients of joined pairs + X (number of contracted pairs joined) <= R + c X
//
// and the same holds when a pair of the minor counts only where one pair of nodes in its two sets is
// joined, and every pair only where it has a certain witness (pair_weights.h): what counts less
// often makes the left-hand side smaller. A clique of k + 2 nodes and the numbers of edges of
// subgraphs are special cases, without contracted pairs.
//
// Immutable, so safe to share between threads.
#pragma once

#include "core/structure/bounds/cuts/limit_source.h"

#include <vector>

namespace optbn {

// Minors have more than k + 1 nodes, but only few.
constexpr unsigned kLargestCutWidth = 6;
constexpr Node kWidthCutNodes = 512;

template <unsigned Words> class WidthCuts : public LimitSource<Words> {
public:
  // k from 1 to kLargestCutWidth; at most kWidthCutNodes nodes.
  explicit WidthCuts(unsigned k) : k_(k) {}

  std::vector<Limit<Words>> violated(const FractionalNetwork<Words> &network, Random &random,
                                     double &work, Watch &watch) const override;
  bool admits(const std::vector<BitSet<Words>> &sets, Watch &watch) const override;

private:
  const unsigned k_;
};

} // namespace optbn
