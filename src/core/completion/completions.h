// Completions: rows without holes in place of rows with holes.
//
// Weighted completions stand for the exact posterior of what is missing, as far as tables and linear
// regressions depend on it: a row becomes every configuration of its missing discrete values, its
// weight the probability; and where m continuous values are missing there, 2m points, at the mean
// plus and minus sqrt(m) times each column of a root of the covariance, which have the mean and the
// covariance of the posterior (the sigma points of Julier & Uhlmann). Expected counts and moments of
// any family are those of the weighted rows then. A row with too many configurations is represented
// by draws instead, in which those of each island occur as often as their probabilities say, up to
// rounding.
#pragma once

#include "core/base/host.h"
#include "core/base/random.h"
#include "core/completion/mixed_network.h"

#include <cstdint>
#include <vector>

namespace optbn {

struct CompletedRows {
  std::vector<std::vector<std::uint16_t>> codes; // by discrete column
  std::vector<std::vector<double>> values;       // by continuous column
  std::vector<std::uint32_t> row;                // of the data, that each comes from
  std::vector<std::uint32_t> weight;             // of weighted completions
  std::size_t drawn = 0; // so many rows of the data are represented by draws
  // Rows of probability 0: not among weighted completions, others have them as they are.
  std::vector<std::uint32_t> impossible;
};

// A row of weight w becomes rows with weights that add up to `scale` w: those of at most `most`
// configurations, or so many draws.
CompletedRows weighted_completions(const Dataset &data, const MixedNetwork &network,
                                   std::uint32_t scale, std::size_t most, Random &random,
                                   Watch &watch);

// A draw from the posterior for each row.
CompletedRows draw_completions(const Dataset &data, const MixedNetwork &network, Random &random,
                               Watch &watch);

// The values of largest joint density, for each row.
CompletedRows most_probable_completions(const Dataset &data, const MixedNetwork &network,
                                        Watch &watch);

} // namespace optbn
