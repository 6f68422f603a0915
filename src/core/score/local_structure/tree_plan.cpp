#include "core/score/local_structure/tree_plan.h"

#include "core/base/errors.h"
#include "core/base/invariant.h"

#include <algorithm>
#include <cmath>

namespace optbn {

namespace {

constexpr unsigned kSmallTableBits = 14;      // always a table
constexpr unsigned kTableBits = 22;           // never a larger one
constexpr double kSparsest = 4;               // codes per occupied box up to which a table pays
constexpr std::size_t kKeptSplits = 1u << 24; // 128 MB
constexpr std::size_t kChunk = 1u << 16;      // splits, unless one box has more

} // namespace

void TreePlan::make(const std::vector<const TreeAxis *> &axes, const CellTally &tally,
                    const Options &options, Watch &watch) {
  codes_.reset(axes);
  options_ = options;
  boxes_.assign(1, Box());
  seen_.assign(1, 0);
  splits_.clear();
  shares_.assign(1, 1);
  share_number_.clear();
  const unsigned bits = codes_.bits();
  dense_ = bits <= kSmallTableBits ||
           (bits <= kTableBits && std::exp2(bits) <= kSparsest * boxes_around_cells(tally));
  if (dense_) {
    table_.reset(codes_);
    sweep(table_, tally, watch);
  } else {
    std::vector<std::uint64_t> cells;
    for (std::size_t cell = 0; cell < tally.cells(); ++cell)
      cells.push_back(codes_.of_cell(tally.key(cell)));
    list_.reset(
        codes_, cells, [&](double further_bytes) { check_memory(further_bytes); }, watch);
    if (watch.stopped())
      return;
    sweep(list_, tally, watch);
  }
  if (watch.stopped())
    return;
  check_memory(0);
  make_chunks();
}

double TreePlan::boxes_around_cells(const CellTally &tally) const {
  double around = 1;
  for (std::size_t i = 0; i < codes_.size(); ++i) {
    const TreeAxis &axis = codes_.axis(i);
    around *= axis.kind() == AxisKind::categorical
                  ? std::exp2(axis.cells() - 1.0)
                  : static_cast<double>(axis.regions_around({axis.cells() / 2}).size());
  }
  return around * static_cast<double>(tally.cells());
}

template <class Positions>
void TreePlan::sweep(Positions &positions, const CellTally &tally, Watch &watch) {
  for (std::size_t cell = 0; cell < tally.cells(); ++cell) {
    const std::uint64_t code = codes_.of_cell(tally.key(cell));
    positions.place(code, static_cast<std::uint32_t>(cell + 1));
    Box box;
    box.rows = tally.rows(cell);
    box.share = share_of(code);
    boxes_.push_back(box);
    seen_.push_back(code);
  }
  positions.for_each(codes_, watch, [&](std::uint64_t code) {
    if (!codes_.is_cell(code))
      positions.place(code, add(code));
  });
}

std::uint32_t TreePlan::add(std::uint64_t code) {
  std::size_t axis = 0;
  while (codes_.axis(axis).is_cell(codes_.region(code, axis)))
    ++axis;
  Box box;
  codes_.axis(axis).first_split(codes_.region(code, axis),
                                [&](std::uint64_t left, std::uint64_t right) {
                                  box.parts = {position(codes_.with_region(code, axis, left)),
                                               position(codes_.with_region(code, axis, right))};
                                });
  box.rows = boxes_[box.parts.left].rows + boxes_[box.parts.right].rows;
  if (box.rows == 0)
    return kEmpty;
  const std::uint64_t seen = options_.by_share ? code : seen_of(code, box.parts);
  if (seen != code)
    return position(seen);
  box.share = share_of(code);
  if (box.rows >= options_.least_rows)
    box.splits = static_cast<std::uint32_t>(std::min(count_splits(code), UINT32_MAX - 1.0));
  boxes_.push_back(box);
  seen_.push_back(code);
  if (boxes_.size() % kBoxesPerPoll == 0)
    check_memory(0);
  return static_cast<std::uint32_t>(boxes_.size() - 1);
}

std::uint64_t TreePlan::seen_of(std::uint64_t code, Split parts) const {
  const std::uint64_t levels = seen_[parts.left] | seen_[parts.right];
  code = (code & ~codes_.categorical()) | (levels & codes_.categorical());
  for (const std::size_t axis : codes_.ordinal()) {
    bool smaller = true; // than it was: look again, for other ends
    while (smaller && !codes_.axis(axis).is_cell(codes_.region(code, axis))) {
      smaller = false;
      codes_.axis(axis).for_each_end(
          codes_.region(code, axis), [&](std::uint64_t end, std::uint64_t rest) {
            if (!smaller && position(codes_.with_region(code, axis, end)) == kEmpty) {
              smaller = true;
              code = codes_.with_region(code, axis, rest);
            }
          });
    }
  }
  return code;
}

double TreePlan::count_splits(std::uint64_t code) const {
  double count = 0;
  for (std::size_t axis = 0; axis < codes_.size(); ++axis)
    count += codes_.axis(axis).splits(codes_.region(code, axis));
  return count;
}

void TreePlan::make_chunks() {
  chunks_.clear();
  kept_at_.clear();
  splits_.clear();
  std::size_t all = 0;
  for (std::size_t i = 1; i < boxes_.size(); ++i) {
    const std::size_t splits = boxes_[i].splits;
    if (chunks_.empty() || chunks_.back().splits + splits > kChunk ||
        chunks_.back().end - chunks_.back().first == kBoxesPerPoll)
      chunks_.push_back({i, i, 0});
    ++chunks_.back().end;
    chunks_.back().splits += splits;
    all += splits;
  }
  if (all > kKeptSplits)
    return;
  splits_.reserve(all);
  for (const Chunk &chunk : chunks_) {
    kept_at_.push_back(splits_.size());
    append_splits(chunk);
  }
}

const TreePlan::Split *TreePlan::splits(std::size_t chunk) {
  if (!kept_at_.empty())
    return splits_.data() + kept_at_[chunk];
  splits_.clear();
  append_splits(chunks_[chunk]);
  return splits_.data();
}

void TreePlan::append_splits(const Chunk &chunk) {
  if (dense_)
    append_splits(chunk, table_);
  else
    append_splits(chunk, list_);
}

template <class Positions>
void TreePlan::append_splits(const Chunk &chunk, const Positions &positions) {
  for (std::size_t i = chunk.first; i < chunk.end; ++i) {
    if (boxes_[i].splits == 0)
      continue;
    const std::uint64_t code = seen_[i];
    for (std::size_t axis = 0; axis < codes_.size(); ++axis) {
      const std::uint64_t whole = codes_.region(code, axis);
      if (codes_.axis(axis).is_cell(whole))
        continue;
      const unsigned shift = codes_.shift(axis);
      const std::uint64_t others = code ^ whole << shift;
      codes_.axis(axis).for_each_split(whole, [&](std::uint64_t left, std::uint64_t right) {
        splits_.push_back({positions[others | left << shift], positions[others | right << shift]});
      });
    }
    if constexpr (kCheckInvariants)
      check_splits(boxes_[i].splits, i);
  }
}

// The last splits, which are those of this box.
void TreePlan::check_splits(std::size_t count, std::size_t box) const {
  OPTBN_INVARIANT(count <= splits_.size(), "a box has as many splits as were counted");
  for (auto split = splits_.end() - static_cast<std::ptrdiff_t>(count); split != splits_.end();
       ++split) {
    OPTBN_INVARIANT(split->left < box && split->right < box, "parts come before the whole");
    OPTBN_INVARIANT(boxes_[split->left].rows + boxes_[split->right].rows == boxes_[box].rows,
                    "a split sends every row one way");
  }
}

std::uint32_t TreePlan::share_of(std::uint64_t code) {
  if (!options_.by_share)
    return 0;
  double share = 1;
  for (std::size_t axis = 0; axis < codes_.size(); ++axis)
    share *= codes_.axis(axis).share(codes_.region(code, axis));
  const auto [entry, is_new] =
      share_number_.try_emplace(share, static_cast<std::uint32_t>(shares_.size()));
  if (is_new)
    shares_.push_back(share);
  return entry->second;
}

void TreePlan::check_memory(double further_bytes) const {
  const double per_box = sizeof(Box) + 8 + options_.bytes_per_box;
  const double needed = further_bytes + per_box * static_cast<double>(boxes_.size()) +
                        4 * static_cast<double>(dense_ ? table_.size() : list_.size());
  if (needed > options_.memory_limit)
    throw MemoryLimit(needed, options_.memory_limit);
}

} // namespace optbn
