// ClusterAscent: raises the bound of a SearchState by clusters, those found before first.
//
// New clusters are found and raised by greedy_ascent.h, whose store this is, with zero sets as the
// tight ones. All are kept for the whole search, and tried again at each of its nodes before new
// ones are sought. Most are not violated, and cost one look: a zero set of a member, disjoint from
// the cluster, is remembered as a witness, and speaks as long as it is a zero set. Witnesses are
// hints, which nothing needs to undo.
#pragma once

#include "core/base/host.h"
#include "core/structure/bounds/greedy_ascent.h"
#include "core/structure/cp/incumbent.h"
#include "core/structure/cp/search_state.h"

#include <cstdint>
#include <vector>

namespace optbn {

template <class Domain> class ClusterAscent {
public:
  using Set = typename Domain::Set;
  static constexpr unsigned kWords = Domain::kWords;

  ClusterAscent(SearchState<Domain> &state, const Incumbent<kWords> &incumbent, Watch &watch)
      : state_(state), incumbent_(incumbent), watch_(watch) {}

  double clusters_found() const { return found_; }

  std::uint32_t add(const Set &nodes) {
    pool_.push_back({nodes});
    return state_.add_cluster(nodes);
  }

  // Begins again with the clusters of the state, without witnesses: after SearchState::compact().
  void refill() {
    pool_.clear();
    for (const Cluster<kWords> &cluster : state_.clusters())
      pool_.push_back({cluster.nodes});
  }

  // ---- These return false when the bound reaches the cutoff, or a domain is empty

  bool ascend() {
    const auto found_before = static_cast<std::uint32_t>(pool_.size());
    for (std::uint32_t c = 0; c < found_before; ++c)
      if (may_be_violated(pool_[c]) && !raise_if_violated(c))
        return false;
    greedy_ascent(state_.prefix(), state_.rest(), *this, [](unsigned) {});
    return below_cutoff();
  }

  // The same, after trying the clusters in this order.
  bool ascend(const std::vector<std::uint32_t> &order) {
    for (const std::uint32_t c : order)
      if (may_be_violated(pool_[c]) && !raise_if_violated(c))
        return false;
    return ascend();
  }

  // Of the domains without zero sets.
  bool raise_least_reduced_costs() {
    bool possible = true;
    state_.rest().for_each([&](unsigned v) {
      possible = possible && state_.domain(v).live() > 0;
      if (possible && !state_.domain(v).has_zero())
        state_.raise_least_reduced(v);
    });
    return possible && below_cutoff();
  }

  // ---- The store of greedy_ascent()

  bool has_tight_inside(unsigned v, const Set &allowed) const {
    return state_.domain(v).zero_inside(allowed) != kNoSet;
  }

  Cost slack_outside(unsigned v, const Set &cluster) const {
    return state_.domain(v).slack_outside(cluster);
  }

  Rank tight_count(unsigned v) const { return state_.domain(v).zeros(); }

  const Set *tight_outside(unsigned v, const Set &cluster) const {
    const Rank rank = state_.domain(v).cheapest_zero_inside(state_.all() - cluster);
    return rank == kNoSet ? nullptr : &state_.domain(v).set(rank);
  }

  Rank tight_count_outside(unsigned v, const Set &cluster) const {
    return state_.domain(v).zeros_inside(state_.all() - cluster);
  }

  Set violated_within(const Set &blocked) {
    ++found_;
    return grown_cluster(blocked, *this);
  }

  bool raise(const Set &cluster, Cost amount) {
    return raise_price(add(cluster), amount) && !watch_.stopped();
  }

private:
  // A zero set of a member, disjoint from the cluster, when last seen.
  struct Pooled {
    Set nodes; // of the cluster
    Node member = 0;
    Rank witness = kNoSet;
  };

  bool below_cutoff() const { return state_.bound() < incumbent_.cutoff(); }

  // The one look: neither is it satisfied nor its witness a zero set.
  bool may_be_violated(const Pooled &pooled) const {
    return !pooled.nodes.intersects(state_.prefix()) &&
           (pooled.witness == kNoSet || !state_.domain(pooled.member).is_zero(pooled.witness));
  }

  bool raise_if_violated(std::uint32_t cluster) {
    return find_witness(pool_[cluster]) ||
           raise_price(cluster, least_slack(*this, pool_[cluster].nodes));
  }

  // False when each member's every zero set meets the cluster: then it is violated.
  bool find_witness(Pooled &pooled) const {
    const Set allowed = state_.all() - pooled.nodes;
    for (Set left = pooled.nodes; !left.empty();) {
      const unsigned v = left.lowest();
      left.erase(v);
      const Rank rank = state_.domain(v).zero_inside(allowed);
      if (rank != kNoSet) {
        pooled.member = static_cast<Node>(v);
        pooled.witness = rank;
        return true;
      }
    }
    return false;
  }

  // Where the bound reaches the cutoff, nobody asks for prices but those of the root.
  bool raise_price(std::uint32_t cluster, Cost amount) {
    const bool reaches = state_.bound() + amount >= incumbent_.cutoff();
    if (amount == kNoCost || (reaches && !state_.prefix().empty()))
      state_.close();
    else
      state_.change_price(cluster, amount);
    return below_cutoff();
  }

  SearchState<Domain> &state_;
  const Incumbent<kWords> &incumbent_;
  Watch &watch_;
  std::vector<Pooled> pool_; // by number of the cluster in the state
  double found_ = 0;
};

} // namespace optbn
