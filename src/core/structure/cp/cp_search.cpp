#include "core/structure/cp/cp_search.h"

#include "core/base/invariant.h"
#include "core/base/random.h"
#include "core/structure/bounds/closure.h"
#include "core/structure/bounds/dual.h"
#include "core/structure/bounds/exact_costs.h"
#include "core/structure/bounds/multipliers.h"
#include "core/structure/engines/prefix_memo.h"

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
  static constexpr unsigned kEvery = 61;    // odd, to stay out of step with loops
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
        available_(costs_.size()), charges_of_(costs_.size()), best_(task.start),
        memo_(std::min(task.memory_limit, kMemoBytes)), queries_(options.time_queries) {
    for (const CostDomain<Words> &domain : costs_.domains)
      domains_.emplace_back(domain.set, domain.cost, Cost{0}, options.store);
    for (Node v = 0; v < costs_.size(); ++v)
      upper_ += costs_.domains[v].cost[best_.choice[v]];
    gap_ = costs_.cost(std::min(task.gap, costs_.units(upper_)));
    dearest_ = costs_.dearest(task.floor);
    // Clusters that an earlier search found worth a price will be tried first.
    for (const Cluster<Words> &cluster : in_costs(task.warm, costs_).clusters)
      if (cluster.k == 1)
        clusters_.push_back({{cluster.nodes, 1, 0}});
  }

  CpProof run() {
    CpProof proof;
    const bool open = propagate_root();
    proof.root = root_multipliers();
    if (open) {
      raise_lower(std::min(bound_, cutoff()));
      branch(kNoCost);
    }
    if (!halted())
      raise_lower(cutoff());
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
  Cost cutoff() const { return std::min(upper_ - gap_, dearest_); }

  // Searches all orders that begin with the prefix, `placed` its last node. `elsewhere`: the least
  // bound of what waits to be searched in other places.
  void explore(Node placed, Cost elsewhere) {
    ++nodes_;
    if (rest_.empty()) {
      adopt();
    } else if (propagate(placed)) {
      OPTBN_INVARIANT(bound_ == paid_and_promised(),
                      "a bound is what is paid, promised by prices, and the floors of the rest");
      raise_lower(std::min({bound_, elsewhere, cutoff()}));
      branch(elsewhere);
    }
  }

  struct Child {
    Cost bound;
    Node node;
    Rank rank;
  };

  bool halted() { return nodes_ >= task_.node_limit || watch_.stopped(); }

  void branch(Cost elsewhere) {
    const std::vector<Child> children = list_children();
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (children[i].bound >= cutoff() || halted())
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

  std::vector<Set> parents_of_live() const {
    std::vector<Set> parents(costs_.size());
    rest_.for_each([&](unsigned v) {
      domains_[v].for_each_live([&](const Set &set, Cost) { parents[v] |= set; });
    });
    return parents;
  }

  // A part of the rest whose live sets are inside it and the prefix: as its nodes need no others,
  // in any order they may as well come first.
  Set smallest_closed_set() const {
    const std::vector<Set> parents = parents_of_live();
    Set smallest = rest_, seen;
    unsigned size = smallest.size();
    rest_.for_each([&](unsigned v) {
      // What is closed and contains a node seen before is no smaller.
      Set closed = Set::of(v), left = closed;
      while (!left.empty() && !closed.meets(seen)) {
        const unsigned u = left.lowest();
        const Set more = parents[u] - prefix_ - closed;
        closed |= more;
        left |= more;
        left.erase(u);
      }
      if (left.empty() && !closed.meets(seen) && closed.size() < size) {
        smallest = closed;
        size = smallest.size();
      }
      seen.insert(v);
    });
    return smallest;
  }

  void place(const Child &child, Cost elsewhere) {
    const Node v = child.node;
    const std::size_t mark = trail_.size();
    const std::size_t clusters = clusters_.size();
    const Cost paid = paid_, bound = bound_;
    [[maybe_unused]] const std::uint64_t state = kCheckInvariants ? fingerprint() : 0;
    OPTBN_INVARIANT(child.bound >= bound, "no network costs less for beginning with more nodes");
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
    OPTBN_INVARIANT(state == fingerprint(), "undoing brings back every domain and every price");
  }

  // What any network that begins with the prefix pays: its own sets, what the prices promise, and
  // for each other node the least that its sets cost beside.
  Cost paid_and_promised() const {
    Cost sum = paid_;
    for (const PooledCluster &pooled : clusters_)
      sum += pooled.cluster.price;
    rest_.for_each([&](unsigned v) { sum += domains_[v].floor(); });
    return sum;
  }

  // Of all that undo_to() brings back. (Clusters that were found since stay, without a price.)
  std::uint64_t fingerprint() const {
    std::uint64_t hash = 0;
    rest_.for_each(
        [&](unsigned v) { hash = 31 * (hash + domains_[v].fingerprint()) + available_[v]; });
    for (const PooledCluster &pooled : clusters_)
      hash += static_cast<std::uint64_t>(pooled.cluster.price) * pooled.cluster.nodes.hash();
    return hash;
  }

  void adopt() {
    OPTBN_INVARIANT(bound_ == paid_, "the bound of a network is what it costs");
    OPTBN_INVARIANT(paid_ < upper_ && paid_ >= lower_,
                    "a better network costs less than the best, and no less than the bound");
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
    OPTBN_INVARIANT(to <= upper_, "the bound stays at or below what the best network costs");
    lower_ = to;
    task_.report(best_.score, bound_on_score());
  }

  double bound_on_score() const {
    return lower_ >= upper_ ? best_.score : std::max(best_.score, costs_.score(lower_));
  }

  // ---- Propagation; each returns false when no better network begins with the prefix

  // Sets go before prices change, which costs time for each set.
  bool propagate(Node placed) {
    cut_domains(placed);
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

  Multipliers root_multipliers() const {
    Dual<Words> dual;
    for (const PooledCluster &pooled : clusters_)
      if (pooled.cluster.price > 0)
        dual.clusters.push_back(pooled.cluster);
    return in_units(dual, costs_);
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
    may_contain_ = parents_of_live();
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

  // The same, after one more node has been placed, and what filter() would remove.
  void cut_domains(Node placed) {
    const Cost slack = cutoff() - bound_;
    rest_.for_each([&](unsigned v) {
      if (domains_[v].live() == 1 && at_hand(v))
        return;
      if (may_contain_[v].contains(placed)) {
        const Rank cheapest = queries_([&] { return domains_[v].cheapest_inside(prefix_); });
        if (cheapest < available_[v]) {
          trail_.push_back({Change::entry, static_cast<Node>(v), available_[v], 0});
          available_[v] = cheapest;
        }
      }
      const Rank cheapest = available_[v];
      const Cost limit = slack + domains_[v].floor();
      remove_if(v, [=](Rank rank, const Set &, Cost reduced) {
        return rank > cheapest || reduced >= limit;
      });
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
    std::vector<Set> dependants(costs_.size());
    rest_.for_each(
        [&](unsigned v) { needs[v].for_each([&](unsigned u) { dependants[u].insert(v); }); });
    rest_.for_each([&](unsigned v) {
      if (!dependants[v].empty())
        require_way_around(v, dependants[v]);
    });
    return true;
  }

  // Those who entered through v may have another way.
  void require_way_around(unsigned v, const Set &dependants) {
    Set standing = all_ - dependants;
    standing.erase(v);
    const auto can_enter = [&](unsigned w, const Set &allowed) {
      return live_inside(w, allowed) != kNoSet;
    };
    const Set behind = dependants - closure(standing, dependants, can_enter);
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
      pooled.cluster.nodes = minimal_cluster(all_, small_cluster(waiting), zero_inside);
      clusters_.push_back(pooled);
      if (!raise_price(clusters_.back()))
        return false;
    }
  }

  Set small_cluster(const Set &stuck) {
    unsigned seed = stuck.lowest();
    Rank fewest = kNoSet;
    stuck.for_each([&](unsigned v) {
      const Rank zeros = domains_[v].zeros();
      if (zeros < fewest) {
        fewest = zeros;
        seed = v;
      }
    });
    const auto missed = [&](unsigned v, const Set &cluster) -> const Set * {
      const Rank rank = queries_([&] { return domains_[v].cheapest_zero_inside(all_ - cluster); });
      return rank == kNoSet ? nullptr : &domains_[v].set(rank);
    };
    const auto misses = [&](unsigned v, const Set &cluster) {
      return queries_([&] { return domains_[v].zeros_inside(all_ - cluster); });
    };
    return grown_cluster(stuck, seed, missed, misses);
  }

  // Greedy ascent ends where no single price can rise. From there a local search goes on: take a
  // few prices off, ascend again, small clusters first on the whole, and keep what is hardly
  // worse. Ends when many rounds close too little of the gap.
  bool polish() {
    constexpr unsigned kRounds = 200, kTakenOff = 16;
    constexpr double kWorthwhile = 0.05, kHardly = 0.003; // parts of the gap
    const auto gap = [this] { return static_cast<double>(cutoff() - bound_); };
    Random random(watch_.host().seed(0));
    Cost before;
    do {
      before = bound_;
      for (unsigned round = 0; round < kRounds && !watch_.stopped(); ++round) {
        trail_.clear();
        const Cost bound = bound_;
        if (!take_off_prices(kTakenOff, random) || !ascend(roughly_by_size(random)))
          return false;
        if (static_cast<double>(bound - bound_) > kHardly * gap()) {
          undo_to(0);
          bound_ = bound;
        }
      }
    } while (static_cast<double>(bound_ - before) > kWorthwhile * gap());
    trail_.clear();
    clusters_.erase(
        std::remove_if(clusters_.begin(), clusters_.end(),
                       [](const PooledCluster &pooled) { return pooled.cluster.price == 0; }),
        clusters_.end());
    return true;
  }

  // The clusters, the smaller the earlier, give or take a few nodes.
  std::vector<std::uint32_t> roughly_by_size(Random &random) const {
    constexpr double kNodes = 4;
    std::vector<std::pair<double, std::uint32_t>> keys;
    for (std::uint32_t c = 0; c < clusters_.size(); ++c)
      keys.push_back({clusters_[c].cluster.nodes.size() + kNodes * random.uniform(), c});
    std::sort(keys.begin(), keys.end());
    std::vector<std::uint32_t> order;
    for (const auto &key : keys)
      order.push_back(key.second);
    return order;
  }

  // Of so many random clusters, or all.
  bool take_off_prices(unsigned most, Random &random) {
    std::vector<std::uint32_t> priced;
    for (std::uint32_t c = 0; c < clusters_.size(); ++c)
      if (clusters_[c].cluster.price > 0)
        priced.push_back(c);
    random.shuffle(priced);
    for (std::size_t i = 0; i < priced.size() && i < most; ++i) {
      const Cost price = clusters_[priced[i]].cluster.price;
      bound_ -= price;
      change_price(priced[i], -price);
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
    OPTBN_INVARIANT(amount > 0, "the bound rises with the price of a cluster that is stuck");
    bound_ += amount;
    if (bound_ >= cutoff() && !prefix_.empty())
      return false;
    change_price(static_cast<std::uint32_t>(&pooled - clusters_.data()), amount);
    return bound_ < cutoff();
  }

  // A cluster that promises nothing more, and its price before.
  struct Dissolved {
    std::uint32_t cluster;
    Cost price;
  };

  // A placed node has a set disjoint from all clusters that it is in: they promise nothing more.
  // Each domain is gone through once for all of them.
  void dissolve_clusters_of(Node v) {
    const std::size_t before = dissolved_.size();
    for (std::uint32_t c = 0; c < clusters_.size(); ++c) {
      const Cluster<Words> &cluster = clusters_[c].cluster;
      if (cluster.price > 0 && cluster.nodes.contains(v)) {
        dissolved_.push_back({c, cluster.price});
        clusters_[c].cluster.price = 0;
      }
    }
    trail_.push_back({Change::dissolution, v, static_cast<std::uint32_t>(before), 0});
    charge_dissolved(before, -1);
  }

  void charge_dissolved(std::size_t from, Cost sign) {
    for (std::size_t i = from; i < dissolved_.size(); ++i) {
      const Set &nodes = clusters_[dissolved_[i].cluster].cluster.nodes;
      (nodes & rest_).for_each([&](unsigned w) {
        charges_of_[w].push_back({nodes, sign * dissolved_[i].price});
      });
    }
    rest_.for_each([&](unsigned w) {
      if (!charges_of_[w].empty())
        domains_[w].charge(charges_of_[w]);
      charges_of_[w].clear();
    });
  }

  void change_price(std::uint32_t c, Cost amount) {
    charge(clusters_[c].cluster, amount);
    trail_.push_back({Change::price, 0, c, amount});
  }

  void charge(Cluster<Words> &cluster, Cost amount) {
    charges_.assign(1, {cluster.nodes, amount});
    (cluster.nodes - prefix_).for_each([&](unsigned v) { domains_[v].charge(charges_); });
    cluster.price += amount;
    OPTBN_INVARIANT(cluster.price >= 0, "prices are not negative");
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
    enum Kind : std::uint16_t { removal, floor, price, dissolution, entry } kind;
    Node node;
    // How many sets were live, the cluster, how many were dissolved, the former available set.
    std::uint32_t index;
    Cost cost; // the former floor, or what was added to the price
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
      case Change::entry:
        available_[change.node] = change.index;
        break;
      case Change::dissolution:
        charge_dissolved(change.index, 1);
        for (; dissolved_.size() > change.index; dissolved_.pop_back())
          clusters_[dissolved_.back().cluster].cluster.price = dissolved_.back().price;
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
  std::vector<Rank> available_;  // each node's cheapest live set inside the prefix
  std::vector<Set> may_contain_; // all that a node's sets contain after the root

  std::vector<PooledCluster> clusters_;
  std::vector<Dissolved> dissolved_; // by the nodes of the prefix, one after the other
  std::vector<Change> trail_;
  // Scratch: what a node is charged at once.
  std::vector<Charge<Words>> charges_;
  std::vector<std::vector<Charge<Words>>> charges_of_;

  Network best_;
  Cost upper_ = 0, lower_ = -1; // of best_; no network costs less
  Cost gap_, dearest_;          // dearest_: what costs more is below the floor
  PrefixMemo<Words> memo_;
  Stopwatch queries_;
  double nodes_ = 0, found_ = 0;
};

} // namespace

CpProof cp_search(const ProofTask &task, const CpOptions &options, Watch &watch) {
  return with_width(task.problem.words,
                    [&](auto words) { return CpSearch<words>(task, options, watch).run(); });
}

} // namespace optbn
