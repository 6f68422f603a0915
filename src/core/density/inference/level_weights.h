// LevelWeights: evidence as the logarithm of a weight for every level of every variable.
//
// An observed level has weight 1 and the other levels of its variable 0; a likelihood gives the
// weights; without evidence all levels have weight 1. Immutable, so safe to share between threads.
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
      : first_(levels.size() + 1, 0), has_evidence_(levels.size(), false) {
    for (std::size_t v = 0; v < levels.size(); ++v)
      first_[v + 1] = first_[v] + levels[v];
    logs_.assign(first_.back(), 0.0);
    for (Node v = 0; v < levels.size(); ++v) {
      if (!evidence.observed(v))
        continue;
      has_evidence_[v] = true;
      for (unsigned level = 0; level < levels[v]; ++level)
        if (static_cast<std::int32_t>(level) != evidence.level(v))
          logs_[first_[v] + level] = kLogZero;
    }
    for (const auto &[v, likelihood] : evidence.likelihoods()) {
      has_evidence_[v] = true;
      for (unsigned level = 0; level < levels[v]; ++level)
        logs_[first_[v] + level] += std::log(likelihood[level]);
    }
  }

  // If not, all its levels have weight 1.
  bool has_evidence(Node v) const { return has_evidence_[v]; }
  const double *logs(Node v) const { return logs_.data() + first_[v]; }

  // The index of a variable's first level in arrays over all levels, and the size of these arrays.
  std::size_t first(Node v) const { return first_[v]; }
  std::size_t cells() const { return first_.back(); }

  // Of a complete row; minus infinity for a row that the evidence excludes.
  double log_weight(const Row &row) const {
    double sum = 0;
    for (Node v = 0; v < has_evidence_.size(); ++v)
      if (has_evidence_[v])
        sum += logs(v)[row[v]];
    return sum;
  }

private:
  std::vector<std::size_t> first_;
  std::vector<char> has_evidence_;
  std::vector<double> logs_;
};

} // namespace optbn
