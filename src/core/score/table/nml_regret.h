// NmlRegret: what the normalised maximum likelihood pays for k levels that were fitted to n rows.
//
//     regret(n, k) = log of the sum, over all sequences of n levels, of their maximal likelihoods
// Exact up to 1,000 rows and 100 levels, by the recurrence of Kontkanen & Myllymaki (2007, doi
// 10.1016/j.ipl.2007.04.003),
//     C(n, k + 2) = C(n, k + 1) + n / k C(n, k)
// and beyond by the smaller one of two approximations of Szpankowski & Weinberger (2012, IEEE
// Transactions on Information Theory 58, 4094-4104): the bounds and the numbers of bnlearn.
#pragma once

#include "core/base/n_log_n.h"

#include <cstdint>
#include <vector>

namespace optbn {

class NmlRegret {
public:
  NmlRegret() = default;
  // For up to `rows` rows.
  explicit NmlRegret(std::uint64_t rows);

  double operator()(std::uint64_t n, double k) const;

private:
  std::vector<double> of_two_; // C(n, 2), by n
};

// n log n + regret(n, k) for one k. Immutable once made.
class RegrettedCount {
public:
  // Tabulated for n up to `most`, or up to a few thousand where that is less; computed beyond.
  RegrettedCount(const NmlRegret &regret, double levels, std::uint64_t most);

  double operator()(std::uint64_t n) const { return n < table_.size() ? table_[n] : compute(n); }

private:
  double compute(std::uint64_t n) const;

  NmlRegret regret_;
  NLogN n_log_n_;
  double levels_;
  std::vector<double> table_;
};

} // namespace optbn
