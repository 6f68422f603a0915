// Iterated local search over node orders: a very good network at any size, without a proof.
//
// In an order each node has the best of its sets among the nodes before it, so orders are searched
// in place of networks (Teyssier & Koller 2005, arXiv:1207.1429). One step removes a node from the
// order and reinserts it at the position where the sum of all nodes' scores is largest; to evaluate
// every position costs two set queries a node. When no step gains, a kick moves a few nodes to
// random positions and the climb begins again (iterated local search), first with annealing, then
// only upwards; a chain restarts from a random order when such kicks stop paying.
//
// Every chain owns its random stream and the best chain wins, ties to the first: the result does
// not depend on the number of threads. Natural logs, larger is better.
#pragma once

#include "core/structure/domains.h"
#include "core/structure/search.h"

#include <chrono>
#include <limits>

namespace optbn {

constexpr double kLookSeconds = 1.3e-9; // of a set that is examined

struct LocalSearchOptions {
  unsigned chains = 4;            // independent chains, each with a random stream of its own
  unsigned restarts = 20;         // restarts without a gain before a chain ends
  std::vector<Node> start;        // an order to begin with, or empty
  std::uint64_t first_stream = 0; // the random stream of the first chain
  bool anneals = true;            // do chains go downhill at first, or upwards only?
  double thoroughness = 1;        // times the usual kicks a node
  bool first_climbs = true;       // does the first chain climb from `start`? The others never do
  // Of a chain (work, below): it ends where the climb has come by then.
  double most_work = std::numeric_limits<double>::infinity();
};

struct LocalSearchResult {
  Network network;       // choice: indices into the problem's domains; empty if none is feasible
  double insertions = 0; // nodes tried at every position of the order
  double work = 0;       // sets examined for these, and what positions take
  std::vector<Improvement> improvements; // each better than those before it
};

// The best network found. A watch that stops, even beforehand, still leaves a network: that of the
// first feasible order, `start` as far as it is one.
LocalSearchResult local_search(const Problem &problem, const LocalSearchOptions &options,
                               Watch &watch);

} // namespace optbn
