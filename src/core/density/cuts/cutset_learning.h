// Learning the structure of cutset networks.
//
// All rules begin with one leaf of all rows, and cut leaves into one leaf per level:
//   likelihood  dCSN (Di Mauro, Vergari & Esposito 2015, algorithms 2 and 3): the cut that raises
//               the log-likelihood of the slice most, if by more than the penalty
//   entropy     CNet (Rahman, Kothalkar & Gogate 2014): the cut that lowers the mean entropy of the
//               variables most
//   random      XCNet (Di Mauro, Vergari, Basile & Ventola 2017): a cut drawn with probability
//               proportional to the variance p (1 - p) of the variable on the slice
// Leaves are Chow-Liu trees with the given smoothing; the weights of a cut are proportions.
#pragma once

#include "core/base/host.h"
#include "core/base/random.h"
#include "core/density/density.h"
#include "core/density/learn/smoothing.h"
#include "core/density/learn/training.h"
#include "core/density/learn/training_rows.h"

#include <limits>
#include <vector>

namespace optbn {

enum class CutRule { likelihood, entropy, random };

// By how much a cut must raise the log-likelihood, M the rows of the whole set, N of the slice:
// log(M) / 2, which is the paper's (proposition 2), log(N) / 2, or (N / M) log(M) / 2.
enum class CutPenalty { whole, slice, share };

struct CutsetSettings {
  CutRule rule = CutRule::likelihood;
  Smoothing smoothing;
  double min_rows = 200;      // a slice is cut only if it has more rows (the paper's delta)
  unsigned min_features = 3;  // and more variables (sigma)
  bool min_child_rows = true; // likelihood: and if every child would have more rows than min_rows
  unsigned screen = 20;       // likelihood: so many cuts are tried in full, 0: all
  CutPenalty penalty = CutPenalty::whole; // likelihood
  double min_entropy = 0.01; // entropy: a slice is cut only if its mean entropy is larger
  unsigned max_depth = std::numeric_limits<unsigned>::max(); // cuts on a path from the root
};

// When the watch stops: are open leaves closed with known trees, or is the network abandoned?
enum class WhenStopped { close_leaves, abandon };

// `training`: with the smoothing of the settings. If there is a `start`, learning goes on from its
// leaves, without cuts that leave a part without rows. Only the random rule draws from `random`.
// When the watch stops, open leaves either get known trees with tables from their own rows, so that
// the network is complete nevertheless, or Interrupted or TimeLimitReached is thrown. The watch,
// whose total the caller sets, advances by the rows of each leaf that is closed.
CutsetNetwork learn_cutset(const Training &training, const CutsetSettings &settings,
                           const CutsetNetwork *start, Random &random, Watch &watch,
                           WhenStopped when_stopped = WhenStopped::close_leaves);

// `weights`: how often each row counts; if empty, the rows' own weights. Throws Interrupted if
// there was not even time to count the rows.
CutsetNetwork learn_cutset(const TrainingRows &rows, const std::vector<double> &weights,
                           const CutsetSettings &settings, const CutsetNetwork *start,
                           Random &random, Watch &watch);

// Reduced-error pruning (CNetP): from the leaves to the root, the Chow-Liu tree of a slice replaces
// its cut if that does not lower the likelihood of the validation rows. When the watch stops, cuts
// that are not decided on stay.
CutsetNetwork prune(const CutsetNetwork &network, const Training &training,
                    const TrainingRows &validation, Watch &watch);

} // namespace optbn
