// demand_search(): from data to a network, scoring only the parent sets that the search asks for.
//
// Exact search wants all candidate sets before it begins, and beyond some 30 columns there are too
// many. Here they come as they are wanted: hill climbing over arcs (arc_climb.h), which takes
// hardly any time and so is what nothing falls behind, then cycles of
//   order     a climb over orders with greedily grown parents, shaken and annealed (order_climb.h);
//   pool      all sets met, searched as candidates (local_search.h), which combines what greedy
//             growth chooses from one at a time;
//   rounds    the neighbours of the families in use are scored, and the pool is searched again,
//             until that gains nothing.
// Where families take long (trees), all this is done by a quicker score first, for a while, whose
// network is the one to begin with. Each cycle begins with the best network so far. The next one
// works twice as hard where there is time, or where this one gained nothing; after two that gain
// nothing, branch and bound searches the pool for a while (solve.h), and the search ends where that
// gains nothing either. After the first cycle all sets of few parents are scored, level by level,
// as far as a budget carries (enumeration.h), and join the pool from then on: so it is complete up
// to a number of parents, which is what a bound over it speaks of, and holds larger sets besides.
//
// All this is counted in steps and in what families are forecast to cost, never in seconds that
// pass: what ends by itself is the same on every machine and for any number of threads. A limit of
// time is used up instead: cycles go on, and levels are as many as the pace so far lets expect. A
// watch that stops, even beforehand, leaves a network.
#pragma once

#include "core/demand/growth.h"
#include "core/score/parent_sets.h"
#include "core/structure/anytime.h"

namespace optbn {

// A score that takes less time, whose best network is a good one to begin with; none where the
// score itself is quick.
struct QuickScore {
  LocalScore *score = nullptr;
  std::vector<double> cost; // as below
};

struct DemandOptions {
  FamilyRules rules;
  std::vector<std::vector<Node>> start; // the parents of every node in a network, or empty
  ParentSets earlier;                   // candidates of an earlier search, or of no node
  double cycles = 4;                    // at most; where infinite, time alone ends them
  QuickScore quick;
  std::vector<double> cost; // of scoring a family on demand, by its size (growth.h); seconds
  // Seconds of that, and of local search, as they are forecast, which may be spent.
  double effort = std::numeric_limits<double>::infinity();
  double budget = 0; // sets to be scored in complete levels
  double slack = 0;  // what a set may score less than its best subset
  double memory_limit = std::numeric_limits<double>::infinity(); // bytes
  // Time left, which levels and then a search of the pool want a part of.
  double seconds = std::numeric_limits<double>::infinity();
};

struct DemandResult {
  ParentSets pool; // the candidates that were found worth keeping
  Network network; // chosen among the candidates
  std::vector<Improvement> improvements;
  // Per node, of complete levels, as in EnumerationResult.
  std::vector<double> considered, counted;
  std::vector<int> complete, largest;
  double scored = 0;     // parent sets, on demand
  double insertions = 0; // nodes tried at every place of an order
};

// Throws Infeasible where required parents form a cycle, and Interrupted before there is a network.
DemandResult demand_search(const Dataset &data, LocalScore &score, const DemandOptions &options,
                           Watch &watch);

} // namespace optbn
