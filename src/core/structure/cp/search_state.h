// SearchState: a node of the search tree (the prefix of an order, the domains of the other nodes,
// the prices of clusters, the bound), and the trail that undoes its changes.
//
// Every change is made and recorded here; undo_to() takes back what was done since a mark, the last
// change first. No other order is right:
//  - removed sets return by moving the end of the live section, behind which are those that were
//    removed last (decision_tree.h);
//  - a price enters the reduced costs of live sets of nodes outside the prefix. It must leave them
//    while the same sets are live and the same nodes outside; so take_back() undoes all that was
//    done below a node before the node leaves the prefix;
//  - the prices that a node of the prefix has removed are the last ones of a stack.
// Sums are exact, so that every bit returns: fingerprint() tells. Clusters that were found since
// remain, with price 0.
//
// A removal and its undoing cost O(1) a set, a change of price a pass over the live sets of its
// members. Domain: DecisionTree<Words>, or what adds to it.
#pragma once

#include "core/base/invariant.h"
#include "core/structure/bounds/dual.h"
#include "core/structure/cp/decision_tree.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace optbn {

template <class Domain> class SearchState {
public:
  using Set = typename Domain::Set;
  static constexpr unsigned kWords = Domain::kWords;

  SearchState(const Problem &problem, const TreeOptions &store)
      : store_(store), costs_(problem), all_(Set::first(costs_.size())), rest_(all_),
        choice_(costs_.size()), available_(costs_.size(), kNoSet),
        price_changes_of_(costs_.size()) {
    for (const CostDomain<kWords> &domain : costs_.domains)
      domains_.emplace_back(domain.set, domain.cost, Cost{0}, store);
  }

  Node size() const { return costs_.size(); }
  const CostProblem<kWords> &costs() const { return costs_; } // its sets by rank
  const Domain &domain(unsigned v) const { return domains_[v]; }
  const std::vector<Cluster<kWords>> &clusters() const { return clusters_; }

  const Set &all() const { return all_; }
  const Set &prefix() const { return prefix_; }
  const Set &rest() const { return rest_; }
  Rank choice(unsigned v) const { return choice_[v]; } // of a node of the prefix
  Cost prefix_cost() const { return prefix_cost_; }
  Cost bound() const { return bound_; } // no network that begins with the prefix costs less

  // The cheapest set of v inside the prefix (which may have been removed), or kNoSet.
  Rank available(unsigned v) const { return available_[v]; }
  bool can_come_next(unsigned v) const {
    return available_[v] != kNoSet && domains_[v].is_live(available_[v]);
  }

  // Of each node of the rest: all that its live sets contain.
  std::vector<Set> possible_parents() const {
    std::vector<Set> parents(size());
    rest_.for_each([&](unsigned v) {
      domains_[v].for_each_live([&](const Set &set, Cost) { parents[v] |= set; });
    });
    return parents;
  }

  // ---- Changes

  // test(rank, set, reduced cost): is this live set to be removed?
  template <class Test> void remove_if(unsigned v, Test test) {
    const Rank live = domains_[v].live();
    domains_[v].remove_if(test);
    if (domains_[v].live() != live)
      trail_.push_back({Change::removal, static_cast<Node>(v), live, 0});
  }

  void set_available(unsigned v, Rank rank) {
    if (rank == available_[v])
      return;
    trail_.push_back({Change::available, static_cast<Node>(v), available_[v], 0});
    available_[v] = rank;
  }

  // A domain without zero sets has a higher least reduced cost, and with it the bound rises.
  void raise_least_reduced(unsigned v) {
    const Cost former = domains_[v].least_reduced();
    trail_.push_back({Change::least_reduced, static_cast<Node>(v), 0, former});
    domains_[v].raise_least_reduced();
    bound_ += domains_[v].least_reduced() - former;
  }

  // Returns its number.
  std::uint32_t add_cluster(const Set &nodes) {
    clusters_.push_back({nodes, 1, 0});
    return static_cast<std::uint32_t>(clusters_.size() - 1);
  }

  // And with it the bound, by as much.
  void change_price(std::uint32_t cluster, Cost amount) {
    trail_.push_back({Change::price, 0, cluster, amount});
    bound_ += amount;
    add_to_price(clusters_[cluster], amount);
  }

  // No better network begins with the prefix.
  void close() { bound_ = kNoCost; }

  struct Mark {
    std::size_t changes;
    Cost prefix_cost, bound;
  };

  Mark mark() const { return {trail_.size(), prefix_cost_, bound_}; }

  void undo_to(const Mark &mark) {
    for (; trail_.size() > mark.changes; trail_.pop_back())
      undo(trail_.back());
    prefix_cost_ = mark.prefix_cost;
    bound_ = mark.bound;
  }

  // What was done so far stays.
  void forget_trail() { trail_.clear(); }

  // Appends v, with this of its sets, to the prefix.
  Mark append(Node v, Rank choice, Cost bound) {
    const Mark before = mark();
    choice_[v] = choice;
    prefix_cost_ += costs_.domains[v].cost[choice];
    bound_ = bound;
    prefix_.insert(v);
    rest_.erase(v);
    return before;
  }

  void take_back(Node v, const Mark &before) {
    undo_to(before);
    rest_.insert(v);
    prefix_.erase(v);
  }

  // A node of the prefix has a set disjoint from all clusters that it is in: their right-hand sides
  // are 0, and their prices are removed. Each domain is changed once for all of them.
  void satisfy_clusters_of(Node v) {
    const std::size_t before = satisfied_.size();
    for (std::uint32_t c = 0; c < clusters_.size(); ++c)
      if (clusters_[c].price > 0 && clusters_[c].nodes.contains(v))
        satisfied_.push_back({c, std::exchange(clusters_[c].price, 0)});
    trail_.push_back({Change::satisfaction, v, static_cast<std::uint32_t>(before), 0});
    change_prices_of_satisfied(before, -1);
  }

  // Leaves out what the root has removed (sets, clusters without a price), so that passes are
  // shorter. Changes the ranks of sets and the numbers of clusters; nothing can be undone after.
  void compact() {
    trail_.clear();
    for (Node v = 0; v < size(); ++v)
      compact_domain(v);
    clusters_.erase(
        std::remove_if(clusters_.begin(), clusters_.end(),
                       [](const Cluster<kWords> &cluster) { return cluster.price == 0; }),
        clusters_.end());
  }

  // ---- For invariants

  // The cost of the prefix, the constant term of the clusters, and the other nodes' least reduced
  // costs.
  Cost bound_from_scratch() const {
    Cost sum = prefix_cost_;
    for (const Cluster<kWords> &cluster : clusters_)
      sum += cluster.price;
    rest_.for_each([&](unsigned v) { sum += domains_[v].least_reduced(); });
    return sum;
  }

  // Of all that undo_to() restores.
  std::uint64_t fingerprint() const {
    std::uint64_t hash = 0;
    rest_.for_each(
        [&](unsigned v) { hash = 31 * (hash + domains_[v].fingerprint()) + available_[v]; });
    for (const Cluster<kWords> &cluster : clusters_)
      hash += static_cast<std::uint64_t>(cluster.price) * cluster.nodes.hash();
    return hash;
  }

private:
  struct Change {
    enum Kind : std::uint16_t { removal, least_reduced, price, satisfaction, available } kind;
    Node node;
    // How many sets were live, the cluster, how many were satisfied, the former available set.
    std::uint32_t index;
    Cost cost; // the former least reduced cost, or the change of the price
  };

  // A cluster that a node of the prefix satisfies, and its price before.
  struct SatisfiedCluster {
    std::uint32_t cluster;
    Cost price;
  };

  void undo(const Change &change) {
    switch (change.kind) {
    case Change::removal:
      domains_[change.node].restore(change.index);
      break;
    case Change::least_reduced:
      domains_[change.node].restore_least_reduced(change.cost);
      break;
    case Change::price:
      add_to_price(clusters_[change.index], -change.cost);
      break;
    case Change::available:
      available_[change.node] = change.index;
      break;
    case Change::satisfaction:
      change_prices_of_satisfied(change.index, 1);
      for (; satisfied_.size() > change.index; satisfied_.pop_back())
        clusters_[satisfied_.back().cluster].price = satisfied_.back().price;
      break;
    }
  }

  void add_to_price(Cluster<kWords> &cluster, Cost amount) {
    price_changes_.assign(1, {cluster.nodes, amount});
    (cluster.nodes - prefix_).for_each([&](unsigned v) {
      domains_[v].change_prices(price_changes_);
    });
    cluster.price += amount;
    OPTBN_INVARIANT(cluster.price >= 0, "prices are not negative");
  }

  void change_prices_of_satisfied(std::size_t from, Cost sign) {
    for (std::size_t i = from; i < satisfied_.size(); ++i) {
      const Set &nodes = clusters_[satisfied_[i].cluster].nodes;
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

  void compact_domain(Node v) {
    const CostDomain<kWords> &all = costs_.domains[v];
    CostDomain<kWords> live;
    std::vector<Cost> reduced;
    for (Rank rank = 0; rank < all.size(); ++rank)
      if (domains_[v].is_live(rank)) {
        live.cost.push_back(all.cost[rank]);
        live.set.push_back(all.set[rank]);
        live.index.push_back(all.index[rank]);
        reduced.push_back(domains_[v].reduced(rank));
      }
    domains_[v] = Domain(live.set, reduced, domains_[v].least_reduced(), store_);
    costs_.domains[v] = std::move(live);
  }

  const TreeOptions store_;
  CostProblem<kWords> costs_;
  std::vector<Domain> domains_;
  const Set all_;
  Set prefix_, rest_;
  std::vector<Rank> choice_, available_;
  Cost prefix_cost_ = 0, bound_ = 0;

  std::vector<Cluster<kWords>> clusters_;
  std::vector<SatisfiedCluster> satisfied_; // by the nodes of the prefix, one after the other
  std::vector<Change> trail_;
  // Scratch: changes of prices that a domain applies together.
  std::vector<PriceChange<kWords>> price_changes_;
  std::vector<std::vector<PriceChange<kWords>>> price_changes_of_;
};

} // namespace optbn
