// FamilyWeights: the parent sets of some nodes with their weights, as bit masks; and PartPosterior,
// the distribution of networks that they define.
//
// A network has the product of the weights of its families; this room sums such products over
// networks. Weights are given as logarithms, of which only differences within a node matter.
#pragma once

#include "core/base/host.h"
#include "core/base/random.h"
#include "core/base/simd/scaled_sums.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace optbn {

struct WeightedSet {
  std::uint32_t parents; // by bits
  double log_weight;     // above -infinity
};

using FamilyWeights = std::vector<std::vector<WeightedSet>>; // by node, sets of distinct parents

// A set whose weight is relative to the largest of its node.
struct ScaledSet {
  std::uint32_t parents;
  Scaled weight;
};

// By node, the number of a set.
using Choice = std::vector<std::uint32_t>;

// Draws numbers with probabilities proportional to weights.
class Wheel {
public:
  explicit Wheel(std::vector<double> weights) : reach_(std::move(weights)) {
    std::partial_sum(reach_.begin(), reach_.end(), reach_.begin());
  }

  std::size_t draw(Random &random) const {
    const double at = random.uniform() * reach_.back();
    const auto first_beyond = std::upper_bound(reach_.begin(), reach_.end(), at);
    return static_cast<std::size_t>(std::min(first_beyond, reach_.end() - 1) - reach_.begin());
  }

private:
  std::vector<double> reach_;
};

// Of scaled numbers, so that the largest is about 1.
inline std::vector<double> relative(const std::vector<Scaled> &numbers) {
  double most = kNoExponent;
  for (const Scaled &number : numbers)
    most = std::max(most, number.exponent);
  std::vector<double> result;
  for (const Scaled &number : numbers)
    result.push_back(number.value * Scaled::power_of_two(number.exponent - most));
  return result;
}

class PartPosterior {
public:
  virtual ~PartPosterior() = default;

  // The logarithm of the sum over all networks.
  double log_sum() const { return log_sum_; }

  // The probability of each set, by node, in the order given; none is further from the exact one
  // than rounding().
  const std::vector<std::vector<double>> &probabilities() const { return probability_; }
  double rounding() const { return rounding_; }

  // Independent networks, in random order.
  virtual std::vector<Choice> draw(std::size_t count, Random &random, Watch &watch) const = 0;

protected:
  explicit PartPosterior(const FamilyWeights &weights) {
    for (const std::vector<WeightedSet> &sets : weights) {
      double most = -std::numeric_limits<double>::infinity();
      for (const WeightedSet &set : sets)
        most = std::max(most, set.log_weight);
      log_sum_ += most;
      sets_.emplace_back();
      for (const WeightedSet &set : sets)
        sets_.back().push_back({set.parents, Scaled::of_log(set.log_weight - most)});
    }
  }

  unsigned nodes() const { return static_cast<unsigned>(sets_.size()); }

  // The numbers of the sets of a node that are inside, and meet `part` if that is given.
  std::vector<std::uint32_t> sets_inside(unsigned v, std::uint32_t allowed,
                                         std::uint32_t part = 0) const {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < sets_[v].size(); ++i) {
      const std::uint32_t parents = sets_[v][i].parents;
      if (!(parents & ~allowed) && (part == 0 || parents & part))
        numbers.push_back(i);
    }
    return numbers;
  }

  // Each of these networks draws one of these sets for its node.
  void draw_sets(unsigned v, const std::vector<std::uint32_t> &sets,
                 const std::vector<std::size_t> &networks, std::vector<Choice> &choices,
                 Random &random) const {
    std::vector<Scaled> weights;
    for (const std::uint32_t i : sets)
      weights.push_back(sets_[v][i].weight);
    const Wheel wheel(relative(weights));
    for (const std::size_t network : networks)
      choices[network][v] = sets[wheel.draw(random)];
  }

  std::vector<std::vector<ScaledSet>> sets_; // by node
  double log_sum_ = 0, rounding_ = 0;
  std::vector<std::vector<double>> probability_;
};

} // namespace optbn
