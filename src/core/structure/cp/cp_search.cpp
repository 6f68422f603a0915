#include "core/structure/cp/cp_search.h"

#include "core/base/invariant.h"
#include "core/base/random.h"
#include "core/structure/bounds/dual.h"
#include "core/structure/bounds/exact_costs.h"
#include "core/structure/bounds/greedy_ascent.h"
#include "core/structure/bounds/multipliers.h"
#include "core/structure/engines/closed_set.h"
#include "core/structure/engines/prefix_memo.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>
#include <vector>

namespace optbn {

namespace {

// Estimates the time of calls that are far shorter than two readings of a clock, by timing one in
// many and subtracting the time of the readings.
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
  static constexpr unsigned kEvery = 61;    // odd, so that no loop is in step with it
  static constexpr double kLongest = 10e-6; // beyond, another process had the processor

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
        available_(costs_.size()), price_changes_of_(costs_.size()), best_(task.start),
        memo_(std::min(task.memory_limit, kMemoBytes)), queries_(options.time_queries) {
    for (const CostDomain<Words> &domain : costs_.domains)
      domains_.emplace_back(domain.set, domain.cost, Cost{0}, options.store);
    for (Node v = 0; v < costs_.size(); ++v)
      best_cost_ += costs_.domains[v].cost[best_.choice[v]];
    gap_ = costs_.cost(std::min(task.gap, costs_.units(best_cost_)));
    task_cutoff_ = costs_.cutoff(task.cutoff);
    // Clusters that had a price in an earlier search are tried first.
    for (const Cluster<Words> &cluster : in_costs(task.warm, costs_).clusters)
      if (cluster.k == 1)
        clusters_.push_back({{cluster.nodes, 1, 0}});
  }

  CpProof run() {
    CpProof proof;
    const bool open = propagate_root();
    proof.root = root_multipliers();
    if (open) {
      raise_lower_bound(std::min(bound_, cutoff()));
      branch(kNoCost);
    }
    if (!halted())
      raise_lower_bound(cutoff());
    proof.proved = lower_bound_ >= best_cost_;
    proof.best = best_;
    proof.bound = bound_on_score();
    proof.nodes = nodes_;
    proof.clusters = clusters_found_;
    proof.queries = queries_.calls();
    proof.query_seconds = queries_.seconds();
    return proof;
  }

private:
  // ---- The tree

  // Networks that cost as much or more are of no interest.
  Cost cutoff() const { return std::min(best_cost_ - gap_, task_cutoff_); }

  // Searches all orders that begin with the prefix, whose last node is `last`. `open_bound`: the
  // least bound of the other open nodes of the search tree.
  void explore(Node last, Cost open_bound) {
    ++nodes_;
    if (rest_.empty()) {
      accept_network();
    } else if (propagate(last)) {
      OPTBN_INVARIANT(bound_ == bound_of_prefix(),
                      "a bound is the cost of the prefix, the constant term and the rest's least "
                      "reduced costs");
      raise_lower_bound(std::min({bound_, open_bound, cutoff()}));
      branch(open_bound);
    }
  }

  struct Child {
    Cost bound;
    Node node;
    Rank rank;
  };

  bool halted() { return nodes_ >= task_.node_limit || watch_.stopped(); }

  void branch(Cost open_bound) {
    const std::vector<Child> children = list_children();
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (children[i].bound >= cutoff() || halted())
        return;
      const Cost sibling = i + 1 < children.size() ? children[i + 1].bound : kNoCost;
      append(children[i], std::min(open_bound, sibling));
    }
  }

  // The nodes that can come next, lowest bound first.
  std::vector<Child> list_children() const {
    std::vector<Child> children;
    const std::vector<Set> parents = parents_of_live();
    const auto closed = smallest_closed_set(rest_, [&](unsigned v) { return parents[v]; });
    closed.for_each([&](unsigned v) {
      if (!can_come_next(v))
        return;
      const Domain &domain = domains_[v];
      const Cost bound = bound_ + domain.reduced(available_[v]) - domain.least_reduced();
      children.push_back({bound, static_cast<Node>(v), available_[v]});
    });
    // A node that can have its cheapest live set now gains nothing by a later position.
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

  void append(const Child &child, Cost open_bound) {
    const Node v = child.node;
    const std::size_t mark = trail_.size();
    const std::size_t clusters = clusters_.size();
    const Cost prefix_cost = prefix_cost_, bound = bound_;
    [[maybe_unused]] const std::uint64_t state = kCheckInvariants ? fingerprint() : 0;
    OPTBN_INVARIANT(child.bound >= bound, "no network costs less for beginning with more nodes");
    choice_[v] = child.rank;
    prefix_cost_ += costs_.domains[v].cost[child.rank];
    bound_ = child.bound;
    prefix_.insert(v);
    rest_.erase(v);
    if (!memo_.reached_before(prefix_, prefix_cost_)) {
      explore(v, open_bound);
      undo_to(mark);
      if (!options_.reuse_clusters)
        clusters_.resize(clusters);
    }
    rest_.insert(v);
    prefix_.erase(v);
    bound_ = bound;
    prefix_cost_ = prefix_cost;
    OPTBN_INVARIANT(state == fingerprint(), "undoing restores every domain and every price");
  }

  // The bound of any network of an order that begins with the prefix: the cost of its sets, the
  // constant term of the clusters, and the other nodes' least reduced costs.
  Cost bound_of_prefix() const {
    Cost sum = prefix_cost_;
    for (const PooledCluster &pooled : clusters_)
      sum += pooled.cluster.price;
    rest_.for_each([&](unsigned v) { sum += domains_[v].least_reduced(); });
    return sum;
  }

  // Of all that undo_to() restores. (Clusters that were found since remain, without a price.)
  std::uint64_t fingerprint() const {
    std::uint64_t hash = 0;
    rest_.for_each(
        [&](unsigned v) { hash = 31 * (hash + domains_[v].fingerprint()) + available_[v]; });
    for (const PooledCluster &pooled : clusters_)
      hash += static_cast<std::uint64_t>(pooled.cluster.price) * pooled.cluster.nodes.hash();
    return hash;
  }

  void accept_network() {
    OPTBN_INVARIANT(bound_ == prefix_cost_, "the bound of a network is what it costs");
    OPTBN_INVARIANT(prefix_cost_ < best_cost_ && prefix_cost_ >= lower_bound_,
                    "a better network costs less than the best, and no less than the bound");
    best_cost_ = prefix_cost_;
    best_.score = 0;
    for (Node v = 0; v < costs_.size(); ++v) {
      best_.choice[v] = costs_.domains[v].index[choice_[v]];
      best_.score += task_.problem.domains[v].score[best_.choice[v]];
    }
    task_.report(best_.score, bound_on_score());
  }

  void raise_lower_bound(Cost to) {
    if (to <= lower_bound_)
      return;
    OPTBN_INVARIANT(to <= best_cost_, "the bound stays at or below what the best network costs");
    lower_bound_ = to;
    task_.report(best_.score, bound_on_score());
  }

  double bound_on_score() const {
    return lower_bound_ >= best_cost_ ? best_.score
                                      : std::max(best_.score, costs_.score(lower_bound_));
  }

  // ---- Propagation; each returns false when no better network begins with the prefix

  // Sets are removed before prices change, which costs time for each set.
  bool propagate(Node last) {
    prune_domains(last);
    satisfy_clusters_of(last);
    if (!make_consistent() || !raise_least_reduced_costs() || !ascend())
      return false;
    filter();
    return true;
  }

  // Nothing is undone at the root, where more effort pays.
  bool propagate_root() {
    ++nodes_;
    prune_domains();
    if (!make_consistent() || !raise_least_reduced_costs() || !ascend() || !polish())
      return false;
    filter();
    rebuild_domains();
    return true;
  }

  Multipliers root_multipliers() const {
    Dual<Words> dual;
    for (const PooledCluster &pooled : clusters_)
      if (pooled.cluster.price > 0)
        dual.clusters.push_back(pooled.cluster);
    return in_units(dual, costs_);
  }

  // Builds the domains again from the live sets, so that they are smaller.
  void rebuild_domains() {
    trail_.clear();
    for (Node v = 0; v < costs_.size(); ++v) {
      const CostDomain<Words> &all = costs_.domains[v];
      CostDomain<Words> live;
      std::vector<Cost> reduced;
      for (Rank rank = 0; rank < all.size(); ++rank)
        if (domains_[v].is_live(rank)) {
          live.cost.push_back(all.cost[rank]);
          live.set.push_back(all.set[rank]);
          live.index.push_back(all.index[rank]);
          reduced.push_back(domains_[v].reduced(rank));
        }
      domains_[v] = Domain(live.set, reduced, domains_[v].least_reduced(), options_.store);
      costs_.domains[v] = std::move(live);
    }
    for (PooledCluster &pooled : clusters_)
      pooled.witness = kNoSet;
    prune_domains(); // ranks have changed
    may_contain_ = parents_of_live();
  }

  // Removes sets that cost more than one inside the prefix.
  void prune_domains() {
    rest_.for_each([&](unsigned v) {
      const Rank cheapest = queries_([&] { return domains_[v].cheapest_inside(prefix_); });
      available_[v] = cheapest;
      if (cheapest != kNoSet)
        remove_if(v, [cheapest](Rank rank, const Set &, Cost) { return rank > cheapest; });
    });
  }

  // The same, after one more node has been appended, and what filter() would remove.
  void prune_domains(Node last) {
    const Cost slack = cutoff() - bound_;
    rest_.for_each([&](unsigned v) {
      if (domains_[v].live() == 1 && can_come_next(v))
        return;
      if (may_contain_[v].contains(last)) {
        const Rank cheapest = queries_([&] { return domains_[v].cheapest_inside(prefix_); });
        if (cheapest < available_[v]) {
          trail_.push_back({Change::available, static_cast<Node>(v), available_[v], 0});
          available_[v] = cheapest;
        }
      }
      const Rank cheapest = available_[v];
      const Cost limit = slack + domains_[v].least_reduced();
      remove_if(v, [=](Rank rank, const Set &, Cost reduced) {
        return rank > cheapest || reduced >= limit;
      });
    });
  }

  // Could v come next?
  bool can_come_next(unsigned v) const {
    return available_[v] != kNoSet && domains_[v].is_live(available_[v]);
  }

  // Generalised arc consistency of acyclicity: a set of v is supported if and only if it is inside
  // the closure to which v is never added (the rest follows any solution's order). Removing
  // unsupported sets changes no closure, so once is enough.
  bool make_consistent() {
    std::vector<Set> needs(costs_.size()); // the nodes through which v is reached
    Set ordered = prefix_;
    rest_.for_each([&](unsigned v) {
      if (can_come_next(v))
        ordered.insert(v);
    });
    if (ordered == all_)
      return true;
    const Set reached = closure(ordered, all_ - ordered, [&](unsigned v, const Set &allowed) {
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
        remove_unsupported(v, dependants[v]);
    });
    return true;
  }

  // The nodes that were reached through v may be reached without it; where not, v has no such
  // parent.
  void remove_unsupported(unsigned v, const Set &dependants) {
    Set ordered = all_ - dependants;
    ordered.erase(v);
    const auto has_live_inside = [&](unsigned w, const Set &allowed) {
      return live_inside(w, allowed) != kNoSet;
    };
    const Set unreached = dependants - closure(ordered, dependants, has_live_inside);
    if (!unreached.empty())
      remove_if(v, [&](Rank, const Set &set, Cost) { return set.intersects(unreached); });
  }

  // A domain without zero sets has a higher least reduced cost, and with it the bound rises.
  bool raise_least_reduced_costs() {
    bool possible = true;
    rest_.for_each([&](unsigned v) {
      Domain &domain = domains_[v];
      possible = possible && domain.live() > 0;
      if (!possible || domain.has_zero())
        return;
      trail_.push_back({Change::least_reduced, static_cast<Node>(v), 0, domain.least_reduced()});
      bound_ -= domain.least_reduced();
      domain.raise_least_reduced();
      bound_ += domain.least_reduced();
    });
    return possible && bound_ < cutoff();
  }

  // Greedy ascent on the dual, first by the clusters that were found before.
  bool ascend() {
    if (options_.reuse_clusters)
      for (PooledCluster &pooled : clusters_)
        if (violated(pooled) && !raise_price(pooled, least_slack(*this, pooled.cluster.nodes)))
          return false;
    greedy_ascent(prefix_, rest_, *this, [](unsigned) {});
    return bound_ < cutoff();
  }

public: // the store of greedy_ascent()
  bool has_tight_inside(unsigned v, const Set &allowed) const {
    return zero_inside(v, allowed) != kNoSet;
  }
  Cost slack_outside(unsigned v, const Set &cluster) const {
    return domains_[v].slack_outside(cluster);
  }
  Rank tight_count(unsigned v) const { return domains_[v].zeros(); }
  const Set *tight_outside(unsigned v, const Set &cluster) const {
    const Rank rank = queries_([&] { return domains_[v].cheapest_zero_inside(all_ - cluster); });
    return rank == kNoSet ? nullptr : &domains_[v].set(rank);
  }
  Rank tight_count_outside(unsigned v, const Set &cluster) const {
    return queries_([&] { return domains_[v].zeros_inside(all_ - cluster); });
  }
  Set violated_within(const Set &blocked) {
    ++clusters_found_;
    return grown_cluster(blocked, *this);
  }
  bool raise(const Set &nodes, Cost amount) {
    PooledCluster pooled;
    pooled.cluster.nodes = nodes;
    clusters_.push_back(pooled);
    return raise_price(clusters_.back(), amount) && !watch_.stopped();
  }

private:
  // Greedy ascent ends where no single price can rise. From there a local search continues: remove
  // a few prices, ascend again, by and large small clusters first, and accept a bound that is
  // hardly worse. Ends when many rounds close too little of the gap.
  bool polish() {
    constexpr unsigned kRounds = 200, kRemoved = 16;
    constexpr double kWorthwhile = 0.05, kAcceptedLoss = 0.003; // fractions of the gap
    const auto gap = [this] { return static_cast<double>(cutoff() - bound_); };
    Random random(watch_.host().seed(0));
    Cost before;
    do {
      before = bound_;
      for (unsigned round = 0; round < kRounds && !watch_.stopped(); ++round) {
        trail_.clear();
        const Cost bound = bound_;
        if (!remove_prices(kRemoved, random) || !ascend(roughly_by_size(random)))
          return false;
        if (static_cast<double>(bound - bound_) > kAcceptedLoss * gap()) {
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

  // The clusters by size, plus a random number of up to a few nodes.
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
  bool remove_prices(unsigned most, Random &random) {
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
    return raise_least_reduced_costs();
  }

  bool ascend(const std::vector<std::uint32_t> &order) {
    for (const std::uint32_t c : order)
      if (violated(clusters_[c]) &&
          !raise_price(clusters_[c], least_slack(*this, clusters_[c].cluster.nodes)))
        return false;
    return ascend();
  }

  // Removes sets that no better network contains, by their reduced costs.
  void filter() {
    rest_.for_each([&](unsigned v) {
      const Cost limit = cutoff() - bound_ + domains_[v].least_reduced();
      remove_if(v, [limit](Rank, const Set &, Cost reduced) { return reduced >= limit; });
    });
  }

  // ---- Clusters

  struct PooledCluster {
    Cluster<Words> cluster;
    // A zero set of a member, disjoint from the cluster, when last seen: while it is a zero set,
    // the cluster is not violated.
    Node member = 0;
    Rank witness = kNoSet;
  };

  // Does each member's every zero set meet the cluster?
  bool violated(PooledCluster &pooled) {
    const Set &nodes = pooled.cluster.nodes;
    if (nodes.intersects(prefix_) ||
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

  // False when the bound reaches the cutoff.
  bool raise_price(PooledCluster &pooled, Cost amount) {
    bound_ += amount;
    if (amount == kNoCost || (bound_ >= cutoff() && !prefix_.empty()))
      return false;
    change_price(static_cast<std::uint32_t>(&pooled - clusters_.data()), amount);
    return bound_ < cutoff();
  }

  // A cluster that a node of the prefix satisfies, and its price before.
  struct SatisfiedCluster {
    std::uint32_t cluster;
    Cost price;
  };

  // A node of the prefix has a set disjoint from all clusters that it is in: their right-hand sides
  // are 0, and their prices are removed. Each domain is changed once for all of them.
  void satisfy_clusters_of(Node v) {
    const std::size_t before = satisfied_.size();
    for (std::uint32_t c = 0; c < clusters_.size(); ++c) {
      const Cluster<Words> &cluster = clusters_[c].cluster;
      if (cluster.price > 0 && cluster.nodes.contains(v)) {
        satisfied_.push_back({c, cluster.price});
        clusters_[c].cluster.price = 0;
      }
    }
    trail_.push_back({Change::satisfaction, v, static_cast<std::uint32_t>(before), 0});
    change_prices_of_satisfied(before, -1);
  }

  void change_prices_of_satisfied(std::size_t from, Cost sign) {
    for (std::size_t i = from; i < satisfied_.size(); ++i) {
      const Set &nodes = clusters_[satisfied_[i].cluster].cluster.nodes;
      (nodes & rest_).for_each([&](unsigned w) {
        price_changes_of_[w].push_back({nodes, sign * satisfied_[i].price});
      });
    }
    rest_.for_each([&](unsigned w) {
      if (!price_changes_of_[w].empty())
        domains_[w].change_prices(price_changes_of_[w]);
      price_changes_of_[w].clear();
    });
  }

  void change_price(std::uint32_t c, Cost amount) {
    add_to_price(clusters_[c].cluster, amount);
    trail_.push_back({Change::price, 0, c, amount});
  }

  void add_to_price(Cluster<Words> &cluster, Cost amount) {
    price_changes_.assign(1, {cluster.nodes, amount});
    (cluster.nodes - prefix_).for_each([&](unsigned v) {
      domains_[v].change_prices(price_changes_);
    });
    cluster.price += amount;
    OPTBN_INVARIANT(cluster.price >= 0, "prices are not negative");
  }

  // ---- Queries

  Rank live_inside(unsigned v, const Set &allowed) const {
    return queries_([&] { return domains_[v].live_inside(allowed); });
  }
  Rank zero_inside(unsigned v, const Set &allowed) const {
    return queries_([&] { return domains_[v].zero_inside(allowed); });
  }

  // ---- The trail

  struct Change {
    enum Kind : std::uint16_t { removal, least_reduced, price, satisfaction, available } kind;
    Node node;
    // How many sets were live, the cluster, how many were satisfied, the former available set.
    std::uint32_t index;
    Cost cost; // the former least reduced cost, or the change of the price
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
      case Change::least_reduced:
        domains_[change.node].restore_least_reduced(change.cost);
        break;
      case Change::price:
        add_to_price(clusters_[change.index].cluster, -change.cost);
        break;
      case Change::available:
        available_[change.node] = change.index;
        break;
      case Change::satisfaction:
        change_prices_of_satisfied(change.index, 1);
        for (; satisfied_.size() > change.index; satisfied_.pop_back())
          clusters_[satisfied_.back().cluster].cluster.price = satisfied_.back().price;
        break;
      }
    }
  }

  const ProofTask &task_;
  const CpOptions &options_;
  Watch &watch_;
  CostProblem<Words> costs_; // after the root without the sets that it removed
  std::vector<Domain> domains_;
  const Set all_;

  // The prefix: its nodes, the others, the sets chosen, their cost, and the least cost of any
  // network that begins with it.
  Set prefix_, rest_;
  std::vector<Rank> choice_;
  Cost prefix_cost_ = 0, bound_ = 0;
  std::vector<Rank> available_;  // each node's cheapest live set inside the prefix
  std::vector<Set> may_contain_; // all that a node's sets contain after the root

  std::vector<PooledCluster> clusters_;
  std::vector<SatisfiedCluster> satisfied_; // by the nodes of the prefix, one after the other
  std::vector<Change> trail_;
  // Scratch: changes of prices that a domain applies together.
  std::vector<PriceChange<Words>> price_changes_;
  std::vector<std::vector<PriceChange<Words>>> price_changes_of_;

  Network best_;
  Cost best_cost_ = 0, lower_bound_ = -1; // of best_; no network costs less
  Cost gap_, task_cutoff_;                // task_cutoff_: from the task's cutoff on the score
  PrefixMemo<Words> memo_;
  mutable Stopwatch queries_;
  double nodes_ = 0, clusters_found_ = 0;
};

} // namespace

CpProof cp_search(const ProofTask &task, const CpOptions &options, Watch &watch) {
  return with_width(task.problem.words,
                    [&](auto words) { return CpSearch<words>(task, options, watch).run(); });
}

} // namespace optbn
