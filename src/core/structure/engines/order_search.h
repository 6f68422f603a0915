// Branch and bound over the orders of the nodes, under a Lagrangian bound.
//
// A network is an order in which every node has the best of its sets among the nodes before it. The
// search fills an order from the front. At a prefix U that costs g, the rest is bounded by a Dual,
// made once for the whole problem (root_dual.h): g, plus the constant term of its inequalities
// after U, plus every other node's least reduced cost. The bound is then raised where it is
// loosest: run the closure with the tight sets (those of least reduced cost) only; the blocked
// nodes contain a violated cluster, whose price rises until another set is tight. Prefixes reached
// before at no more cost are not visited again (as in dynamic programming), sets that no
// improvement can use are dropped from the active domains, and a node whose first remaining set is
// inside U comes next without alternative.
//
// A dive that has visited enough prefixes postpones the others: they wait in a queue, lowest bound
// first (frontier.h). To optimise the dual again for prefixes from the queue made the tree hardly
// smaller: small clusters, raised greedily, are as good.
//
// Exact at any memory limit: when the memory for prefixes is full, no more are stored.
#pragma once

#include "core/structure/bounds/dual.h"
#include "core/structure/prover.h"

#include <memory>

namespace optbn {

template <unsigned Words> class OrderSearch {
public:
  // Of the task's problem, or of a part of its sets. Networks that cost `cutoff` or more are of no
  // interest; has_best: the task's start costs as much.
  OrderSearch(const CostProblem<Words> &problem, const ProofTask &task, Cost cutoff, bool has_best);
  ~OrderSearch();

  // Searches, under this dual, until nothing is left to do, so many more nodes of the tree are
  // visited or so many more sets examined, about. Can be continued, under a better dual.
  void run(const Dual<Words> &dual, double nodes, double work, unsigned threads, Watch &watch);

  // Forgets all but the best network: prefixes that a weak dual left open are more than a good one
  // would have made.
  void begin_again();

  void raise_bound(Cost bound);           // on all networks, from elsewhere
  void say_dual(const Dual<Words> &dual); // in the proof, if there is one
  bool unfinished(Watch &watch) const;
  bool exhausted() const; // nothing that costs less than cutoff() is left
  Cost cutoff() const;
  double nodes() const;
  double work() const;
  Proof conclude() const; // the best network and the bound so far
  void log(Watch &watch) const;

private:
  class Tree;
  std::unique_ptr<Tree> tree_;
};

} // namespace optbn
