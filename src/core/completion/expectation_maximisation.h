// Expectation maximisation: the parameters of a network from rows with missing values (Dempster,
// Laird & Rubin 1977; Lauritzen 1995, doi 10.1016/0167-9473(93)E0056-A).
//
// An iteration takes the exact expectation of every family's statistics, given what is known, and
// then the parameters that fit these best. The log-likelihood of the known values, plus what
// imaginary rows add, never falls.
#pragma once

#include "core/base/host.h"
#include "core/completion/family_statistics.h"

namespace optbn {

struct Convergence {
  double tolerance = 1e-6; // ends when the objective rises by less than this per row
  unsigned most = 1000;    // iterations
};

struct EmResult {
  MixedNetwork network;
  FamilyStatistics statistics; // under the parameters before the last iteration's
  // Of the parameters before each iteration, and at last of the network: log-likelihood of what is
  // known, and with imaginary rows.
  std::vector<double> log_likelihood, objective;
  bool converged = false;
};

// From the parameters of `network`. Throws Interrupted or TimeLimitReached when the watch stops, and
// MemoryLimit for an island with too many configurations.
EmResult expectation_maximisation(const Dataset &data, const MixedNetwork &network,
                                  const Estimation &how, const Convergence &convergence,
                                  Watch &watch);

} // namespace optbn
