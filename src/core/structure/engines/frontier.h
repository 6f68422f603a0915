// Frontier: what the workers of a search over orders share: the best network, the queue of prefixes
// that are still to be searched, and the prefixes that were reached before.
//
// The lowest bound among waiting and running prefixes, or the best network's cost if that is lower,
// bounds the optimum at any moment. Thread-safe.
#pragma once

#include "core/base/invariant.h"
#include "core/structure/bounds/exact_costs.h"
#include "core/structure/engines/prefix_memo.h"
#include "core/structure/prover.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace optbn {

struct OpenPrefix {
  std::vector<Node> order;
  Cost bound; // no network of an order that begins with it costs less
};

template <unsigned Words> class Frontier {
public:
  // Begins with the empty prefix.
  Frontier(const CostProblem<Words> &problem, const ProofTask &task)
      : problem_(problem), task_(task), gap_(problem.cost(task.gap)),
        memo_(std::min(kMemoShare * task.memory_limit, kMostMemory)), best_(task.start) {
    Cost cost = 0;
    for (Node v = 0; v < problem.size(); ++v)
      cost += problem.domains[v].cost[task.start.choice[v]];
    const Cost task_cutoff = problem.cutoff(task.cutoff);
    cutoff_ = std::min(cost, task_cutoff);
    has_best_ = cost <= task_cutoff;
    waiting_.emplace(0, std::vector<Node>());
  }

  // Networks that cost as much or more are of no interest: the cost of the best network, or of the
  // task's cutoff.
  Cost cutoff() const { return cutoff_.load(std::memory_order_relaxed); }

  bool first_visit(const BitSet<Words> &prefix, Cost cost) {
    const std::lock_guard<std::mutex> lock(guard_);
    return !memo_.reached_before(prefix, cost);
  }

  // The network in which every node has its best set among the nodes before it.
  void offer(const std::vector<Node> &order) {
    std::vector<std::uint32_t> choice(problem_.size());
    BitSet<Words> before;
    Cost cost = 0;
    for (const Node v : order) {
      const CostDomain<Words> &domain = problem_.domains[v];
      std::size_t i = 0;
      while (!domain.set[i].inside(before))
        ++i;
      choice[v] = domain.index[i];
      cost += domain.cost[i];
      before.insert(v);
    }
    const std::lock_guard<std::mutex> lock(guard_);
    if (cost >= cutoff_)
      return;
    OPTBN_INVARIANT(cost >= lower_bound(), "no network costs less than the bound");
    cutoff_ = cost;
    has_best_ = true;
    best_.choice = std::move(choice);
    best_.score = 0;
    for (Node v = 0; v < problem_.size(); ++v)
      best_.score += task_.problem.domains[v].score[best_.choice[v]];
    report();
  }

  // A bound on the optimum that does not come from prefixes: that of the root's dual.
  void raise_bound(Cost bound) {
    const std::lock_guard<std::mutex> lock(guard_);
    root_bound_ = std::max(root_bound_, bound);
    report();
  }

  // From now on pop() gives out prefixes until so many more nodes of the search tree have been
  // visited, or so many more sets examined, about.
  void pause_after(double nodes, double work) {
    const std::lock_guard<std::mutex> lock(guard_);
    last_node_ = std::min(nodes_ + nodes, task_.node_limit);
    last_work_ = work_ + work;
  }

  // Is there anything left to do?
  bool unfinished(Watch &watch) {
    const std::lock_guard<std::mutex> lock(guard_);
    return !watch.stopped() && !satisfied() && lower_bound() < cutoff_;
  }

  // The waiting prefix of lowest bound, once there is one; false when nothing is left to do, or the
  // search pauses.
  bool pop(OpenPrefix &prefix, Watch &watch) {
    std::unique_lock<std::mutex> lock(guard_);
    while (!watch.stopped() && !satisfied() && nodes_ < last_node_ && work_ < last_work_) {
      if (!waiting_.empty() && waiting_.begin()->first < cutoff_) {
        prefix = {std::move(waiting_.begin()->second), waiting_.begin()->first};
        waiting_.erase(waiting_.begin());
        running_.insert(prefix.bound);
        report();
        return true;
      }
      if (running_.empty())
        break;
      changed_.wait_for(lock, std::chrono::milliseconds(20));
    }
    changed_.notify_all();
    return false;
  }

  // A prefix has been searched, in so many nodes of the search tree and sets examined, except for
  // the prefixes below it that are postponed.
  void finish(const OpenPrefix &prefix, std::vector<OpenPrefix> postponed, double nodes,
              double work) {
    const std::lock_guard<std::mutex> lock(guard_);
    for (OpenPrefix &open : postponed) {
      OPTBN_INVARIANT(open.bound >= prefix.bound, "prefixes below a prefix cost no less");
      waiting_.emplace(open.bound, std::move(open.order));
    }
    running_.erase(running_.find(prefix.bound));
    nodes_ += nodes;
    work_ += work;
    changed_.notify_all();
  }

  void log(Watch &watch) {
    const std::lock_guard<std::mutex> lock(guard_);
    watch.log("tree", {{"nodes", nodes_},
                       {"open", static_cast<double>(waiting_.size())},
                       {"score", best_.score},
                       {"bound", problem_.score(lower_bound())}});
  }

  // The result, once the workers have ended.
  Proof conclude() const {
    Proof proof;
    proof.best = best_;
    proof.proved = has_best_ && lower_bound() >= cutoff_;
    proof.bound = proof.proved ? best_.score : problem_.score(lower_bound());
    proof.nodes = nodes_;
    return proof;
  }

private:
  // The memo's share of the memory, and what it never exceeds.
  static constexpr double kMemoShare = 0.5, kMostMemory = 64e9;

  Cost lower_bound() const {
    Cost bound = cutoff_;
    if (!waiting_.empty())
      bound = std::min(bound, waiting_.begin()->first);
    if (!running_.empty())
      bound = std::min(bound, *running_.begin());
    return std::min(std::max(bound, root_bound_), cutoff_.load());
  }
  bool satisfied() const {
    return (gap_ > 0 && cutoff_ - lower_bound() <= gap_) || nodes_ >= task_.node_limit ||
           work_ >= task_.work_limit;
  }
  void report() { task_.report(best_.score, problem_.score(lower_bound())); }

  const CostProblem<Words> &problem_;
  const ProofTask &task_;
  std::atomic<Cost> cutoff_;
  const Cost gap_;

  std::mutex guard_; // of all below
  std::condition_variable changed_;
  PrefixMemo<Words> memo_;
  Network best_;
  bool has_best_; // it costs cutoff_; otherwise no network above the task's cutoff is known
  std::multimap<Cost, std::vector<Node>> waiting_; // by bound
  std::multiset<Cost> running_;                    // bounds
  Cost root_bound_ = 0;                            // a bound on the optimum, whatever prefixes wait
  double nodes_ = 0, work_ = 0;                    // of the tree so far,
  double last_node_ = 0, last_work_ = 0;           // and where it pauses
};

} // namespace optbn
