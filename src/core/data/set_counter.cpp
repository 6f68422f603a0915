#include "core/data/set_counter.h"

#include "core/base/parallel.h"
#include "core/data/source_counter.h"

#include <algorithm>

namespace optbn {

namespace {

constexpr std::size_t kSetsPerTask = 64;
constexpr std::size_t kSetsPerPoll = 8; // reading the clock takes as long as a few dozen rows

class RowCounter final : public SetCounter {
public:
  explicit RowCounter(const Dataset &data) : rows_(data) {}

  void count(const std::vector<const Node *> &sets, unsigned size, double units, Watch &watch,
             const Visit &visit) override {
    count_rows(rows_.rows, rows_.bits, sets, size, units, watch, visit);
  }

  const CountedRows *rows() const override { return &rows_; }

private:
  const CountedRows rows_;
};

// Of rows with missing values.
class PartialRowCounter final : public SetCounter {
public:
  explicit PartialRowCounter(const Dataset &data) : rows_(distinct_rows(data)), bits_(rows_) {}

  void count(const std::vector<const Node *> &sets, unsigned size, double units, Watch &watch,
             const Visit &visit) override {
    count_rows(rows_, bits_, sets, size, units, watch, visit);
  }

private:
  const Dataset rows_;
  const BitColumns bits_;
};

} // namespace

void count_rows(const Dataset &rows, const BitColumns &bits, const std::vector<const Node *> &sets,
                unsigned size, double units, Watch &watch, const SetCounter::Visit &visit) {
  std::vector<std::unique_ptr<CellCounter>> counters(std::max(1u, watch.host().threads));
  const std::size_t tasks = (sets.size() + kSetsPerTask - 1) / kSetsPerTask;
  parallel_for(watch, tasks, [&](std::size_t task, unsigned worker) {
    if (!counters[worker])
      counters[worker] = std::make_unique<CellCounter>(rows, bits);
    const std::size_t end = std::min(sets.size(), (task + 1) * kSetsPerTask);
    for (std::size_t i = task * kSetsPerTask; i < end; ++i) {
      if (i % kSetsPerPoll == 0 && watch.stopped())
        break;
      visit(i, counters[worker]->count(sets[i], size));
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
