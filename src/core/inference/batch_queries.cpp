#include "core/inference/batch_queries.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <numeric>

namespace optbn {

namespace {

// Rows one after another, and their order: rows with equal patterns of missing levels are
// contiguous, and among these equal rows.
class SortedRows {
public:
  // Column `hidden` counts as missing; none when it is no column.
  SortedRows(const PartialRows &rows, std::size_t hidden)
      : nodes_(rows.columns.size()), cells_(rows.rows * nodes_), order_(rows.rows) {
    for (std::size_t v = 0; v < nodes_; ++v)
      for (std::size_t i = 0; i < rows.rows; ++i)
        cells_[i * nodes_ + v] = v == hidden ? PartialRows::kMissing : rows.columns[v][i];
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      const int by_pattern = compare_patterns(a, b);
      return by_pattern != 0 ? by_pattern < 0 : compare(a, b) < 0;
    });
    for (std::size_t i = 0; i < order_.size(); ++i)
      if (i == 0 || compare(order_[i - 1], order_[i]) != 0)
        first_.push_back(i);
    first_.push_back(order_.size());
  }

  std::size_t distinct() const { return first_.size() - 1; }

  Evidence evidence(std::size_t distinct) const {
    Evidence evidence(static_cast<Node>(nodes_));
    const std::uint16_t *const row = cells_.data() + order_[first_[distinct]] * nodes_;
    for (std::size_t v = 0; v < nodes_; ++v)
      if (row[v] != PartialRows::kMissing)
        evidence.observe(static_cast<Node>(v), row[v]);
    return evidence;
  }

  // visit(row) for all rows that are equal to this one.
  template <class Visit> void for_each_row(std::size_t distinct, Visit visit) const {
    for (std::size_t i = first_[distinct]; i < first_[distinct + 1]; ++i)
      visit(order_[i]);
  }

private:
  int compare(std::size_t a, std::size_t b) const {
    return std::memcmp(cells_.data() + a * nodes_, cells_.data() + b * nodes_,
                       nodes_ * sizeof(std::uint16_t));
  }
  int compare_patterns(std::size_t a, std::size_t b) const {
    const std::uint16_t *const x = cells_.data() + a * nodes_, *const y =
                                                                   cells_.data() + b * nodes_;
    for (std::size_t v = 0; v < nodes_; ++v) {
      const int difference = (x[v] == PartialRows::kMissing) - (y[v] == PartialRows::kMissing);
      if (difference != 0)
        return difference;
    }
    return 0;
  }

  std::size_t nodes_;
  std::vector<std::uint16_t> cells_;
  std::vector<std::size_t> order_, first_; // of each run of equal rows, and the end
};

// What a query stores besides the messages.
enum class Stored { nothing, tables };

// An upper bound for every query: evidence makes tables smaller, and not all of them are stored.
double most_bytes(const JunctionTree &tree, Stored stored) {
  double cells = 0;
  for (std::size_t i = 0; i < tree.tree().size(); ++i) {
    cells += 2 * static_cast<double>(tree.plan(i).separator_cells);
    cells += stored == Stored::tables ? static_cast<double>(tree.plan(i).cells) : 0;
  }
  return cells * sizeof(double);
}

// query(propagation, evidence, distinct row) for every distinct row. Workers fetch chunks of rows;
// their number is limited by memory, so that a query that fits into memory for one thread does so
// for any number of threads.
template <class Query>
void for_each_distinct(const JunctionTree &tree, const SortedRows &rows, Stored stored,
                       double memory_limit, Watch &watch, Query query) {
  constexpr std::size_t kChunk = 256;
  const double most = std::max(1.0, std::floor(memory_limit / most_bytes(tree, stored)));
  const double workers = std::min<double>(std::max(1u, watch.host().threads), most);
  std::atomic<std::size_t> next{0};
  parallel_for(watch, static_cast<std::size_t>(workers), [&](std::size_t, unsigned) {
    Propagation propagation(tree, memory_limit / workers);
    for (;;) {
      throw_if_stopped(watch);
      const std::size_t begin = next.fetch_add(kChunk);
      const std::size_t end = std::min(rows.distinct(), begin + kChunk);
      for (std::size_t i = begin; i < end; ++i) {
        query(propagation, rows.evidence(i), i);
        rows.for_each_row(i, [&](std::size_t) { watch.advance(1); });
      }
      if (end == rows.distinct())
        return;
    }
  });
  throw_if_stopped(watch);
}

} // namespace

std::vector<double> log_probabilities(const JunctionTree &tree, const PartialRows &rows,
                                      double memory_limit, Watch &watch) {
  const SortedRows sorted(rows, rows.columns.size());
  std::vector<double> results(rows.rows);
  for_each_distinct(tree, sorted, Stored::nothing, memory_limit, watch,
                    [&](Propagation &propagation, const Evidence &evidence, std::size_t distinct) {
                      const double log_p = log_probability(propagation, evidence, watch);
                      sorted.for_each_row(distinct, [&](std::size_t row) { results[row] = log_p; });
                    });
  return results;
}

std::vector<double> posteriors(const JunctionTree &tree, const PartialRows &rows, Node node,
                               double memory_limit, Watch &watch) {
  const SortedRows sorted(rows, node);
  const std::size_t levels = tree.levels(node);
  std::vector<double> results(rows.rows * levels);
  for_each_distinct(
      tree, sorted, Stored::tables, memory_limit, watch,
      [&](Propagation &propagation, const Evidence &evidence, std::size_t distinct) {
        std::vector<double> posterior(levels, std::numeric_limits<double>::quiet_NaN());
        try {
          posterior = joint_posterior(propagation, evidence, {node}, watch);
        } catch (const ImpossibleEvidence &) {
          // the posterior stays not a number
        }
        sorted.for_each_row(distinct, [&](std::size_t row) {
          std::copy(posterior.begin(), posterior.end(), results.begin() + row * levels);
        });
      });
  return results;
}

} // namespace optbn
