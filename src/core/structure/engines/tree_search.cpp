#include "core/structure/engines/tree_search.h"

#include "core/structure/bounds/multipliers.h"
#include "core/structure/bounds/root_dual.h"
#include "core/structure/engines/branch_and_cut.h"
#include "core/structure/engines/order_search.h"

#include <algorithm>
#include <limits>

namespace optbn {

namespace {

// Rounds of the dual at first and later, and nodes of the tree after the first rounds. With a
// million sets a node takes a second, as does a round: then the tree may do so many times the work
// of the dual.
constexpr unsigned kFirstRounds = 15, kMoreRounds = 5;
constexpr double kFirstNodes = 10000, kFirstWork = 1e9, kFirstShare = 0.5;
// Where few nodes of the tree prove the best network, the last of the first rounds would take longer
// than these nodes do: so many are tried after so many rounds, with little work.
constexpr unsigned kEarlyRounds = 8;
constexpr double kEarlyNodes = 1000, kEarlyShare = 0.1;

// Branch and cut takes over after a tree of so many nodes for each set within the gap: its linear
// programs grow with the sets.
constexpr double kOrderNodes = 18;
constexpr double kMostSets = 50000; // with more it never does

// Branch and cut optimises its own linear programs: where it is to begin after so many nodes, no
// more rounds are spent on the root.
constexpr double kSoon = 1e5;

template <unsigned Words> class TreeSearch {
public:
  TreeSearch(const ProofTask &task, TreeEngine engine, Watch &watch)
      : task_(task), engine_(engine), watch_(watch), problem_(task.problem, task.cost_bits),
        cutoff_(problem_.cutoff(task.cutoff)), start_(cost_of(task.start)),
        orders_(problem_, task, std::min(start_, cutoff_), start_ <= cutoff_),
        root_(problem_, in_costs(task.warm, problem_), orders_.cutoff(), watch, task.work_limit) {}

  Proof run() {
    if (task_.proof)
      task_.proof->begin();
    first_rounds();
    const bool done = search_orders();
    Proof proof = orders_.conclude();
    if (!proof.proved || root_.bound() >= orders_.cutoff())
      orders_.say_dual(root_.dual()); // which may prove the bound alone
    if (task_.proof)
      task_.proof->end();
    if (!done)
      proof = go_on_by_branch_and_cut(std::move(proof));
    proof.root = in_units(root_.dual(), problem_);
    return proof;
  }

private:
  Cost cost_of(const Network &network) const {
    Cost cost = 0;
    for (Node v = 0; v < problem_.size(); ++v)
      cost += problem_.domains[v].cost[network.choice[v]];
    return cost;
  }

  void improve_root(unsigned rounds) {
    root_pays_ = root_.improve(rounds);
    orders_.raise_bound(root_.bound());
  }

  void first_rounds() {
    // A dual from an earlier search may be good enough.
    if (!task_.warm.clusters.empty() || !task_.warm.groups.empty())
      return improve_root(0);
    improve_root(kEarlyRounds);
    if (engine_ != TreeEngine::branch_and_cut && orders_.unfinished(watch_))
      orders_.run(root_.dual(), kEarlyNodes, kEarlyShare * root_.work(), workers_of(task_, watch_),
                  watch_);
    if (!orders_.unfinished(watch_))
      return;
    orders_.begin_again();
    if (task_.proof) {
      task_.proof->end();
      task_.proof->begin();
    }
    improve_root(kFirstRounds - kEarlyRounds);
  }

  // (Branch and cut begins at the root's bound; what the search over orders has proved remains.)
  Proof go_on_by_branch_and_cut(Proof begun) {
    ProofTask task = task_;
    task.start = std::move(begun.best);
    task.work_limit = std::max(0.0, task_.work_limit - orders_.work());
    task.report = [&](double score, double bound) {
      task_.report(score, std::min(bound, begun.bound));
    };
    const bool has_best = cost_of(task.start) <= orders_.cutoff();
    Proof proof = branch_and_cut(problem_, task, root_, orders_.cutoff(), has_best, watch_);
    if (!proof.proved)
      proof.bound = std::min(proof.bound, begun.bound);
    proof.least_cost = std::max(proof.least_cost, begun.least_cost);
    proof.nodes += begun.nodes;
    proof.branched_on_arcs = true;
    return proof;
  }

  // False where branch and cut shall take over.
  bool search_orders() {
    const unsigned threads = workers_of(task_, watch_);
    for (double times = 1; orders_.unfinished(watch_); times *= 2) {
      const double left = nodes_before_branch_and_cut() - orders_.nodes();
      if (left <= kSoon) {
        if (left > 0)
          orders_.run(root_.dual(), left, task_.work_limit, threads, watch_);
        return !orders_.unfinished(watch_);
      }
      if (root_pays_)
        orders_.run(root_.dual(), times * kFirstNodes,
                    std::max(kFirstWork, times * kFirstShare * root_.work()), threads, watch_);
      else
        orders_.run(root_.dual(), left, task_.work_limit, threads, watch_);
      orders_.log(watch_);
      if (root_pays_ && orders_.unfinished(watch_))
        improve_root(kMoreRounds);
    }
    return true;
  }

  double nodes_before_branch_and_cut() const {
    constexpr double never = std::numeric_limits<double>::infinity();
    if (engine_ == TreeEngine::orders)
      return never;
    if (engine_ == TreeEngine::branch_and_cut)
      return 0;
    const double sets = sets_within(problem_, root_.dual(), orders_.cutoff() - root_.bound());
    return sets <= kMostSets ? kOrderNodes * sets : never;
  }

  const ProofTask &task_;
  const TreeEngine engine_;
  Watch &watch_;
  const CostProblem<Words> problem_;
  const Cost cutoff_, start_; // of the task, and of the network that it begins with
  OrderSearch<Words> orders_;
  RootDual<Words> root_;
  bool root_pays_ = true;
};

} // namespace

Proof tree_search(const ProofTask &task, TreeEngine engine, Watch &watch) {
  return with_width(task.problem.words,
                    [&](auto words) { return TreeSearch<words>(task, engine, watch).run(); });
}

} // namespace optbn
