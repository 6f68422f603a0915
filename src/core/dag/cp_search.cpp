#include "core/dag/cp_search.h"

#include "core/base/random.h"
#include "core/dag/closure.h"
#include "core/dag/dual.h"
#include "core/dag/exact_costs.h"
#include "core/dag/prefix_memo.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>
#include <vector>

namespace optbn {

namespace {

// Estimates the time of calls far shorter than it takes to read a clock twice, by timing one in
// many and taking off what the clock itself takes.
class Stopwatch {
public:
  explicit Stopwatch(bool running) : running_(running) {
    if (running)
      for (unsigned i = 0; i < 1000; ++i)
        overhead_ = std::min(overhead_, seconds_of([] {}));
  }

  template <class Call> auto operator()(Call call) {
    ++calls_;
    if (!running_ || calls_ % kEvery != 0)
      return call();
    decltype(call()) result;
    seconds_ += kEvery * (std::min(seconds_of([&] { result = call(); }), kLongest) - overhead_);
    return result;
  }

  double calls() const { return static_cast<double>(calls_); }
  double seconds() const { return seconds_; }

private:
  using Clock = std::chrono::steady_clock;
  static constexpr unsigned kEvery = 61;    // odd, lest it fall into step with some loop
  static constexpr double kLongest = 10e-6; // beyond, somebody else had the processor

  template <class Call> static double seconds_of(Call call) {
    const auto begin = Clock::now();
    call();
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  bool running_;
  std::uint64_t calls_ = 0;
  double overhead_ = 1, seconds_ = 0;
};

constexpr double kMemoBytes = 1e15; // any number that no machine has: "as much as there is"

template <unsigned Words> class CpSearch {
  using Set = BitSet<Words>;
  using Domain = DecisionTree<Words>;

public:
  CpSearch(const ProofTask &task, const CpOptions &options, Watch &watch)
      : task_(task), options_(options), watch_(watch), costs_(task.problem),
        all_(Set::first(costs_.size())), rest_(all_), choice_(costs_.size()),
        available_(costs_.size()), best_(task.start),
        memo_(std::min(task.memory_limit, kMemoBytes)), queries_(options.time_queries) {
    for (const CostDomain<Words> &domain : costs_.domains)
      domains_.emplace_back(domain.set, domain.cost, Cost{0}, options.store);
    for (Node v = 0; v < costs_.size(); ++v)
      upper_ += costs_.domains[v].cost[best_.choice[v]];
    gap_ = costs_.cost(std::min(task.gap, costs_.units(upper_)));
  }

  CpProof run() {
    if (propagate_root()) {
      raise_lower(std::min(bound_, cutoff()));
      branch(kNoCost);
    }
    if (watch_.reason() == StopReason::none)
      raise_lower(cutoff());
    CpProof proof;
    proof.proved = lower_ >= upper_;
    proof.best = best_;
    proof.bound = bound_on_score();
    proof.nodes = nodes_;
    proof.clusters = found_;
    proof.queries = queries_.calls();
    proof.query_seconds = queries_.seconds();
    return proof;
  }

private:
  // ---- The tree

  // Networks that cost as much or more are of no interest.
  Cost cutoff() const { return upper_ - gap_; }

  // Searches all orders that begin with the prefix, `placed` its last node. `elsewhere`: the least
  // bound of what waits to be searched in other places.
  void explore(Node placed, Cost elsewhere) {
    ++nodes_;
    if (rest_.empty()) {
      adopt();
    } else if (propagate(placed)) {
      raise_lower(std::min({bound_, elsewhere, cutoff()}));
      branch(elsewhere);
    }
  }

  struct Child {
    Cost bound;
    Node node;
    Rank rank;
  };

  void branch(Cost elsewhere) {
    const std::vector<Child> children = list_children();
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (children[i].bound >= cutoff() || watch_.stopped())
        return;
      const Cost sibling = i + 1 < children.size() ? children[i + 1].bound : kNoCost;
      place(children[i], std::min(elsewhere, sibling));
    }
  }

  // The nodes that can come next, the most promising first.
  std::vector<Child> list_children() const {
    std::vector<Child> children;
    smallest_closed_set().for_each([&](unsigned v) {
      if (!at_hand(v))
        return;
      const Domain &domain = domains_[v];
      const Cost bound = bound_ + domain.reduced(available_[v]) - domain.floor();
      children.push_back({bound, static_cast<Node>(v), available_[v]});
    });
    // A node whose cheapest live set is at hand gains nothing by waiting.
    for (const Child &child : children)
      if (domains_[child.node].live() == 1)
        return {child};
    std::stable_sort(children.begin(), children.end(),
                     [](const Child &a, const Child &b) { return a.bound < b.bound; });
    return children;
  }

  // A part of the rest whose live sets are inside it and the prefix: as its nodes need no others,
  // in any order they may as well come first.
  Set smallest_closed_set() const {
    std::vector<Set> parents(costs_.size());
    rest_.for_each([&](unsigned v) {
      Set any;
      domains_[v].for_each_live([&](const Set &set, Cost) { any |= set; });
      parents[v] = any;
    });
    Set smallest = rest_;
    rest_.for_each([&](unsigned v) {
      Set closed = Set::of(v);
      for (Set left = closed; !left.empty();) {
        const unsigned u = left.lowest();
        const Set more = parents[u] - prefix_ - closed;
        closed |= more;
        left |= more;
        left.erase(u);
      }
      if (closed.size() < smallest.size())
        smallest = closed;
    });
    return smallest;
  }

  void place(const Child &child, Cost elsewhere) {
    const Node v = child.node;
    const std::size_t mark = trail_.size();
    const std::size_t clusters = clusters_.size();
    const Cost paid = paid_, bound = bound_;
    choice_[v] = child.rank;
    paid_ += costs_.domains[v].cost[child.rank];
    bound_ = child.bound;
    prefix_.insert(v);
    rest_.erase(v);
    if (!memo_.reached_before(prefix_, paid_)) {
      explore(v, elsewhere);
      undo_to(mark);
      if (!options_.reuse_clusters)
        clusters_.resize(clusters);
    }
    rest_.insert(v);
    prefix_.erase(v);
    bound_ = bound;
    paid_ = paid;
  }

  void adopt() {
    upper_ = paid_;
    best_.score = 0;
    for (Node v = 0; v < costs_.size(); ++v) {
      best_.choice[v] = costs_.domains[v].index[choice_[v]];
      best_.score += task_.problem.domains[v].score[best_.choice[v]];
    }
    task_.report(best_.score, bound_on_score());
  }

  void raise_lower(Cost to) {
    if (to <= lower_)
      return;
    lower_ = to;
    task_.report(best_.score, bound_on_score());
  }

  double bound_on_score() const {
    return lower_ >= upper_ ? best_.score : std::max(best_.score, costs_.score(lower_));
  }

  // ---- Propagation; each returns false when no better network begins with the prefix

  // Sets go before prices change, which costs time for each set.
  bool propagate(Node placed) {
    cut_domains();
    filter();
    dissolve_clusters_of(placed);
    if (!make_consistent() || !settle_floors() || !ascend())
      return false;
    filter();
    return true;
  }

  // Nothing is undone at the root, which is worth more effort.
  bool propagate_root() {
    ++nodes_;
    cut_domains();
    if (!make_consistent() || !settle_floors() || !ascend() || !polish())
      return false;
    filter();
    forget_removed();
    return true;
  }

  // Rebuilds the stores, smaller, from what is live.
  void forget_removed() {
    trail_.clear();
    for (Node v = 0; v < costs_.size(); ++v) {
      const CostDomain<Words> &all = costs_.domains[v];
      CostDomain<Words> kept;
      std::vector<Cost> reduced;
      for (Rank rank = 0; rank < all.size(); ++rank)
        if (domains_[v].is_live(rank)) {
          kept.cost.push_back(all.cost[rank]);
          kept.set.push_back(all.set[rank]);
          kept.index.push_back(all.index[rank]);
          reduced.push_back(domains_[v].reduced(rank));
        }
      domains_[v] = Domain(kept.set, reduced, domains_[v].floor(), options_.store);
      costs_.domains[v] = std::move(kept);
    }
    for (PooledCluster &pooled : clusters_)
      pooled.witness = kNoSet;
    cut_domains(); // ranks have changed
  }

  // Removes sets that cost more than one inside the prefix.
  void cut_domains() {
    rest_.for_each([&](unsigned v) {
      const Rank cheapest = queries_([&] { return domains_[v].cheapest_inside(prefix_); });
      available_[v] = cheapest;
      if (cheapest != kNoSet)
        remove_if(v, [cheapest](Rank rank, const Set &, Cost) { return rank > cheapest; });
    });
  }

  // Could v come next?
  bool at_hand(unsigned v) const {
    return available_[v] != kNoSet && domains_[v].is_live(available_[v]);
  }

  // Generalised arc consistency of acyclicity: a set of v is supported if and only if it is inside
  // the closure that never lets v in (the rest follows any solution's order). Removing unsupported
  // sets changes no closure, so once is enough.
  bool make_consistent() {
    std::vector<Set> needs(costs_.size()); // the nodes through which v enters
    Set standing = prefix_;
    rest_.for_each([&](unsigned v) {
      if (at_hand(v))
        standing.insert(v);
    });
    if (standing == all_)
      return true;
    const Set reached = closure(standing, all_ - standing, [&](unsigned v, const Set &allowed) {
      const Rank rank = live_inside(v, allowed);
      if (rank == kNoSet)
        return false;
      (domains_[v].set(rank) - prefix_).for_each([&](unsigned u) {
        needs[v].insert(u);
        needs[v] |= needs[u];
      });
      return true;
    });
    if (reached != all_)
      return false;
    rest_.for_each([&](unsigned v) { require_way_around(v, needs); });
    return true;
  }

  void require_way_around(unsigned v, const std::vector<Set> &needs) {
    Set waiting;
    rest_.for_each([&](unsigned w) {
      if (needs[w].contains(v))
        waiting.insert(w);
    });
    if (waiting.empty())
      return;
    Set standing = all_ - waiting;
    standing.erase(v);
    const Set behind = waiting - closure(standing, waiting, [&](unsigned w, const Set &allowed) {
                         return live_inside(w, allowed) != kNoSet;
                       });
    if (!behind.empty())
      remove_if(v, [&](Rank, const Set &set, Cost) { return set.meets(behind); });
  }

  // A domain whose zero sets are gone has a higher floor, and with it the bound rises.
  bool settle_floors() {
    bool possible = true;
    rest_.for_each([&](unsigned v) {
      Domain &domain = domains_[v];
      possible = possible && domain.live() > 0;
      if (!possible || domain.has_zero())
        return;
      trail_.push_back({Change::floor, static_cast<Node>(v), 0, domain.floor()});
      bound_ -= domain.floor();
      domain.raise_floor();
      bound_ += domain.floor();
    });
    return possible && bound_ < cutoff();
  }

  // Greedy ascent on the dual: prices of clusters rise as long as the zero sets leave a cluster
  // stuck.
  bool ascend() {
    if (options_.reuse_clusters)
      for (PooledCluster &pooled : clusters_)
        if (stuck(pooled) && !raise_price(pooled))
          return false;
    const auto zero_inside = [&](unsigned v, const Set &allowed) {
      return this->zero_inside(v, allowed) != kNoSet;
    };
    for (;;) {
      const Set waiting = rest_ - closure(prefix_, rest_, zero_inside);
      if (waiting.empty() || watch_.stopped())
        return true;
      ++found_;
      PooledCluster pooled;
      pooled.cluster.nodes = minimal_cluster(all_, waiting, zero_inside);
      clusters_.push_back(pooled);
      if (!raise_price(clusters_.back()))
        return false;
    }
  }

  // Greedy ascent ends where no single price can rise. From there a local search goes on: take a
  // few prices off, ascend again, the clusters in another order, and keep what is no worse. Ends
  // when many rounds close too little of the gap.
  bool polish() {
    constexpr unsigned kRounds = 100, kTakenOff = 8;
    constexpr double kWorthwhile = 0.05;
    Random random(watch_.host().seed(0));
    std::vector<std::uint32_t> order;
    Cost before;
    do {
      before = bound_;
      for (unsigned round = 0; round < kRounds && !watch_.stopped(); ++round) {
        order.resize(clusters_.size());
        std::iota(order.begin(), order.end(), 0u);
        random.shuffle(order);
        trail_.clear();
        const Cost bound = bound_;
        if (!take_off_prices(order, kTakenOff))
          return false;
        random.shuffle(order);
        if (!ascend(order))
          return false;
        if (bound_ < bound) {
          undo_to(0);
          bound_ = bound;
        }
      }
    } while (static_cast<double>(bound_ - before) >
             kWorthwhile * static_cast<double>(cutoff() - bound_));
    trail_.clear();
    clusters_.erase(
        std::remove_if(clusters_.begin(), clusters_.end(),
                       [](const PooledCluster &pooled) { return pooled.cluster.price == 0; }),
        clusters_.end());
    return true;
  }

  // Of the first so many clusters in this order that have a price.
  bool take_off_prices(const std::vector<std::uint32_t> &order, unsigned most) {
    for (const std::uint32_t c : order) {
      const Cost price = clusters_[c].cluster.price;
      if (price == 0)
        continue;
      bound_ -= price;
      change_price(c, -price);
      if (--most == 0)
        break;
    }
    return settle_floors();
  }

  bool ascend(const std::vector<std::uint32_t> &order) {
    for (const std::uint32_t c : order)
      if (stuck(clusters_[c]) && !raise_price(clusters_[c]))
        return false;
    return ascend();
  }

  // Removes what no better network contains, by its reduced cost.
  void filter() {
    rest_.for_each([&](unsigned v) {
      const Cost limit = cutoff() - bound_ + domains_[v].floor();
      remove_if(v, [limit](Rank, const Set &, Cost reduced) { return reduced >= limit; });
    });
  }

  // ---- Clusters

  struct PooledCluster {
    Cluster<Words> cluster;
    // A set of a member, disjoint from the cluster, that was last seen to be zero: while it is, the
    // cluster is not stuck.
    Node member = 0;
    Rank witness = kNoSet;
  };

  // Does each member's every zero set meet the cluster?
  bool stuck(PooledCluster &pooled) {
    const Set &nodes = pooled.cluster.nodes;
    if (nodes.meets(prefix_) ||
        (pooled.witness != kNoSet && domains_[pooled.member].is_zero(pooled.witness)))
      return false;
    const Set allowed = all_ - nodes;
    for (Set left = nodes; !left.empty();) {
      const unsigned v = left.lowest();
      left.erase(v);
      const Rank rank = zero_inside(v, allowed);
      if (rank != kNoSet) {
        pooled.member = static_cast<Node>(v);
        pooled.witness = rank;
        return false;
      }
    }
    return true;
  }

  // Of a cluster that is stuck, until it no longer is.
  bool raise_price(PooledCluster &pooled) {
    Cost amount = kNoCost;
    pooled.cluster.nodes.for_each([&](unsigned v) {
      amount = std::min(amount, domains_[v].slack_outside(pooled.cluster.nodes));
    });
    if (amount == kNoCost)
      return false; // no member has a live set disjoint from the cluster
    change_price(static_cast<std::uint32_t>(&pooled - clusters_.data()), amount);
    bound_ += amount;
    return bound_ < cutoff();
  }

  // A placed node has a set disjoint from all clusters that it is in: they promise nothing more.
  void dissolve_clusters_of(Node v) {
    for (std::uint32_t c = 0; c < clusters_.size(); ++c) {
      const Cluster<Words> &cluster = clusters_[c].cluster;
      if (cluster.price > 0 && cluster.nodes.contains(v))
        change_price(c, -cluster.price);
    }
  }

  void change_price(std::uint32_t c, Cost amount) {
    charge(clusters_[c].cluster, amount);
    trail_.push_back({Change::price, 0, c, amount});
  }

  void charge(Cluster<Words> &cluster, Cost amount) {
    (cluster.nodes - prefix_).for_each([&](unsigned v) {
      domains_[v].charge(cluster.nodes, amount);
    });
    cluster.price += amount;
  }

  // ---- Queries

  Rank live_inside(unsigned v, const Set &allowed) {
    return queries_([&] { return domains_[v].live_inside(allowed); });
  }
  Rank zero_inside(unsigned v, const Set &allowed) {
    return queries_([&] { return domains_[v].zero_inside(allowed); });
  }

  // ---- The trail

  struct Change {
    enum Kind : std::uint16_t { removal, floor, price } kind;
    Node node;
    std::uint32_t index; // how many sets were live, or the cluster
    Cost cost;           // the former floor, or what was added to the price
  };

  template <class Test> void remove_if(unsigned v, Test test) {
    const Rank live = domains_[v].live();
    domains_[v].remove_if(test);
    if (domains_[v].live() != live)
      trail_.push_back({Change::removal, static_cast<Node>(v), live, 0});
  }

  void undo_to(std::size_t mark) {
    for (; trail_.size() > mark; trail_.pop_back()) {
      const Change &change = trail_.back();
      switch (change.kind) {
      case Change::removal:
        domains_[change.node].restore(change.index);
        break;
      case Change::floor:
        domains_[change.node].lower_floor(change.cost);
        break;
      case Change::price:
        charge(clusters_[change.index].cluster, -change.cost);
        break;
      }
    }
  }

  const ProofTask &task_;
  const CpOptions &options_;
  Watch &watch_;
  CostProblem<Words> costs_; // after the root without what it removed
  std::vector<Domain> domains_;
  const Set all_;

  // The prefix: its nodes, the others, the sets chosen, their cost, and the least cost of any
  // network that begins with it.
  Set prefix_, rest_;
  std::vector<Rank> choice_;
  Cost paid_ = 0, bound_ = 0;
  std::vector<Rank> available_; // each node's cheapest live set inside the prefix

  std::vector<PooledCluster> clusters_;
  std::vector<Change> trail_;

  Network best_;
  Cost upper_ = 0, lower_ = -1; // of best_; no network costs less
  Cost gap_;
  PrefixMemo<Words> memo_;
  Stopwatch queries_;
  double nodes_ = 0, found_ = 0;
};

} // namespace

CpProof cp_search(const ProofTask &task, const CpOptions &options, Watch &watch) {
  switch (task.problem.words) {
  case 1:
    return CpSearch<1>(task, options, watch).run();
  case 2:
    return CpSearch<2>(task, options, watch).run();
  default:
    return CpSearch<16>(task, options, watch).run();
  }
}

} // namespace optbn
