// Frontier: what the workers of a search over orders share - the best network, the prefixes that
// still wait to be searched, and those that were reached before.
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
  Cost bound; // no network that begins so costs less
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
    const Cost dearest = problem.dearest(task.floor);
    upper_ = std::min(cost, dearest);
    has_best_ = cost <= dearest;
    waiting_.emplace(0, std::vector<Node>());
  }

  // What a network of interest costs less than: the cost of the best network, or of the floor.
  Cost upper() const { return upper_.load(std::memory_order_relaxed); }

  bool first_visit(const BitSet<Words> &prefix, Cost paid) {
    const std::lock_guard<std::mutex> lock(guard_);
    return !memo_.reached_before(prefix, paid);
  }

  // The network in which every node takes its best set among those before it.
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
    if (cost >= upper_)
      return;
    OPTBN_INVARIANT(cost >= lower(), "no network costs less than the bound");
    upper_ = cost;
    has_best_ = true;
    best_.choice = std::move(choice);
    best_.score = 0;
    for (Node v = 0; v < problem_.size(); ++v)
      best_.score += task_.problem.domains[v].score[best_.choice[v]];
    tell();
  }

  // A bound on the optimum from elsewhere.
  void raise_bound(Cost bound) {
    const std::lock_guard<std::mutex> lock(guard_);
    floor_ = std::max(floor_, bound);
    tell();
  }

  // From now on prefixes are given out until so many more nodes have been entered, or so many more
  // sets looked at, about.
  void allow(double nodes, double work) {
    const std::lock_guard<std::mutex> lock(guard_);
    last_node_ = std::min(nodes_ + nodes, task_.node_limit);
    last_work_ = work_ + work;
  }

  // Is there anything left to do?
  bool open(Watch &watch) {
    const std::lock_guard<std::mutex> lock(guard_);
    return !watch.stopped() && !satisfied() && lower() < upper_;
  }

  // The waiting prefix of lowest bound, once there is one; false when nothing is left to do,
  // or allowed.
  bool take(OpenPrefix &prefix, Watch &watch) {
    std::unique_lock<std::mutex> lock(guard_);
    while (!watch.stopped() && !satisfied() && nodes_ < last_node_ && work_ < last_work_) {
      if (!waiting_.empty() && waiting_.begin()->first < upper_) {
        prefix = {std::move(waiting_.begin()->second), waiting_.begin()->first};
        waiting_.erase(waiting_.begin());
        running_.insert(prefix.bound);
        tell();
        return true;
      }
      if (running_.empty())
        break;
      changed_.wait_for(lock, std::chrono::milliseconds(20));
    }
    changed_.notify_all();
    return false;
  }

  // A prefix is done after so many nodes of the search tree and sets looked at, but for what is
  // left open below it.
  void finish(const OpenPrefix &prefix, std::vector<OpenPrefix> left, double nodes, double work) {
    const std::lock_guard<std::mutex> lock(guard_);
    for (OpenPrefix &open : left) {
      OPTBN_INVARIANT(open.bound >= prefix.bound, "what is left below a prefix costs no less");
      waiting_.emplace(open.bound, std::move(open.order));
    }
    running_.erase(running_.find(prefix.bound));
    nodes_ += nodes;
    work_ += work;
    changed_.notify_all();
  }

  // What is known, once the workers are gone.
  Proof conclude() const {
    Proof proof;
    proof.best = best_;
    proof.proved = has_best_ && lower() >= upper_;
    proof.bound = proof.proved ? best_.score : problem_.score(lower());
    proof.nodes = nodes_;
    return proof;
  }

private:
  // The memo's part of the memory, and what it never exceeds.
  static constexpr double kMemoShare = 0.5, kMostMemory = 64e9;

  Cost lower() const {
    Cost bound = upper_;
    if (!waiting_.empty())
      bound = std::min(bound, waiting_.begin()->first);
    if (!running_.empty())
      bound = std::min(bound, *running_.begin());
    return std::min(std::max(bound, floor_), upper_.load());
  }
  bool satisfied() const {
    return (gap_ > 0 && upper_ - lower() <= gap_) || nodes_ >= task_.node_limit ||
           work_ >= task_.work_limit;
  }
  void tell() { task_.report(best_.score, problem_.score(lower())); }

  const CostProblem<Words> &problem_;
  const ProofTask &task_;
  std::atomic<Cost> upper_;
  const Cost gap_;

  std::mutex guard_; // of all below
  std::condition_variable changed_;
  PrefixMemo<Words> memo_;
  Network best_;
  bool has_best_; // costs upper_; otherwise nothing above the floor is known
  std::multimap<Cost, std::vector<Node>> waiting_; // by bound
  std::multiset<Cost> running_;                    // bounds
  Cost floor_ = 0;                                 // a bound on the optimum, whatever is open
  double nodes_ = 0, work_ = 0;                    // of the tree so far,
  double last_node_ = 0, last_work_ = 0;           // and where it pauses
};

} // namespace optbn
