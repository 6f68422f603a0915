// Exact enumeration of candidate parent sets.
//
// For every node, level by level in the number of parents: each candidate whose subsets are all
// alive is scored, kept when no proper subset scores as much, and pruned (with all its supersets)
// when some subset already reaches what no superset can exceed. A set that is dropped is never
// needed: in any network its better subset can replace it without closing a cycle.
//
// b(P) below is the best score among the allowed subsets of P, P included. With `slack` s > 0
// everything within s of its best subset is kept, too: a network with a set that is dropped is
// worse than some other by at least s, which is what searches for several networks need.
//     kept      score(P) > b(proper subsets of P) - s
//     pruned    b(P) - s >= an upper bound on the score of every superset
//     uncounted b(proper subsets of P) - s >= an upper bound on P and its supersets, or some
//               member can never gain as much as -s given the others (LocalScore::gain_bound)
// Constraints come first: a forbidden subset dominates nothing. Where a level takes long, branch
// and bound over all larger sets of a node (set_branching.h) may replace it and the levels after
// it: within the time of the level it often proves that none of them is needed.
//
// Memory: two levels of alive sets, about 24 + 2|P| bytes each, and the families being scored,
// which come in blocks where they are many.
#pragma once

#include "core/score/family_rules.h"
#include "core/score/local_score.h"
#include "core/score/parent_sets.h"

#include <memory>
#include <vector>

namespace optbn {

struct EnumerationLimits {
  double budget = std::numeric_limits<double>::infinity(); // in sets scored
  // Where branching completes most nodes, it may exceed the budget by so many times the budget.
  double branching = 20;
};

struct EnumerationOptions {
  FamilyRules rules;
  double slack = 0;
  double memory_limit = std::numeric_limits<double>::infinity(); // bytes
  // May it end before all sets are accounted for? Then it leaves out a level that would exceed the
  // budget, or the memory, or in which the watch stops.
  bool partial = false;
  // Branching may take as long as scoring a level does, and longer where it is expected to end: for
  // every set it may visit so many cells per row. It is tried where that is at least so much work,
  // as SetBranching counts it.
  double cells_per_row = 0.02, least_branching = 3e7;
};

struct EnumerationResult {
  ParentSets sets;
  std::vector<double> considered; // per node: sets that the constraints allow
  std::vector<double> counted;    // per node: sets that were scored
  double effort = 0;              // sets scored, and the work of branching in such units
  // Per node: sets of at most so many parents are accounted for, scored or excluded by a bound; -1
  // where none is.
  std::vector<int> complete;
  std::vector<int> largest; // per node: parents of the largest set that the constraints allow
};

// Throws Interrupted, TimeLimitReached or MemoryLimit, unless it may end before all sets are
// accounted for. A node's candidates may come out empty only then, or when its required parents
// admit no finite score.
EnumerationResult enumerate_parent_sets(const Dataset &data, LocalScore &score,
                                        const EnumerationOptions &options, Watch &watch,
                                        const EnumerationLimits &limits = {});

// The same, which can be continued. Keeps the last level and what branching has explored.
class Enumeration {
public:
  // Data and score must outlive this object.
  Enumeration(const Dataset &data, LocalScore &score, EnumerationOptions options);
  ~Enumeration();

  // Goes on within these limits. Returns what is known since the first call.
  EnumerationResult go_on(const EnumerationLimits &limits, Watch &watch);

  class Levels;

private:
  std::unique_ptr<Levels> levels_;
};

} // namespace optbn
