// LimitSource: what a search is limited by beyond acyclicity, as inequalities found when they are
// violated.
//
// A relaxation (relaxation.h) with a source adds the limits that its weights violate to its rows; a
// tree search accepts only networks that the source admits. Every network that it admits satisfies
// every limit that it gives, so bounds hold for these networks. Safe to share between threads.
#pragma once

#include "core/base/host.h"
#include "core/base/random.h"
#include "core/structure/bounds/cuts/cluster_separation.h"

#include <vector>

namespace optbn {

template <unsigned Words> class LimitSource {
public:
  LimitSource() = default;
  LimitSource(const LimitSource &) = delete;
  LimitSource &operator=(const LimitSource &) = delete;
  virtual ~LimitSource() = default;

  // Some that the weights violate by more than rounding, the most violated first; those found so
  // far when the watch stops. `work` grows by what this takes, in sets examined, about.
  virtual std::vector<Limit<Words>> violated(const FractionalNetwork<Words> &network,
                                             Random &random, double &work, Watch &watch) const = 0;

  // Is the network of these sets, which is acyclic, of interest? False when the watch stops.
  virtual bool admits(const std::vector<BitSet<Words>> &sets, Watch &watch) const = 0;
};

} // namespace optbn
