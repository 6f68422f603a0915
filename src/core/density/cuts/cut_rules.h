// Which variable to cut a slice on: one function for each rule of cutset_learning.h.
//
// All use only the counts of a slice. A cut has as many parts as the variable has levels, and none
// of them is ever empty, so that a cut has no weight 0. Gains are compared rounded to 1e-10
// (relative to large ones), and the first of equal ones wins.
#pragma once

#include "core/base/host.h"
#include "core/base/random.h"
#include "core/density/counts/pair_counts.h"
#include "core/density/counts/slice.h"
#include "core/density/cuts/cutset_learning.h"
#include "core/density/learn/smoothing.h"
#include "core/density/learn/spanning_tree.h"

#include <memory>
#include <vector>

namespace optbn {

constexpr Node kNoCut = SpanningTree::kNone;

// The Chow-Liu tree of a slice.
struct SliceTree {
  SpanningTree tree;
  double log_likelihood = 0;
};

// The variables but one of them.
std::vector<Node> without(std::vector<Node> scope, Node v);

// Rows at each level of v; and are there more than `least` at every one?
std::vector<double> part_sizes(const PairCounts &counts, const Items &items, Node v);
bool all_above(const std::vector<double> &sizes, double least);

// Is a gain larger than another one by more than rounding?
bool exceeds(double gain, double other);

// likelihood: needs the tree of the slice, and returns those of the parts of the cut.
class LikelihoodCuts {
public:
  // `rows`: of the whole training set.
  LikelihoodCuts(const Smoother &smoother, const CutsetSettings &settings, double rows,
                 Watch &watch);
  ~LikelihoodCuts();

  // Throws Interrupted.
  Node best(const Slice &slice, const PairCounts &counts, const std::vector<Node> &scope,
            const SliceTree &whole, std::vector<SliceTree> &parts);

private:
  class Trial;

  Trial &trial(unsigned worker);
  std::vector<Node> screened(const Slice &slice, const PairCounts &counts, const SpanningTree &tree,
                             const std::vector<Node> &candidates);
  double penalty(double total) const;

  const Smoother &smoother_;
  const CutsetSettings &settings_;
  const double rows_;
  Watch &watch_;
  std::vector<std::unique_ptr<Trial>> trials_; // by thread, made on first use
};

// entropy. Throws Interrupted.
Node entropy_cut(const PairCounts &counts, const std::vector<Node> &scope, const Smoother &smoother,
                 double min_entropy, Watch &watch);

// random
Node random_cut(const PairCounts &counts, const std::vector<Node> &scope, const Items &items,
                Random &random);

} // namespace optbn
