// AveragedScore ("bdla"): BDeu averaged over imaginary sample sizes, locally.
//
// Cano, Gomez-Olmedo, Masegosa & Moral (2013, International Journal of Approximate Reasoning 54,
// 526-540). A configuration of the parents has the mean of its marginal likelihoods under l
// imaginary sample sizes,
//     s_a = 2^((1 - l) / 2 + a),    a = 0 ... l - 1
// and the score of a node is the sum of the logarithms of these means. Of a node without parents it
// is the mean of the logarithms, as in bnlearn.
//
// Its bound: under each sample size the first row of a configuration was predicted with probability
// 1/r, and larger sets have no fewer configurations.
#pragma once

#include "core/score/local_score.h"

namespace optbn {

class AveragedScore final : public LocalScore {
public:
  AveragedScore(const Dataset &data, unsigned sizes);

  void score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) override;

private:
  // The logarithms of the marginal likelihoods of counts under all sample sizes.
  std::vector<double> marginals(const std::vector<double> &counts, double configurations) const;

  const Dataset &data_;
  std::vector<double> size_; // imaginary
};

} // namespace optbn
