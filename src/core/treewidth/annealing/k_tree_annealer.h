// KTreeAnnealer: one run of simulated annealing over k-trees with an order of their nodes.
//
// Kirkpatrick, Gelatt & Vecchi (1983, doi 10.1126/science.220.4598.671), by the small changes of
// ordered_k_tree.h and, now and then, by removing a part of the k-tree and growing it again
// (k_tree_growth.h). A change with a loss is accepted with probability exp(-loss / temperature).
//
// Not thread-safe: one for each thread. What a run finds depends on its start, its schedule and its
// random numbers, not on the runs before it. Natural logs over the empty sets, larger is better.
#pragma once

#include "core/structure/search.h"
#include "core/treewidth/annealing/k_tree_growth.h"
#include "core/treewidth/annealing/ordered_k_tree.h"

#include <functional>
#include <optional>
#include <vector>

namespace optbn {

// Up to this width the best network within a k-tree is found fast.
constexpr unsigned kLargestPolishedWidth = 6;

class KTreeAnnealer {
public:
  // The temperature falls from one to the other, by the same factor in every step.
  struct Schedule {
    double from, to;
    double steps;
    double target; // a gain that ends the run
  };

  struct Run {
    OrderedKTree best; // of all that were met, the start included
    double steps;      // that were made
  };

  // candidates and related must outlive it.
  KTreeAnnealer(const ParentSets &candidates, const SetTrie &sets,
                const std::vector<std::vector<Node>> &related, unsigned k);

  // With the order of the best network within the k-tree, if it is found fast, or a good one.
  OrderedKTree ordered(const KTree &tree, Random &random);

  // The best of several k-trees that grow from random cliques of related nodes.
  OrderedKTree grown(Random &random);

  // A quantile of the losses of so many small changes.
  static constexpr unsigned kSampledChanges = 1000;
  double typical_loss(OrderedKTree state, Random &random);

  // `stopped` is asked now and then. Appends what is better than `known` to `improvements`, with
  // gains as scores.
  Run run(OrderedKTree start, const Schedule &schedule, double known,
          const std::function<bool()> &stopped, Random &random,
          std::vector<Improvement> &improvements);

private:
  std::vector<Node> initial_order(const KTree &tree, Random &random);
  void step(Random &random);
  bool change(Random &random);
  void regrow(Random &random);
  bool accepts(double gain, Random &random) const;
  void update_best();
  void save_best();
  void limit_memory();

  const ParentSets &candidates_;
  const std::vector<std::vector<Node>> &related_;
  KTreeGrower grower_;
  BagSets cache_;
  const double regrow_;                      // the probability of regrowing a part
  std::optional<OrderedKTree> state_, best_; // of the run; best_ only where state_ is not the best
  double best_gain_ = 0, temperature_ = 0;
};

} // namespace optbn
