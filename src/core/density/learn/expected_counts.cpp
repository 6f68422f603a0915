#include "core/density/learn/expected_counts.h"

#include "core/base/log_sum.h"
#include "core/base/parallel.h"
#include "core/density/counts/slice.h"
#include "core/density/inference/pair_posteriors.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace optbn {

namespace {

// Strips of rows that are counted apart; a few, as each has a table of counts.
std::size_t strips_for(std::size_t items) {
  constexpr std::size_t kMostStrips = 8, kMostCells = std::size_t{1} << 24; // 128 MB
  return std::clamp<std::size_t>(kMostCells / (items * items + 1), 1, kMostStrips);
}

void add_counts(const PairCounts &from, std::size_t items, PairCounts &to) {
  for (std::size_t i = 0; i < items; ++i)
    std::transform(from.row(i) + i, from.row(i) + items, to.row(i) + i, to.row(i) + i,
                   std::plus<>());
}

// How the levels of v are distributed in the rows that know it, with one row more as in the whole
// data, so that rows of which none knows it have an answer.
std::vector<double> shares_of_levels(const TrainingRows &rows, const std::vector<double> &weights,
                                     Node v) {
  std::vector<double> whole(rows.levels(v), 0.0), shares(rows.levels(v), 0.0);
  for (std::size_t r = 0; r < rows.rows(); ++r)
    if (const std::uint16_t level = rows.cells().columns[v][r]; level != PartialRows::kMissing) {
      whole[level] += rows.weight(r);
      shares[level] += weights[r];
    }
  const double known = std::accumulate(whole.begin(), whole.end(), 0.0);
  const double sum = std::accumulate(shares.begin(), shares.end(), 1.0);
  for (unsigned level = 0; level < rows.levels(v); ++level)
    shares[level] =
        (shares[level] + (known > 0 ? whole[level] / known : 1.0 / rows.levels(v))) / sum;
  return shares;
}

TreeDensity independent(const TrainingRows &rows, const std::vector<double> &weights) {
  TreeDensity tree;
  for (Node v = 0; v < rows.variables(); ++v) {
    const std::uint32_t node = tree.add(v, rows.levels(v), TreeDensity::kRoot);
    const std::vector<double> shares = shares_of_levels(rows, weights, v);
    std::copy(shares.begin(), shares.end(),
              tree.tables.begin() + static_cast<std::ptrdiff_t>(tree.nodes[node].table));
  }
  return tree;
}

// A variable of two levels for each: is it known?
TrainingRows known_of(const TrainingRows &rows) {
  PartialRows known = rows.cells();
  for (auto &column : known.columns)
    for (std::uint16_t &level : column)
      level = level != PartialRows::kMissing;
  return {std::move(known), std::vector<unsigned>(rows.variables(), 2), {}};
}

// Multiplies what the counts of two variables differ by from those of independent ones by `factor`,
// or by less where a cell would lose more than half of it.
class Strengthening {
public:
  explicit Strengthening(const Items &items) : items_(items) {}

  void apply(Node u, Node v, double factor, PairCounts &counts) {
    const unsigned rows = items_.levels(u), columns = items_.levels(v);
    table_.resize(std::size_t{rows} * columns);
    of_u_.resize(rows);
    of_v_.resize(columns);
    table_counts(counts, items_, u, v, table_.data());
    level_counts(counts, items_, u, of_u_.data());
    level_counts(counts, items_, v, of_v_.data());
    for (unsigned y = 0; y < columns; ++y)
      for (unsigned x = 0; x < rows; ++x) {
        const double count = table_[y * rows + x], apart = of_u_[x] * of_v_[y] / counts.total;
        if (count < apart)
          factor = std::min(factor, (apart - count / 2) / (apart - count));
      }
    for (unsigned y = 1; y < columns; ++y)
      for (unsigned x = 1; x < rows; ++x) {
        const std::size_t one = items_.first(u) + x - 1, other = items_.first(v) + y - 1;
        const double apart = of_u_[x] * of_v_[y] / counts.total;
        counts.row(one)[other] = counts.row(other)[one] =
            apart + factor * (table_[y * rows + x] - apart);
      }
  }

private:
  const Items &items_;
  std::vector<double> table_, of_u_, of_v_;
};

} // namespace

ExpectedCounts expected_counts(const TreeDensity &tree, const TrainingRows &rows,
                               const std::vector<double> &weights, Watch &watch) {
  constexpr std::size_t kRowsAtOnce = 64; // between two looks at the watch
  const std::size_t items = rows.items().size(), count = rows.rows(), strips = strips_for(items);
  std::vector<ExpectedCounts> parts;
  for (std::size_t s = 0; s < strips; ++s)
    parts.push_back({PairCounts(items)});
  const auto count_strip = [&](std::size_t s, unsigned) {
    PairPosteriors posteriors(tree, rows.items());
    parts[s].counts.clear();
    const std::size_t begin = count * s / strips, end = count * (s + 1) / strips;
    for (std::size_t r = begin; r < end; ++r) {
      if ((r - begin) % kRowsAtOnce == 0 && watch.stopped())
        return;
      if (weights[r] > 0)
        parts[s].log_likelihood +=
            weights[r] * posteriors.add(rows.cells(), r, weights[r], parts[s].counts);
    }
  };
  parallel_for(watch, strips, count_strip);
  throw_if_stopped(watch);
  for (std::size_t s = 1; s < strips; ++s) {
    add_counts(parts[s].counts, items, parts[0].counts);
    parts[0].log_likelihood += parts[s].log_likelihood;
  }
  parts[0].counts.mirror();
  parts[0].counts.total = std::accumulate(weights.begin(), weights.end(), 0.0);
  return std::move(parts[0]);
}

PairCounts available_counts(const TrainingRows &rows, const std::vector<double> &weights,
                            Watch &watch) {
  PairCounts counts = expected_counts(independent(rows, weights), rows, weights, watch).counts;
  const TrainingRows known = known_of(rows);
  const PairCounts together = Slice(known, weights).counted(&watch);
  Strengthening strengthening(rows.items());
  for (Node v = 1; v < rows.variables(); ++v)
    for (Node u = 0; u < v; ++u)
      if (together.row(u)[v] > 0)
        strengthening.apply(u, v, together.total / together.row(u)[v], counts);
  return counts;
}

} // namespace optbn
