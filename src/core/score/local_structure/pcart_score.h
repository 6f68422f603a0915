// PCART: the score of a node by the best dyadic decision tree over its parents.
//
// Talvitie, Eggeling & Koivisto (2018). With T running over all trees of the parent set P,
//     score(v, P) = log c(P) + max over T of (sum over leaves R of [log gamma + leaf_v(R)])
// leaves as in leaf.h, gamma and c as in tree_prior.h. Not score-equivalent.
//
// Parents of very many levels are split in an order that depends on the child (level_order.h): then
// T runs over the trees that follow this order.
//
// Cost of a parent set: its boxes and their splits once (TreePlan), then for every eight children
// one pass over them (TreeSweep); with a parent of very many levels both for every child.
// Thread-safe after construction, except score() itself.
#pragma once

#include "core/score/local_score.h"
#include "core/score/local_structure/cell_tally.h"
#include "core/score/local_structure/tree.h"
#include "core/score/local_structure/tree_prior.h"

#include <map>

namespace optbn {

class PcartScore final : public LocalScore {
public:
  PcartScore(const Dataset &data, const ScoreSettings &settings);

  void score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) override;

  // A tree that reaches the score of the family; without nodes when the watch stops.
  Tree best_tree(Node child, const std::vector<Node> &parents, Watch &watch) const;

private:
  struct Worker;
  void prepare_discrete(Node v, DirichletLeaves &leaves);
  void order_levels(Node parent);
  std::vector<const TreeAxis *> axes_of(const Node *parents, unsigned size) const;
  const TreePrior &prior_of(const std::vector<const TreeAxis *> &axes);
  // worker.best[i] is the best sum over leaves for children[i]; unspecified when the watch stops.
  void solve(Worker &worker, const std::vector<Node> &parents, double log_leaf,
             const std::vector<Node> &children, Watch &watch) const;
  void solve_in_order(Worker &worker, const std::vector<Node> &parents, double log_leaf,
                      const std::vector<Node> &children, Watch &watch) const;
  void solve_counted(Worker &worker, double log_leaf, const std::vector<Node> &children,
                     Watch &watch) const;
  void solve_lanes(Worker &worker, double log_leaf, const std::vector<Node> &children,
                   Watch &watch) const;
  std::uint32_t extract_tree(const Worker &worker, std::uint64_t code, Tree &tree) const;
  std::uint32_t least_rows(Node child, double log_leaf) const;
  double superset_bound(Node child, double log_leaf) const;

  const Dataset &data_;
  const ScoreSettings settings_;
  std::vector<TreeAxis> axis_; // per column
  // Of a column of very many levels: its cells in the order for each child.
  std::vector<std::vector<std::vector<std::uint32_t>>> order_;
  const Responses responses_;
  const NormalLeaves normal_;
  std::map<unsigned, DirichletLeaf> dirichlet_;          // by levels
  std::map<unsigned, std::vector<double>> largest_gain_; // by levels, then rows
  std::vector<double> one_leaf_, pure_leaves_;           // per column, see superset_bound()
  std::map<std::vector<std::pair<AxisKind, unsigned>>, TreePrior> priors_;
};

} // namespace optbn
