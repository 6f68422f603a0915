// Spanning trees: the maximum spanning tree of the mutual informations of all pairs of variables,
// and the likelihood of its tree density for some counts.
//
// Prim's algorithm, O(n^2) (Chow & Liu 1968 for why it is the tree of largest likelihood). Pairs of
// two-level variables are processed in full vectors (pair_kernels.h), and for most of them a bound
// on their information suffices. Informations are compared rounded to multiples of 2^-34, and among
// equal ones the smaller pair of variables wins, so that the tree is unique. It is rooted at its
// smallest variable.
#pragma once

#include "core/base/host.h"
#include "core/density/counts/pair_counts.h"
#include "core/density/counts/pair_kernels.h"
#include "core/density/density.h"
#include "core/density/learn/smoothing.h"

#include <vector>

namespace optbn {

struct SpanningTree {
  static constexpr Node kNone = 0xffff;

  std::vector<Node> order;  // of the variables, parents before their children
  std::vector<Node> parent; // by variable; kNone at the root and at those that are not in the tree
};

// The subgraph of a tree on some of its variables, a forest.
SpanningTree within(const SpanningTree &tree, const std::vector<Node> &scope);

// The pairs of items in the tables of its edges.
std::vector<ItemPair> edge_pairs(const SpanningTree &tree, const Items &items);

// A workspace, for one thread.
class TreeLearner {
public:
  explicit TreeLearner(const Smoother &smoother, Watch *watch = nullptr);

  // Over the variables of the scope, ascending. Returns the log-likelihood of the rows counted. If
  // there is a watch, may throw Interrupted.
  double learn(const PairCounts &counts, const std::vector<Node> &scope, SpanningTree &tree);

  // The log-likelihood of the rows counted, given the tree with tables from these rows.
  double log_likelihood(const PairCounts &counts, const SpanningTree &tree);

  TreeDensity density(const PairCounts &counts, const SpanningTree &tree);

private:
  void span(const PairCounts &counts, const std::vector<Node> &scope, SpanningTree &tree);
  void set_margins(const PairCounts &counts, double a);
  void update(const PairCounts &counts, double a, Node added);
  double information(const PairCounts &counts, Node u, Node v);
  double likelihood_of_pairs(const PairCounts &counts, const SpanningTree &tree);

  const Smoother &smoother_;
  Watch *const watch_;
  const Items &items_;
  const PairKernels kernels_;
  const bool pairs_;                    // are all tables two by two, with consistent margins?
  std::vector<double> table_, counted_; // of a pair
  std::vector<double> strongest_, rank_, p_, log_p_, p_log_p_, scale_, alone_,
      likelihood_;                                              // by variable
  std::vector<double> p_u_, p_v_, p_both_, n_u_, n_v_, n_both_; // by edge
};

} // namespace optbn
