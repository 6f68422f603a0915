#include "core/score/table/predictive_score.h"

#include "core/score/cell_rows.h"
#include "core/score/parent_groups.h"

#include <cmath>
#include <stdexcept>

namespace optbn {

namespace {

template <class T> void append(std::vector<T> &all, const std::vector<T> &more) {
  all.insert(all.end(), more.begin(), more.end());
}

} // namespace

PooledRows::PooledRows(const Dataset &data, const Dataset &newdata)
    : rows(data), first_new(data.rows) {
  if (newdata.size() != data.size())
    throw std::invalid_argument("the new rows have other columns");
  rows.rows += newdata.rows;
  for (Node v = 0; v < data.size(); ++v) {
    append(rows.columns[v].codes, newdata.columns[v].codes);
    append(rows.columns[v].values, newdata.columns[v].values);
  }
  if (data.weighted())
    rows.weights.resize(rows.rows, 1);
}

PredictiveScore::Scored PredictiveScore::score_cell(const Counts &counts, double rows,
                                                    double alpha) const {
  Scored sums{0, 0};
  const auto r = static_cast<double>(counts.known.size());
  for (std::size_t k = 0; k < counts.known.size(); ++k) {
    if (counts.fresh[k] == 0)
      continue;
    const bool seen = counts.known[k] > 0;
    if (!seen && iss_ == 0)
      return {-kInfinity, -kInfinity};
    // (Of many parents alpha could be lost in rounding.)
    const double probability = rows > 0 ? (counts.known[k] + alpha) / (rows + r * alpha) : 1 / r;
    sums.score += counts.fresh[k] * std::log(probability);
    if (!seen)
      sums.superset_bound -= counts.fresh[k] * std::log(r);
  }
  return sums;
}

void PredictiveScore::score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) {
  const Dataset &rows = pooled_->rows;
  const ParentGroups groups(batch, rows.size());
  std::vector<std::vector<double>> bounds(groups.size()); // of the children of each group, in order
  const auto solve = [&](Counts &counts, std::size_t group, const std::vector<Node> &children) {
    const std::vector<Node> parents(groups.parents(group), groups.parents(group) + batch.parents);
    const CellRows cells(rows, parents);
    double configurations = 1;
    for (const Node u : parents)
      configurations *= rows.columns[u].levels;
    std::vector<double> scores;
    for (const Node v : children) {
      const Column &child = rows.columns[v];
      Scored sums{0, 0};
      for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        counts.known.assign(child.levels, 0);
        counts.fresh.assign(child.levels, 0);
        double known = 0;
        for (const std::uint32_t *row = cells.begin(cell); row != cells.end(cell); ++row)
          if (*row < pooled_->first_new) {
            counts.known[child.codes[*row]] += rows.weight(*row);
            known += rows.weight(*row);
          } else {
            ++counts.fresh[child.codes[*row]];
          }
        const Scored one = score_cell(counts, known, iss_ / (child.levels * configurations));
        sums.score += one.score;
        sums.superset_bound += one.superset_bound;
      }
      scores.push_back(sums.score);
      bounds[group].push_back(sums.superset_bound);
    }
    return scores;
  };
  groups.score(
      watch, result, [] { return std::make_unique<Counts>(); }, [](std::size_t) { return 1; },
      solve);
  result.superset_bound.assign(batch.size(), kInfinity);
  if (watch.stopped())
    return;
  std::vector<std::size_t> next(groups.size(), 0);
  for (std::size_t i = 0; i < batch.size(); ++i)
    result.superset_bound[i] = bounds[groups.group(i)][next[groups.group(i)]++];
}

} // namespace optbn
