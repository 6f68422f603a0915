// Local search on the prices of clusters, which closes part of the gap that greedy ascent leaves.
//
// Greedy ascent ends where no single price can rise. From there: remove a few prices, ascend again,
// by and large small clusters first, and accept a bound that is hardly worse. Ends when many rounds
// close too little of the gap. For the root, whose trail nobody needs: it is forgotten.
#pragma once

#include "core/base/random.h"
#include "core/structure/cp/cluster_ascent.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace optbn {

template <class Domain> class PriceSearch {
  static constexpr unsigned kRounds = 200, kRemoved = 16;
  static constexpr double kWorthwhile = 0.05, kAcceptedLoss = 0.003; // fractions of the gap
  static constexpr double kJitter = 4; // nodes by which an order by size may err

public:
  PriceSearch(SearchState<Domain> &state, ClusterAscent<Domain> &ascent,
              const Incumbent<Domain::kWords> &incumbent, Watch &watch)
      : state_(state), ascent_(ascent), incumbent_(incumbent), watch_(watch),
        random_(watch.host().seed(0)) {}

  // False when the bound reaches the cutoff.
  bool run() {
    Cost before;
    do {
      before = state_.bound();
      for (unsigned round = 0; round < kRounds && !watch_.stopped(); ++round)
        if (!try_other_prices())
          return false;
    } while (exceeds(state_.bound() - before, kWorthwhile));
    state_.forget_trail();
    return true;
  }

private:
  bool try_other_prices() {
    state_.forget_trail();
    const auto before = state_.mark();
    if (!remove_prices() || !ascent_.ascend(roughly_by_size()))
      return false;
    if (exceeds(before.bound - state_.bound(), kAcceptedLoss))
      state_.undo_to(before);
    return true;
  }

  // Is this more than such a fraction of the gap?
  bool exceeds(Cost cost, double fraction) const {
    const Cost gap = incumbent_.cutoff() - state_.bound();
    return static_cast<double>(cost) > fraction * static_cast<double>(gap);
  }

  // Of so many random clusters, or all.
  bool remove_prices() {
    std::vector<std::uint32_t> priced;
    for (std::uint32_t c = 0; c < state_.clusters().size(); ++c)
      if (state_.clusters()[c].price > 0)
        priced.push_back(c);
    random_.shuffle(priced);
    for (std::size_t i = 0; i < priced.size() && i < kRemoved; ++i)
      state_.change_price(priced[i], -state_.clusters()[priced[i]].price);
    return ascent_.raise_least_reduced_costs();
  }

  // The clusters by size, plus a random number of up to a few nodes.
  std::vector<std::uint32_t> roughly_by_size() {
    std::vector<std::pair<double, std::uint32_t>> keys;
    for (std::uint32_t c = 0; c < state_.clusters().size(); ++c)
      keys.push_back({state_.clusters()[c].nodes.size() + kJitter * random_.uniform(), c});
    std::sort(keys.begin(), keys.end());
    std::vector<std::uint32_t> order;
    for (const auto &key : keys)
      order.push_back(key.second);
    return order;
  }

  SearchState<Domain> &state_;
  ClusterAscent<Domain> &ascent_;
  const Incumbent<Domain::kWords> &incumbent_;
  Watch &watch_;
  Random random_;
};

} // namespace optbn
