#include "core/data/set_counter.h"

#include "core/base/parallel.h"
#include "core/data/source_counter.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace optbn {

namespace {

constexpr std::size_t kSetsPerTask = 64;
constexpr std::size_t kSetsPerPoll = 8; // reading the clock takes as long as a few dozen rows

class RowCounter final : public SetCounter {
public:
  explicit RowCounter(const Dataset &data) : rows_(data) {}

  void count(const std::vector<const Node *> &sets, unsigned size, double units, Watch &watch,
             const Visit &visit) override {
    count_rows(rows_, sets, size, units, watch, visit);
  }

  const CountedRows *rows() const override { return &rows_; }

private:
  const CountedRows rows_;
};

// Of rows with missing values.
class PartialRowCounter final : public SetCounter {
public:
  explicit PartialRowCounter(const Dataset &data) : rows_(data) {}

  void count(const std::vector<const Node *> &sets, unsigned size, double units, Watch &watch,
             const Visit &visit) override {
    count_rows(rows_, sets, size, units, watch, visit);
  }

private:
  const DistinctRows rows_;
};

// The order in which to count the sets: consecutive ones share the columns of the highest ranks,
// as many of these as fit into one number.
std::vector<std::size_t> by_highest_ranks(const std::vector<const Node *> &sets, unsigned size,
                                          const DistinctRows &rows) {
  unsigned bits = 1; // of a rank
  while (rows.rows.columns.size() >> bits)
    ++bits;
  std::vector<std::pair<std::uint64_t, std::size_t>> keys;
  keys.reserve(sets.size());
  std::vector<unsigned> ranks(size);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    std::transform(sets[i], sets[i] + size, ranks.begin(),
                   [&](Node column) { return rows.order.rank(column); });
    std::sort(ranks.begin(), ranks.end(), std::greater<>());
    std::uint64_t key = 0;
    for (unsigned k = 0; k < std::min(size, 64 / bits); ++k)
      key = key << bits | ranks[k];
    keys.emplace_back(key, i);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::size_t> order;
  order.reserve(keys.size());
  for (const auto &[key, i] : keys)
    order.push_back(i);
  return order;
}

} // namespace

void count_rows(const DistinctRows &rows, const std::vector<const Node *> &sets, unsigned size,
                double units, Watch &watch, const SetCounter::Visit &visit) {
  const std::vector<std::size_t> order = by_highest_ranks(sets, size, rows);
  std::vector<std::unique_ptr<CellCounter>> counters(std::max(1u, watch.host().threads));
  const std::size_t tasks = (sets.size() + kSetsPerTask - 1) / kSetsPerTask;
  parallel_for(watch, tasks, [&](std::size_t task, unsigned worker) {
    if (!counters[worker])
      counters[worker] = std::make_unique<CellCounter>(rows);
    const std::size_t end = std::min(sets.size(), (task + 1) * kSetsPerTask);
    for (std::size_t k = task * kSetsPerTask; k < end; ++k) {
      if (k % kSetsPerPoll == 0 && watch.stopped())
        break;
      visit(order[k], counters[worker]->count(sets[order[k]], size));
    }
    watch.advance(static_cast<std::uint64_t>(units / static_cast<double>(tasks)));
  });
}

std::unique_ptr<SetCounter> make_set_counter(const Dataset &data) {
  if (data.source)
    return std::make_unique<SourceCounter>(data);
  if (data.holes())
    return std::make_unique<PartialRowCounter>(data);
  return std::make_unique<RowCounter>(data);
}

} // namespace optbn
