#include "core/score/table/predictive_score.h"

#include "core/score/table/score_by_cells.h"

#include <cmath>
#include <stdexcept>

namespace optbn {

namespace {

struct Counts {
  std::vector<double> known, fresh; // data rows and new rows of a cell, by level of the child
};

// Of a cell with `rows` data rows.
CellScore predict(const Counts &counts, double rows, double iss, double configurations) {
  CellScore sum;
  const auto r = static_cast<double>(counts.known.size());
  const double alpha = iss / (r * configurations);
  for (std::size_t k = 0; k < counts.known.size(); ++k) {
    if (counts.fresh[k] == 0)
      continue;
    const bool seen = counts.known[k] > 0;
    if (!seen && iss == 0)
      return {-LocalScore::kInfinity, -LocalScore::kInfinity};
    // (Of many parents alpha could be lost in rounding.)
    const double probability = rows > 0 ? (counts.known[k] + alpha) / (rows + r * alpha) : 1 / r;
    sum.score += counts.fresh[k] * std::log(probability);
    if (!seen)
      sum.superset_bound -= counts.fresh[k] * std::log(r);
  }
  return sum;
}

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

void PredictiveScore::score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) {
  const Dataset &rows = pooled_->rows;
  score_by_cells<Counts>(rows, batch, watch, result, [&](Counts &counts, const FamilyCell &cell) {
    counts.known.assign(cell.child.levels, 0);
    counts.fresh.assign(cell.child.levels, 0);
    double known = 0;
    for (const std::uint32_t *row = cell.begin; row != cell.end; ++row)
      if (*row < pooled_->first_new) {
        counts.known[cell.child.codes[*row]] += rows.weight(*row);
        known += rows.weight(*row);
      } else {
        ++counts.fresh[cell.child.codes[*row]];
      }
    return predict(counts, known, iss_, cell.configurations);
  });
}

} // namespace optbn
