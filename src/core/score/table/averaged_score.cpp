#include "core/score/table/averaged_score.h"

#include "core/base/log_gamma.h"
#include "core/score/table/score_by_cells.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace optbn {

namespace {

double log_mean_exp(const std::vector<double> &x) {
  const double most = *std::max_element(x.begin(), x.end());
  double sum = 0;
  for (const double one : x)
    sum += std::exp(one - most);
  return most + std::log(sum / static_cast<double>(x.size()));
}

double mean(const std::vector<double> &x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

} // namespace

AveragedScore::AveragedScore(const Dataset &data, unsigned sizes) : data_(data) {
  for (unsigned a = 0; a < sizes; ++a)
    size_.push_back(std::exp2((1 - static_cast<double>(sizes)) / 2 + a));
}

void AveragedScore::score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) {
  using Counts = std::vector<double>;
  score_by_cells<Counts>(data_, batch, watch, result, [&](Counts &counts, const FamilyCell &cell) {
    counts.assign(cell.child.levels, 0);
    for (const std::uint32_t *row = cell.begin; row != cell.end; ++row)
      counts[cell.child.codes[*row]] += data_.weight(*row);
    const std::vector<double> log = marginals(counts, cell.configurations);
    return CellScore{cell.parents == 0 ? mean(log) : log_mean_exp(log),
                     -std::log(cell.child.levels)};
  });
}

std::vector<double> AveragedScore::marginals(const std::vector<double> &counts,
                                             double configurations) const {
  const auto r = static_cast<double>(counts.size());
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  std::vector<double> log;
  for (const double size : size_) {
    const double alpha = size / (r * configurations), gamma_of_alpha = log_gamma(alpha);
    double sum = log_gamma(r * alpha) - log_gamma(r * alpha + total);
    for (const double n : counts)
      if (n > 0)
        sum += log_gamma(alpha + n) - gamma_of_alpha;
    log.push_back(sum);
  }
  return log;
}

} // namespace optbn
