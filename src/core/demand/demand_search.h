// demand_search(): from data to a network, scoring only the parent sets that the search needs.
//
// Exact search needs all candidate sets before it begins, and beyond some 30 columns there are too
// many. Here sets are scored when they are needed: by hill climbing over arcs (arc_climb.h), which
// takes hardly any time, so that the result is never worse than its network, then by cycles of
//   order     a climb over orders with greedily grown parents, and annealing (order_climb.h);
//   pool      all sets met, searched as candidates (local_search.h), which combines sets that
//             greedy growth considers one at a time;
//   rounds    the neighbours of the families in use are scored, and the pool is searched again,
//             until that gains nothing.
// Where families take long (trees), a quicker score is searched by first, for a while, and its
// network is the start. Each cycle begins with the best network so far. The next one does twice the
// work where there is time, or where this one gained nothing; after two that gain nothing, branch
// and bound searches the pool for a while (solve.h), and the search ends where that gains nothing
// either. After the first cycle all sets of few parents are scored, level by level, as far as a
// budget allows (enumeration.h), and are added to the pool from then on: so it is complete up to a
// number of parents, which is the scope of a bound over it, and has larger sets as well.
//
// Work is counted in steps and in forecast costs of families, never in elapsed seconds: a search
// that ends by itself is the same on every machine and for any number of threads. With a limit of
// time the search uses all of it: cycles continue, and there are as many levels as the pace so far
// lets expect. A watch that stops, even beforehand, leaves a network.
#pragma once

#include "core/demand/growth.h"
#include "core/score/parent_sets.h"
#include "core/structure/anytime.h"

namespace optbn {

// A score that takes less time, whose best network is a good start; none where the score itself is
// quick.
struct QuickScore {
  LocalScore *score = nullptr;
  std::vector<double> cost; // as below
};

struct DemandOptions {
  FamilyRules rules;
  std::vector<std::vector<Node>> start; // the parents of every node in a network, or empty
  ParentSets earlier;                   // candidates of an earlier search, or of no node
  double cycles = 4;                    // at most; where infinite, only time ends them
  QuickScore quick;
  std::vector<double> cost; // of scoring a family on demand, by its size (growth.h); seconds
  // Seconds of that, and of local search, as they are forecast, which may be spent.
  double effort = std::numeric_limits<double>::infinity();
  double budget = 0; // sets to be scored in complete levels
  double slack = 0;  // how much less than its best subset a set may score
  double memory_limit = std::numeric_limits<double>::infinity(); // bytes
  // Time left; levels and then a search of the pool take part of it.
  double seconds = std::numeric_limits<double>::infinity();
};

struct DemandResult {
  ParentSets pool; // the candidate sets
  Network network; // chosen among the candidates
  std::vector<Improvement> improvements;
  // Per node, of complete levels, as in EnumerationResult.
  std::vector<double> considered, counted;
  std::vector<int> complete, largest;
  double scored = 0;     // parent sets, on demand
  double insertions = 0; // nodes tried at every position of an order
};

// Throws Infeasible where required parents form a cycle, and Interrupted before there is a network.
DemandResult demand_search(const Dataset &data, LocalScore &score, const DemandOptions &options,
                           Watch &watch);

} // namespace optbn
