// Frontier: what the workers of a tree search share: the best network, and the queue of subproblems
// that are still to be searched.
//
// The lowest bound among waiting and running subproblems, or the best network's cost if that is
// lower, bounds the optimum at any moment. Thread-safe.
#pragma once

#include "core/base/invariant.h"
#include "core/structure/bounds/exact_costs.h"
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

// Open: a subproblem, of which no network costs less than its `bound`.
template <unsigned Words, class Open> class Frontier {
public:
  // Networks that cost `cutoff` or more are of no interest; has_best: the task's start costs as
  // much. Once more than so many subproblems wait, the newest is searched first instead of the one
  // of lowest bound, so that memory grows with the depth of the tree only.
  Frontier(const CostProblem<Words> &problem, const ProofTask &task, Cost cutoff, bool has_best,
           std::size_t most_waiting = ~std::size_t{0})
      : problem_(problem), task_(task), cutoff_(cutoff), gap_(problem.cost(task.gap)),
        most_waiting_(most_waiting), best_(task.start), has_best_(has_best) {}

  // Networks that cost as much or more are of no interest: the cost of the best network, or of the
  // task's cutoff.
  Cost cutoff() const { return cutoff_.load(std::memory_order_relaxed); }

  // A network, its sets as indices of the task's problem.
  void offer(Cost cost, std::vector<std::uint32_t> choice) {
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

  const CostProblem<Words> &problem() const { return problem_; }

  void add(Open open) {
    const std::lock_guard<std::mutex> lock(guard_);
    wait(std::move(open));
  }

  // In place of all that waits: the whole problem again.
  void begin_again(Open whole) {
    const std::lock_guard<std::mutex> lock(guard_);
    waiting_.clear();
    wait(std::move(whole));
  }

  // A bound on the optimum that does not come from subproblems: that of the root's dual.
  void raise_bound(Cost bound) {
    const std::lock_guard<std::mutex> lock(guard_);
    root_bound_ = std::max(root_bound_, bound);
    report();
  }

  // From now on pop() gives out subproblems until so many more nodes of the search tree have been
  // visited, or so many more sets examined, about.
  void pause_after(double nodes, double work) {
    const std::lock_guard<std::mutex> lock(guard_);
    last_node_ = std::min(nodes_ + nodes, task_.node_limit);
    last_work_ = work_ + work;
  }

  // Runs what one worker does. Should it fail, the others end too: they would wait for the parts of
  // its subproblem.
  template <class Part> void run_worker(Part part) {
    try {
      part();
    } catch (...) {
      const std::lock_guard<std::mutex> lock(guard_);
      failed_ = true;
      changed_.notify_all();
      throw;
    }
  }

  // Is there anything left to do?
  bool unfinished(Watch &watch) {
    const std::lock_guard<std::mutex> lock(guard_);
    return !watch.stopped() && !satisfied() && lower_bound() < cutoff_;
  }

  // Is nothing left that could hold a better network?
  bool exhausted() {
    const std::lock_guard<std::mutex> lock(guard_);
    return lower_bound() >= cutoff_;
  }

  // The next subproblem, once there is one; false when nothing is left to do, or the search pauses.
  bool pop(Open &open, Watch &watch) {
    std::unique_lock<std::mutex> lock(guard_);
    while (!failed_ && !watch.stopped() && !satisfied() && nodes_ < last_node_ &&
           work_ < last_work_) {
      if (!waiting_.empty() && waiting_.begin()->first.first < cutoff_) {
        const auto next = waiting_.size() > most_waiting_ ? newest() : waiting_.begin();
        open = std::move(next->second);
        waiting_.erase(next);
        running_.insert(open.bound);
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

  // A subproblem that had this bound has been searched, in so many nodes of the search tree and
  // sets examined, except for these parts of it.
  void finish(Cost bound, std::vector<Open> parts, double nodes, double work) {
    const std::lock_guard<std::mutex> lock(guard_);
    for (Open &part : parts) {
      part.bound = std::max(part.bound, bound); // what is proved of the whole holds for its parts
      wait(std::move(part));
    }
    running_.erase(running_.find(bound));
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

  double nodes() const { return nodes_; } // once the workers have ended
  double work() const { return work_; }

  // The result, once the workers have ended.
  Proof conclude() const {
    Proof proof;
    proof.best = best_;
    proof.proved = has_best_ && lower_bound() >= cutoff_;
    proof.bound = proof.proved ? best_.score : problem_.score(lower_bound());
    proof.least_cost = lower_bound();
    proof.nodes = nodes_;
    return proof;
  }

private:
  using Waiting = std::map<std::pair<Cost, std::size_t>, Open>; // by bound, then age

  void wait(Open open) { waiting_.emplace(std::make_pair(open.bound, number_++), std::move(open)); }

  typename Waiting::iterator newest() {
    return std::max_element(waiting_.begin(), waiting_.end(), [](const auto &a, const auto &b) {
      return a.first.second < b.first.second;
    });
  }

  Cost lower_bound() const {
    Cost bound = cutoff_;
    if (!waiting_.empty())
      bound = std::min(bound, waiting_.begin()->first.first);
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
  const std::size_t most_waiting_;

  std::mutex guard_; // of all below
  std::condition_variable changed_;
  Network best_;
  bool has_best_; // it costs cutoff_; otherwise no network above the task's cutoff is known
  Waiting waiting_;
  std::size_t number_ = 0;               // of subproblems that waited
  std::multiset<Cost> running_;          // bounds
  Cost root_bound_ = 0;                  // a bound on the optimum, whatever waits
  double nodes_ = 0, work_ = 0;          // of the tree so far,
  double last_node_ = 0, last_work_ = 0; // and where it pauses
  bool failed_ = false;                  // one of the workers
};

} // namespace optbn
