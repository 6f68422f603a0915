#include "core/structure/constraints/arc_pricing.h"

#include "core/structure/graph.h"

namespace optbn {

namespace {

// At such a price no arc pays.
double prohibitive_price(const ParentSets &sets) {
  double spread = 1;
  for (const CandidateSets &candidates : sets.nodes)
    spread += candidates.score.front() - candidates.score.back();
  return spread;
}

} // namespace

// Of two networks, `many` with too many arcs and `few` without, the price is tried at which both
// score the same; a better network at that price replaces one of them, until there is none.
std::optional<Network> price_arcs(const ParentSets &sets, double max_arcs,
                                  const SearchAtPrice &search) {
  const auto arcs_of = [&](const Network &network) {
    return static_cast<double>(arc_count(graph_of(sets, network)));
  };
  std::optional<Network> best = search(0);
  if (!best || best->empty() || arcs_of(*best) <= max_arcs)
    return best;
  Network many = std::move(*best);
  best = search(prohibitive_price(sets));
  if (!best || best->empty())
    return best;
  Network few = std::move(*best);
  while (arcs_of(few) <= max_arcs) {
    const double price = (many.score - few.score) / (arcs_of(many) - arcs_of(few));
    best = search(price);
    if (!best || best->empty())
      return best;
    const auto priced_score = [&](const Network &network) {
      return network.score - price * arcs_of(network);
    };
    if (priced_score(*best) <= priced_score(few) + rounding(few.score))
      return few;
    (arcs_of(*best) > max_arcs ? many : few) = std::move(*best);
  }
  return std::nullopt;
}

} // namespace optbn
