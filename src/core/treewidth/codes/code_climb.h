// Hill climbing over Dandelion codes: better k-trees by small changes of their codes.
//
// Nie et al. 2016, section 3.3. Codes are neighbours when one entry of them differs by one step:
//   a node of Q         to the next or the previous label, on a circle of n; not onto another of Q
//   a row's parent      likewise on a circle of m + 1, where 0 is the root; a row that leaves the
//                       root gets rank 1
//   a row's rank        likewise on a circle of 1..k
// There are up to 2 k + 4 (m - 2) neighbours. A step changes 10 to 20 % of the edges: codes that
// are near one another are k-trees that are fairly near.
//
// Climbing (algorithm 2) moves to the best neighbour while that is better. The probabilistic climb
// (algorithm 3) moves to a random one, with probability proportional to exp(value / T), and returns
// the best k-tree that it has seen once ten moves in a row have found no better one. I-scores lie
// between 1e-6 and 3e-3, so that the paper's T = 0.05 makes every neighbour equally likely; T is
// therefore given in units of the standard deviation of the neighbours' values, or absolutely. (On
// three of the paper's data sets 0.05 such units were about best, and 0.5 worse than plain
// climbing.)
//
// A move costs as many evaluations as there are neighbours. Larger values are better.
#pragma once

#include "core/base/host.h"
#include "core/base/random.h"
#include "core/treewidth/codes/dandelion.h"

#include <cstddef>
#include <functional>

namespace optbn {

// The objective: an InformativeScorer's value, its pseudo-score, or any other function.
using KTreeValue = std::function<double(const KTree &)>;

struct Climb {
  DandelionCode code; // the best that was seen
  double value = 0;
  std::size_t moves = 0, evaluations = 0;
};

struct Temperature {
  double value;
  bool relative; // to the standard deviation of the neighbours' values?

  static Temperature usual() { return {0.05, true}; }
};

// Both return the best code so far when the watch stops.
Climb hill_climb(DandelionCode start, const KTreeValue &value, Watch &watch);
Climb probabilistic_climb(DandelionCode start, const KTreeValue &value, Temperature temperature,
                          Random &random, Watch &watch);

} // namespace optbn
