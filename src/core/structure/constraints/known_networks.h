// KnownNetworks: the networks known to meet the constraints, or the Markov classes that have one,
// each once and by its best score.
//
// A search for k networks need not look at what scores less than the k-th best of them (cutoff()),
// so all that it meets on its way is offered, and so are networks that differ from one of the best
// at a single node: good ones that cost nothing to find.
#pragma once

#include "core/structure/constraints/network_constraints.h"

#include <functional>
#include <map>
#include <set>

namespace optbn {

class KnownNetworks {
public:
  // `wanted`: how many networks are; with `classes`, of different Markov classes.
  KnownNetworks(const ParentSets &sets, const NetworkConstraints &constraints, unsigned wanted,
                bool classes)
      : sets_(sets), constraints_(constraints), wanted_(wanted), classes_(classes) {}

  // Takes a network, which has this graph, if it meets the constraints.
  void offer(const Network &network, const Graph &graph);
  void offer_neighbours(const Network &network);

  // The best of all; empty if none is known.
  const Network &best() const { return best_; }

  // Networks that score less are not among those wanted.
  double cutoff() const;

  // The same for networks that count as one.
  Graph identity(const Graph &graph) const;

private:
  const ParentSets &sets_;
  const NetworkConstraints &constraints_;
  const unsigned wanted_;
  const bool classes_;
  Network best_;
  std::map<Graph, double> score_of_; // by identity
  std::multiset<double, std::greater<double>> scores_;
};

} // namespace optbn
