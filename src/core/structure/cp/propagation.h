// Propagation: what follows from a prefix at a node of the search tree, before it is branched on.
//
// In turn: sets are removed that cost more than one inside the prefix, or too much by their reduced
// cost; the prices of satisfied clusters go; acyclicity is made consistent; the bound rises by
// clusters; and with it more sets cost too much. Sets are removed before prices change, which costs
// time for each set. Each function returns false when no better network begins with the prefix.
#pragma once

#include "core/structure/cp/acyclicity.h"
#include "core/structure/cp/cluster_ascent.h"
#include "core/structure/cp/price_search.h"

#include <vector>

namespace optbn {

template <class Domain> class Propagation {
public:
  using Set = typename Domain::Set;
  static constexpr unsigned kWords = Domain::kWords;

  Propagation(SearchState<Domain> &state, const Incumbent<kWords> &incumbent, Watch &watch)
      : state_(state), incumbent_(incumbent), watch_(watch), ascent_(state, incumbent, watch) {}

  // To be tried before others.
  void add_cluster(const Set &nodes) { ascent_.add(nodes); }

  double clusters_found() const { return ascent_.clusters_found(); }

  // Nothing is undone at the root, where more effort pays.
  bool propagate_root() {
    prune();
    if (!raise_bound() || !PriceSearch<Domain>(state_, ascent_, incumbent_, watch_).run())
      return false;
    filter();
    state_.compact();
    ascent_.refill();
    prune(); // ranks have changed
    may_contain_ = state_.possible_parents();
    return true;
  }

  // After `last` has been appended.
  bool propagate(Node last) {
    prune_after(last);
    state_.satisfy_clusters_of(last);
    if (!raise_bound())
      return false;
    filter();
    return true;
  }

private:
  bool raise_bound() {
    return make_consistent(state_) && ascent_.raise_least_reduced_costs() && ascent_.ascend();
  }

  // Removes sets that cost more than one inside the prefix.
  void prune() {
    state_.rest().for_each([&](unsigned v) {
      const Rank cheapest = state_.domain(v).cheapest_inside(state_.prefix());
      state_.set_available(v, cheapest);
      state_.remove_if(v, [=](Rank rank, const Set &, Cost) { return rank > cheapest; });
    });
  }

  // The same, and what filter() would remove.
  void prune_after(Node last) {
    const Cost gap = incumbent_.cutoff() - state_.bound();
    state_.rest().for_each([&](unsigned v) {
      const Domain &domain = state_.domain(v);
      if (domain.live() == 1 && state_.can_come_next(v))
        return;
      if (may_contain_[v].contains(last))
        state_.set_available(
            v, std::min(state_.available(v), domain.cheapest_inside(state_.prefix())));
      const Rank cheapest = state_.available(v);
      const Cost limit = domain.least_reduced() + gap;
      state_.remove_if(v, [=](Rank rank, const Set &, Cost reduced) {
        return rank > cheapest || reduced >= limit;
      });
    });
  }

  // Removes sets that no better network contains, by their reduced costs.
  void filter() {
    const Cost gap = incumbent_.cutoff() - state_.bound();
    state_.rest().for_each([&](unsigned v) {
      const Cost limit = state_.domain(v).least_reduced() + gap;
      state_.remove_if(v, [=](Rank, const Set &, Cost reduced) { return reduced >= limit; });
    });
  }

  SearchState<Domain> &state_;
  const Incumbent<kWords> &incumbent_;
  Watch &watch_;
  ClusterAscent<Domain> ascent_;
  std::vector<Set> may_contain_; // all that a node's sets contain after the root
};

} // namespace optbn
