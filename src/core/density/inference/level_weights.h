// LevelWeights: evidence as a density reads it, the logarithm of a weight for every level of every
// variable.
//
// An observed level has weight 1 and its neighbours 0, a likelihood gives its own weights, and what
// nothing is known about weighs 1. Immutable, so safe to share between threads.
#pragma once

#include "core/base/log_sum.h"
#include "core/data/evidence.h"

#include <cmath>
#include <cstddef>
#include <vector>

namespace optbn {

class LevelWeights {
public:
  LevelWeights(const std::vector<unsigned> &levels, const Evidence &evidence)
      : first_(levels.size() + 1, 0), about_(levels.size(), false) {
    for (std::size_t v = 0; v < levels.size(); ++v)
      first_[v + 1] = first_[v] + levels[v];
    logs_.assign(first_.back(), 0.0);
    for (Node v = 0; v < levels.size(); ++v) {
      if (!evidence.observed(v))
        continue;
      about_[v] = true;
      for (unsigned level = 0; level < levels[v]; ++level)
        if (static_cast<std::int32_t>(level) != evidence.level(v))
          logs_[first_[v] + level] = kLogZero;
    }
    for (const auto &[v, likelihood] : evidence.likelihoods()) {
      about_[v] = true;
      for (unsigned level = 0; level < levels[v]; ++level)
        logs_[first_[v] + level] += std::log(likelihood[level]);
    }
  }

  bool has_evidence(Node v) const { return about_[v]; } // otherwise all its levels weigh 1
  const double *logs(Node v) const { return logs_.data() + first_[v]; }

  // Where the levels of a variable begin in arrays that hold those of all, and how many they hold.
  std::size_t first(Node v) const { return first_[v]; }
  std::size_t cells() const { return first_.back(); }

  // Of a whole row; minus infinity for a row that the evidence excludes.
  double log_weight(const Row &row) const {
    double sum = 0;
    for (Node v = 0; v < about_.size(); ++v)
      if (about_[v])
        sum += logs(v)[row[v]];
    return sum;
  }

private:
  std::vector<std::size_t> first_;
  std::vector<char> about_;
  std::vector<double> logs_;
};

} // namespace optbn
