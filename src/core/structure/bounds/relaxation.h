// The linear relaxation of a search problem, as far as it is written down.
//
// It gives every node weights over its sets, adding up to 1, that satisfy the inequalities of
// dual.h. There are far too many of these, and too many sets: rows are the inequalities found so
// far, columns the sets that matter so far. It is optimised roughly by a first-order method
// (primal_dual.h) where it is large, exactly by the dual simplex method (dual_simplex.h) where it
// is small; inequalities that its weights violate are sought by cluster_separation.h and
// group_cuts.h, and by the source of a limited search (limit_source.h). Nothing depends on the
// exactness of its doubles: multipliers become a Dual in whole numbers, whose bound is computed
// from it.
//
// Copies share the problem and the inequalities, so that every node of a search tree may have one.
// Deterministic: random choices come from a stream of its own. Not thread-safe.
#pragma once

#include "core/base/host.h"
#include "core/base/random.h"
#include "core/structure/bounds/cuts/cluster_separation.h"
#include "core/structure/bounds/cuts/group_cuts.h"
#include "core/structure/bounds/cuts/limit_source.h"
#include "core/structure/bounds/dual.h"
#include "core/structure/bounds/dual_simplex.h"
#include "core/structure/bounds/primal_dual.h"

#include <memory>
#include <vector>

namespace optbn {

template <unsigned Words> class Relaxation {
public:
  using ReducedCosts = std::vector<std::vector<Cost>>; // of all sets, by node
  using Marks = std::vector<std::vector<char>>;        // some of the sets, by node

  // Without rows and columns. limits: of the search, or null; must outlive all copies.
  explicit Relaxation(std::shared_ptr<const CostProblem<Words>> problem,
                      const LimitSource<Words> *limits = nullptr);

  const CostProblem<Words> &problem() const { return *problem_; }
  const LimitSource<Words> *limits() const { return limits_; }
  std::size_t row_count() const { return rows_.size(); }
  std::size_t column_count() const;
  double work() const { return work_; } // done so far, in sets examined, about

  // --- columns ---

  // The cheapest sets of every node.
  void add_cheapest_columns(std::size_t of_each);
  // The sets of one network, which drop_bad_columns() never drops: with them the program has a
  // solution, and so no unbounded dual. False if there is no network.
  bool add_columns_of_a_network();
  // Sets within the window of their node's least reduced cost; so many of a node at most.
  void add_good_columns(const ReducedCosts &costs, Cost window, std::size_t most);
  // Sets without weight that are farther than the window from their node's least reduced cost; so
  // many of a node stay at least.
  void drop_bad_columns(const ReducedCosts &costs, Cost window, std::size_t least);

  // --- rows ---

  // The dual's, with its multipliers.
  void add_rows(const Dual<Words> &dual);
  // Rows that the weights violate; more effort (0, 1, ...) seeks longer. Returns how many were
  // added. Rows that had no multiplier for some rounds are discarded before.
  std::size_t separate(unsigned effort, Watch &watch);

  // --- optimising ---

  // Approaches the optimum from where it stands, by so many steps at most.
  void approach(unsigned steps, double tolerance, Watch &watch);
  // The program, at the basis that take() left, and the cheapest columns where there is none.
  DualSimplex simplex() const;
  // Weights, multipliers and basis of the simplex method, which began as simplex().
  void take(const DualSimplex &simplex);
  // Calls visit(column of the program, node, index of its set).
  template <class Visit> void for_each_column(Visit visit) const {
    std::uint32_t j = 0;
    for (Node v = 0; v < problem_->size(); ++v)
      for (const Column &column : columns_[v])
        visit(j++, v, column.index);
  }

  FractionalNetwork<Words> weights() const;
  // The best multipliers that were found last.
  Dual<Words> dual() const;
  ReducedCosts reduced(const Dual<Words> &dual) const;
  // The work of reduced(): all sets of every member of a cluster are examined.
  double evaluation_work(const Dual<Words> &dual) const;
  // The dual's bound, from these reduced costs.
  Cost bound(const Dual<Words> &dual, const ReducedCosts &costs) const;

  // Leaves the marked sets of the problem. Sets that are basic columns should be among them. False
  // if they admit no network.
  bool restrict_to(const Marks &marked);
  // The sets that are basic columns.
  Marks basic_sets() const;

private:
  // A cluster, or a group cut if that has nodes, or a limit if that has requirements: all nodes of
  // these are in the cluster.
  struct Inequality {
    Cluster<Words> cluster;
    GroupCut cut;
    Limit<Words> limit;

    bool is_limit() const { return !limit.requirements.empty(); }
    bool is_cluster() const { return cut.nodes.empty() && !is_limit(); }
    double rhs() const {
      return is_limit() ? -static_cast<double>(limit.most) : is_cluster() ? cluster.k : 1;
    }
    double coefficient(Node v, const BitSet<Words> &set) const;
  };

  struct Row {
    std::shared_ptr<const Inequality> inequality;
    double price = 0;      // in the present iterate
    double best_price = 0; // in the best dual found last
    unsigned idle = 0;     // rounds without a multiplier
    bool basic = true;     // its surplus
  };

  struct Column {
    std::uint32_t index; // of the set
    double weight = 0;
    bool basic = false;
  };

  void add(const Cluster<Words> &cluster, double price);
  void add(GroupCut cut, double price);
  void add(Limit<Words> limit, double price);
  void add_column(Node v, std::uint32_t i);
  bool is_row(const Cluster<Words> &cluster) const;
  SimplexProgram assemble() const;
  double safe_scale() const;
  void discard_idle();
  void add_violated_clusters(const FractionalNetwork<Words> &network, unsigned effort,
                             Watch &watch);
  void add_violated_groups(const FractionalNetwork<Words> &network, Watch &watch);
  void add_violated_limits(const FractionalNetwork<Words> &network, Watch &watch);

  std::shared_ptr<const CostProblem<Words>> problem_;
  const LimitSource<Words> *limits_;
  std::vector<std::vector<Column>> columns_; // by node
  std::vector<std::vector<bool>> active_;    // by node: is the set a column?
  std::vector<std::uint32_t> permanent_;     // a set of each node that is never dropped
  std::vector<Row> rows_;
  double primal_weight_ = 0;
  double work_ = 0;
  Random random_{1};
};

} // namespace optbn
