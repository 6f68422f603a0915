#include "core/structure/constraints/known_networks.h"

#include <algorithm>
#include <iterator>

namespace optbn {

void KnownNetworks::offer(const Network &network, const Graph &graph) {
  if (!satisfies(constraints_, graph))
    return;
  if (network.score > best_.score)
    best_ = network;
  const auto [place, is_new] = score_of_.emplace(identity(graph), network.score);
  if (!is_new && place->second >= network.score)
    return;
  if (!is_new)
    scores_.erase(scores_.find(place->second));
  place->second = network.score;
  scores_.insert(network.score);
}

void KnownNetworks::offer_neighbours(const Network &network) {
  if (wanted_ == 1)
    return;
  Graph graph = graph_of(sets_, network);
  for (Node v = 0; v < sets_.size(); ++v) {
    const CandidateSets &candidates = sets_.nodes[v];
    const double others = network.score - candidates.score[network.choice[v]];
    const std::vector<bool> descendants = descendants_of(graph, v);
    const std::vector<Node> own = graph[v];
    for (std::uint32_t i = 0; i < candidates.size() && others + candidates.score[i] > cutoff(); ++i)
      if (std::none_of(candidates.begin_of(i), candidates.end_of(i),
                       [&](Node u) { return descendants[u]; })) {
        graph[v].assign(candidates.begin_of(i), candidates.end_of(i));
        Network neighbour = network;
        neighbour.choice[v] = i;
        neighbour.score = others + candidates.score[i];
        offer(neighbour, graph);
      }
    graph[v] = own;
  }
}

double KnownNetworks::cutoff() const {
  if (scores_.size() < wanted_)
    return -std::numeric_limits<double>::infinity();
  const double score = *std::next(scores_.begin(), wanted_ - 1);
  return score - rounding(score);
}

Graph KnownNetworks::identity(const Graph &graph) const {
  return classes_ ? MarkovClass(graph).signature() : graph;
}

} // namespace optbn
