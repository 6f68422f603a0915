#include "core/density/learn/expected_counts.h"

#include "core/base/log_sum.h"
#include "core/base/pace.h"
#include "core/base/parallel.h"
#include "core/density/counts/slice.h"
#include "core/density/inference/pair_posteriors.h"

#include <algorithm>
#include <cmath>
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

// Levels from 1, and 0 where they are missing, so that items are all levels.
TrainingRows with_level_missing(const TrainingRows &rows) {
  PartialRows cells = rows.cells();
  for (auto &column : cells.columns)
    for (std::uint16_t &level : column)
      level = level == PartialRows::kMissing ? 0 : static_cast<std::uint16_t>(level + 1);
  std::vector<unsigned> levels = rows.levels();
  for (unsigned &count : levels)
    ++count;
  return {std::move(cells), std::move(levels), {}};
}

// Makes the counts of two variables as dependent as in the rows that know both, with the margins
// that they have: iterative proportional fitting (Deming & Stephan 1940), which keeps odds ratios.
class PairFitting {
public:
  // `known`: of with_level_missing().
  PairFitting(const Items &items, const Items &known_items, const PairCounts &known)
      : items_(items), known_items_(known_items), known_(known) {}

  void fit(Node u, Node v, PairCounts &counts) {
    const unsigned rows = items_.levels(u), columns = items_.levels(v);
    of_u_.resize(rows);
    of_v_.resize(columns);
    level_counts(counts, items_, u, of_u_.data());
    level_counts(counts, items_, v, of_v_.data());
    begin(u, v, counts);
    constexpr unsigned kMostRounds = 200;
    double moved = counts.total;
    for (unsigned round = 0; round < kMostRounds && moved > 1e-9 * counts.total; ++round) {
      moved = 0;
      for (unsigned y = 0; y < columns; ++y)
        moved += scale(table_.data() + y * rows, rows, 1, of_v_[y]);
      for (unsigned x = 0; x < rows; ++x)
        moved += scale(table_.data() + x, columns, rows, of_u_[x]);
    }
    for (unsigned y = 1; y < columns; ++y)
      for (unsigned x = 1; x < rows; ++x) {
        const std::size_t one = items_.first(u) + x - 1, other = items_.first(v) + y - 1;
        counts.row(one)[other] = counts.row(other)[one] = table_[y * rows + x];
      }
  }

private:
  // Other rows hardly count, but make possible what they may hold.
  void begin(Node u, Node v, const PairCounts &counts) {
    constexpr double kOthers = 1e-3;
    const unsigned rows = items_.levels(u), columns = items_.levels(v);
    table_.resize(std::size_t{rows} * columns);
    table_counts(counts, items_, u, v, table_.data());
    for (unsigned y = 0; y < columns; ++y)
      for (unsigned x = 0; x < rows; ++x) {
        const double both = known_.row(known_items_.first(u) + x)[known_items_.first(v) + y];
        double &count = table_[y * rows + x];
        count = both + kOthers * std::max(count - both, 0.0);
      }
  }

  // Makes cells add up to a margin; returns by how much they did not.
  static double scale(double *cells, std::size_t count, std::size_t stride, double margin) {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i)
      sum += cells[i * stride];
    for (std::size_t i = 0; i < count && sum > 0; ++i)
      cells[i * stride] *= margin / sum;
    return std::abs(margin - sum);
  }

  const Items &items_, &known_items_;
  const PairCounts &known_;
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
      if ((r - begin) % kRowsAtOnce == 0) {
        watch.advance(std::min(kRowsAtOnce, end - r));
        if (watch.stopped())
          return;
      }
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
  const TrainingRows known_rows = with_level_missing(rows);
  const PairCounts known = Slice(known_rows, weights).counted(&watch);
  PairFitting fitting(rows.items(), known_rows.items(), known);
  Pace pace(&watch);
  for (Node v = 1; v < rows.variables(); ++v)
    for (Node u = 0; u < v; ++u) {
      fitting.fit(u, v, counts);
      pace.advance(std::uint64_t{64} * rows.levels(u) * rows.levels(v));
    }
  return counts;
}

} // namespace optbn
