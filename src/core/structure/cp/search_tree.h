// SearchTree: the depth-first search of cp_search.h. Its nodes are prefixes of orders.
//
// Domain is a parameter so that bench/exact-ablation.cpp can time what domains are asked.
#pragma once

#include "core/structure/bounds/multipliers.h"
#include "core/structure/cp/cp_search.h"
#include "core/structure/cp/propagation.h"
#include "core/structure/engines/closed_set.h"
#include "core/structure/engines/prefix_memo.h"

#include <algorithm>
#include <vector>

namespace optbn {

template <class Domain> class SearchTree {
  using Set = typename Domain::Set;
  static constexpr unsigned kWords = Domain::kWords;
  static constexpr double kMemoBytes = 1e15; // more than any machine has: "as much as there is"

public:
  SearchTree(const ProofTask &task, const TreeOptions &store, Watch &watch)
      : task_(task), watch_(watch), state_(task.problem, store), incumbent_(task, state_.costs()),
        propagation_(state_, incumbent_, watch), memo_(std::min(task.memory_limit, kMemoBytes)) {
    // Clusters that had a price in an earlier search are tried first.
    for (const Cluster<kWords> &cluster : in_costs(task.warm, state_.costs()).clusters)
      if (cluster.k == 1)
        propagation_.add_cluster(cluster.nodes);
  }

  CpProof run() {
    CpProof proof;
    ++nodes_;
    const bool open = propagation_.propagate_root();
    proof.root = prices();
    if (open) {
      incumbent_.raise_lower_bound(std::min(state_.bound(), incumbent_.cutoff()));
      branch(kNoCost);
    }
    if (!halted())
      incumbent_.raise_lower_bound(incumbent_.cutoff());
    incumbent_.write_to(proof);
    proof.nodes = nodes_;
    proof.clusters = propagation_.clusters_found();
    return proof;
  }

private:
  struct Child {
    Cost bound;
    Node node;
    Rank set;
  };

  bool halted() { return nodes_ >= task_.node_limit || watch_.stopped(); }

  // Searches all orders that begin with the prefix, whose last node is `last`. `open_bound`: the
  // least bound of the other open nodes of the search tree.
  void explore(Node last, Cost open_bound) {
    ++nodes_;
    if (state_.rest().empty()) {
      accept_network();
    } else if (propagation_.propagate(last)) {
      OPTBN_INVARIANT(state_.bound() == state_.bound_from_scratch(),
                      "a bound is the cost of the prefix, the constant term and the rest's least "
                      "reduced costs");
      incumbent_.raise_lower_bound(std::min({state_.bound(), open_bound, incumbent_.cutoff()}));
      branch(open_bound);
    }
  }

  void branch(Cost open_bound) {
    const std::vector<Child> children = list_children();
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (children[i].bound >= incumbent_.cutoff() || halted())
        return;
      const Cost sibling = i + 1 < children.size() ? children[i + 1].bound : kNoCost;
      append(children[i], std::min(open_bound, sibling));
    }
  }

  // The nodes that can come next, lowest bound first.
  std::vector<Child> list_children() const {
    std::vector<Child> children;
    const std::vector<Set> parents = state_.possible_parents();
    const Set closed = smallest_closed_set(state_.rest(), [&](unsigned v) { return parents[v]; });
    closed.for_each([&](unsigned v) {
      if (!state_.can_come_next(v))
        return;
      const Domain &domain = state_.domain(v);
      const Rank set = state_.available(v);
      const Cost bound = state_.bound() + domain.reduced(set) - domain.least_reduced();
      children.push_back({bound, static_cast<Node>(v), set});
    });
    // A node that can have its cheapest live set now gains nothing by a later position.
    for (const Child &child : children)
      if (state_.domain(child.node).live() == 1)
        return {child};
    std::stable_sort(children.begin(), children.end(),
                     [](const Child &a, const Child &b) { return a.bound < b.bound; });
    return children;
  }

  void append(const Child &child, Cost open_bound) {
    [[maybe_unused]] const std::uint64_t before = kCheckInvariants ? state_.fingerprint() : 0;
    OPTBN_INVARIANT(child.bound >= state_.bound(),
                    "no network costs less for beginning with more nodes");
    const auto mark = state_.append(child.node, child.set, child.bound);
    if (!memo_.reached_before(state_.prefix(), state_.prefix_cost()))
      explore(child.node, open_bound);
    state_.take_back(child.node, mark);
    OPTBN_INVARIANT(before == state_.fingerprint(),
                    "undoing restores every domain and every price");
  }

  void accept_network() {
    OPTBN_INVARIANT(state_.bound() == state_.prefix_cost(),
                    "the bound of a network is what it costs");
    std::vector<std::uint32_t> choice(state_.size());
    for (Node v = 0; v < state_.size(); ++v)
      choice[v] = state_.costs().domains[v].index[state_.choice(v)];
    incumbent_.accept(std::move(choice), state_.prefix_cost());
  }

  Multipliers prices() const {
    Dual<kWords> dual;
    for (const Cluster<kWords> &cluster : state_.clusters())
      if (cluster.price > 0)
        dual.clusters.push_back(cluster);
    return in_units(dual, state_.costs());
  }

  const ProofTask &task_;
  Watch &watch_;
  SearchState<Domain> state_;
  Incumbent<kWords> incumbent_;
  Propagation<Domain> propagation_;
  PrefixMemo<kWords> memo_;
  double nodes_ = 0;
};

} // namespace optbn
