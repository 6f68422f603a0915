#include "core/score/table/averaged_score.h"

#include "core/base/log_gamma.h"
#include "core/score/cell_rows.h"
#include "core/score/parent_groups.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace optbn {

namespace {

double log_rising(double alpha, double n) { return log_gamma(alpha + n) - log_gamma(alpha); }

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
  const ParentGroups groups(batch, data_.size());
  std::vector<double> configurations(groups.size()); // that occur
  using Counts = std::vector<double>;
  const auto solve = [&](Counts &counts, std::size_t group, const std::vector<Node> &children) {
    const std::vector<Node> parents(groups.parents(group), groups.parents(group) + batch.parents);
    const CellRows cells(data_, parents);
    configurations[group] = static_cast<double>(cells.size());
    double declared = 1;
    for (const Node u : parents)
      declared *= data_.columns[u].levels;
    std::vector<double> scores;
    for (const Node v : children) {
      const Column &child = data_.columns[v];
      scores.push_back(0);
      for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        counts.assign(child.levels, 0);
        for (const std::uint32_t *row = cells.begin(cell); row != cells.end(cell); ++row)
          counts[child.codes[*row]] += data_.weight(*row);
        const std::vector<double> log = marginals(counts, declared);
        scores.back() += parents.empty() ? mean(log) : log_mean_exp(log);
      }
    }
    return scores;
  };
  groups.score(
      watch, result, [] { return std::make_unique<Counts>(); }, [](std::size_t) { return 1; },
      solve);
  result.superset_bound.resize(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i)
    result.superset_bound[i] =
        -std::log(data_.columns[batch.child[i]].levels) * configurations[groups.group(i)];
}

std::vector<double> AveragedScore::marginals(const std::vector<double> &counts,
                                             double configurations) const {
  const auto r = static_cast<double>(counts.size());
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  std::vector<double> log;
  for (const double size : size_) {
    double sum = -log_rising(size / configurations, total);
    for (const double n : counts)
      if (n > 0)
        sum += log_rising(size / (r * configurations), n);
    log.push_back(sum);
  }
  return log;
}

} // namespace optbn
