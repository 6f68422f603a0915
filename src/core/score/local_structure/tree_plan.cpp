#include "core/score/local_structure/tree_plan.h"

#include "core/base/errors.h"
#include "core/base/invariant.h"

#include <algorithm>
#include <cmath>

namespace optbn {

namespace {

constexpr unsigned kSmallTableBits = 14; // always a table
constexpr unsigned kTableBits = 22;      // never a larger one
constexpr double kSparsest = 4;          // codes per occupied box up to which a table pays
constexpr std::size_t kBoxesPerPoll = 1u << 12;
constexpr double kBytesPerListed = 20 + 36;   // a code, its place in the hash table, and its box
constexpr std::size_t kKeptSplits = 1u << 24; // 128 MB
constexpr std::size_t kChunk = 1u << 16;      // splits, unless one box has more

std::uint32_t lowest_bit(std::uint64_t bits) {
  std::uint32_t place = 0;
  while (!(bits >> place & 1))
    ++place;
  return place;
}

} // namespace

unsigned code_bits(const std::vector<const TreeAxis *> &axes) {
  unsigned bits = 0;
  for (const TreeAxis *axis : axes)
    bits += axis->bits();
  return bits;
}

void TreePlan::make(const std::vector<const TreeAxis *> &axes, const CellTally &tally,
                    const Options &options, Watch &watch) {
  axes_ = axes;
  options_ = options;
  shift_.clear();
  mask_.clear();
  root_ = categorical_ = 0;
  ordinal_.clear();
  unsigned bits = 0;
  for (const TreeAxis *axis : axes) {
    shift_.push_back(std::min(bits, 63u)); // an axis without bits may come last
    mask_.push_back(axis->bits() < 64 ? (std::uint64_t{1} << axis->bits()) - 1 : ~std::uint64_t{0});
    root_ |= axis->root() << bits;
    if (axis->kind() == AxisKind::categorical)
      categorical_ |= mask_.back() << bits;
    if (axis->kind() == AxisKind::ordinal)
      ordinal_.push_back(shift_.size() - 1);
    bits += axis->bits();
  }
  boxes_.assign(1, Box());
  seen_.assign(1, 0);
  splits_.clear();
  shares_.assign(1, 1);
  share_number_.clear();

  dense_ = bits <= kSmallTableBits ||
           (bits <= kTableBits && std::exp2(bits) <= kSparsest * boxes_around_cells(tally));
  if (dense_) {
    position_.assign(std::size_t{1} << bits, kEmpty);
    place_cells(tally);
    sweep_table(watch);
  } else {
    list_occupied(tally, watch);
    if (watch.stopped())
      return;
    place_cells(tally);
    sweep_list(watch);
  }
  if (watch.stopped())
    return;
  check_memory(0);
  make_chunks();
}

std::uint32_t TreePlan::position(std::uint64_t code) const {
  if (dense_)
    return position_[code];
  const std::uint32_t listed = slots_[slot_of(code)];
  return listed == kNone ? kEmpty : position_[listed];
}

double TreePlan::boxes_around_cells(const CellTally &tally) const {
  double around = 1;
  for (const TreeAxis *axis : axes_)
    around *= axis->kind() == AxisKind::categorical
                  ? std::exp2(axis->cells() - 1.0)
                  : static_cast<double>(axis->regions_around({axis->cells() / 2}).size());
  return around * static_cast<double>(tally.cells());
}

std::uint64_t TreePlan::code_of_cell(std::uint64_t key) const {
  std::uint64_t code = 0;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    const auto digit = static_cast<std::uint32_t>(key % axes_[axis]->cells());
    code |= axes_[axis]->region_of_cell(digit) << shift_[axis];
    key /= axes_[axis]->cells();
  }
  return code;
}

void TreePlan::place_cells(const CellTally &tally) {
  for (std::size_t cell = 0; cell < tally.cells(); ++cell) {
    const std::uint64_t code = code_of_cell(tally.key(cell));
    position_[dense_ ? code : slots_[slot_of(code)]] = static_cast<std::uint32_t>(cell + 1);
    Box box;
    box.rows = tally.rows(cell);
    box.share = share_of(code);
    boxes_.push_back(box);
    seen_.push_back(code);
  }
}

void TreePlan::list_occupied(const CellTally &tally, Watch &watch) {
  listed_.clear();
  for (const TreeAxis *axis : axes_) // before anything of that size is made
    check_memory(axis->kind() == AxisKind::categorical ? 8 * std::exp2(axis->cells()) : 0);
  std::vector<std::uint64_t> cells;
  for (std::size_t cell = 0; cell < tally.cells(); ++cell)
    cells.push_back(code_of_cell(tally.key(cell)));
  list_boxes(axes_.size(), 0, cells, watch);
  slot_bits_ = 4;
  while ((std::size_t{1} << slot_bits_) < 2 * listed_.size())
    ++slot_bits_;
  slots_.assign(std::size_t{1} << slot_bits_, kNone);
  for (std::size_t i = 0; i < listed_.size(); ++i) {
    if (i % kBoxesPerPoll == 0 && watch.stopped())
      return;
    slots_[slot_of(listed_[i])] = static_cast<std::uint32_t>(i);
  }
  position_.assign(listed_.size(), kEmpty);
}

// Lists the boxes that hold some of these cells, the regions of the last axes being chosen in
// `code`: ascending, as the next axis is the most significant one that is open.
void TreePlan::list_boxes(std::size_t axes, std::uint64_t code,
                          const std::vector<std::uint64_t> &cells, Watch &watch) {
  if (watch.stopped())
    return;
  const std::size_t axis = axes - 1;
  const auto cell_of = [&](std::uint64_t cell_code) {
    const std::uint64_t own = region(cell_code, axis);
    return axes_[axis]->kind() == AxisKind::categorical ? lowest_bit(own)
                                                        : static_cast<std::uint32_t>(own);
  };
  std::vector<std::uint32_t> along;
  for (const std::uint64_t cell : cells)
    along.push_back(cell_of(cell));
  std::sort(along.begin(), along.end());
  along.erase(std::unique(along.begin(), along.end()), along.end());
  const std::vector<std::uint64_t> regions = axes_[axis]->regions_around(along);
  if (axis == 0) {
    for (const std::uint64_t whole : regions)
      listed_.push_back(code | whole);
    check_memory(kBytesPerListed * static_cast<double>(listed_.size()));
    return;
  }
  std::vector<std::uint64_t> held;
  for (const std::uint64_t whole : regions) {
    held.clear();
    for (const std::uint64_t cell : cells)
      if (axes_[axis]->holds(whole, cell_of(cell)))
        held.push_back(cell);
    list_boxes(axis, with_region(code, axis, whole), held, watch);
  }
}

void TreePlan::sweep_table(Watch &watch) {
  std::vector<std::uint64_t> region;
  std::uint64_t code = 0;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    region.push_back(axes_[axis]->first());
    code |= region[axis] << shift_[axis];
  }
  for (std::size_t steps = 0; steps % kBoxesPerPoll != 0 || !watch.stopped(); ++steps) {
    if (!is_cell(code))
      position_[code] = add(code);
    std::size_t axis = 0; // the next code, as an odometer turns
    while (axis < axes_.size() && region[axis] == axes_[axis]->root()) {
      region[axis] = axes_[axis]->first();
      code = with_region(code, axis, region[axis]);
      ++axis;
    }
    if (axis == axes_.size())
      return;
    code = with_region(code, axis, ++region[axis]);
  }
}

void TreePlan::sweep_list(Watch &watch) {
  for (std::size_t i = 0; i < listed_.size(); ++i) {
    if (i % kBoxesPerPoll == 0 && watch.stopped())
      return;
    if (!is_cell(listed_[i]))
      position_[i] = add(listed_[i]);
  }
}

bool TreePlan::is_cell(std::uint64_t code) const {
  for (std::size_t axis = 0; axis < axes_.size(); ++axis)
    if (!axes_[axis]->is_cell(region(code, axis)))
      return false;
  return true;
}

std::uint32_t TreePlan::add(std::uint64_t code) {
  std::size_t axis = 0;
  while (axes_[axis]->is_cell(region(code, axis)))
    ++axis;
  Box box;
  axes_[axis]->first_split(region(code, axis), [&](std::uint64_t left, std::uint64_t right) {
    box.parts = {position(with_region(code, axis, left)), position(with_region(code, axis, right))};
  });
  box.rows = boxes_[box.parts.left].rows + boxes_[box.parts.right].rows;
  if (box.rows == 0)
    return kEmpty;
  const std::uint64_t seen = options_.by_share ? code : seen_of(code, box.parts);
  if (seen != code)
    return position(seen);
  box.share = share_of(code);
  if (box.rows >= options_.least_rows)
    box.splits = static_cast<std::uint32_t>(std::min(count_splits(code), kNone - 1.0));
  boxes_.push_back(box);
  seen_.push_back(code);
  if (boxes_.size() % kBoxesPerPoll == 0)
    check_memory(0);
  return static_cast<std::uint32_t>(boxes_.size() - 1);
}

std::uint64_t TreePlan::seen_of(std::uint64_t code, Split parts) const {
  const std::uint64_t levels = seen_[parts.left] | seen_[parts.right];
  code = (code & ~categorical_) | (levels & categorical_);
  for (const std::size_t axis : ordinal_) {
    bool smaller = true; // than it was: look again, for other ends
    while (smaller && !axes_[axis]->is_cell(region(code, axis))) {
      smaller = false;
      axes_[axis]->for_each_end(region(code, axis), [&](std::uint64_t end, std::uint64_t rest) {
        if (!smaller && position(with_region(code, axis, end)) == kEmpty) {
          smaller = true;
          code = with_region(code, axis, rest);
        }
      });
    }
  }
  return code;
}

double TreePlan::count_splits(std::uint64_t code) const {
  double count = 0;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis)
    count += axes_[axis]->splits(region(code, axis));
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
  for (std::size_t i = chunk.first; i < chunk.end; ++i) {
    if (boxes_[i].splits == 0)
      continue;
    const std::uint64_t code = seen_[i];
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
      const std::uint64_t whole = region(code, axis);
      if (axes_[axis]->is_cell(whole))
        continue;
      const unsigned shift = shift_[axis];
      const std::uint64_t others = code ^ whole << shift;
      axes_[axis]->for_each_split(whole, [&](std::uint64_t left, std::uint64_t right) {
        splits_.push_back({position(others | left << shift), position(others | right << shift)});
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
  for (std::size_t axis = 0; axis < axes_.size(); ++axis)
    share *= axes_[axis]->share(region(code, axis));
  const auto [entry, is_new] =
      share_number_.try_emplace(share, static_cast<std::uint32_t>(shares_.size()));
  if (is_new)
    shares_.push_back(share);
  return entry->second;
}

void TreePlan::check_memory(double further_bytes) const {
  const double per_box = sizeof(Box) + 8 + options_.bytes_per_box;
  const double needed = further_bytes + per_box * static_cast<double>(boxes_.size()) +
                        4 * static_cast<double>(position_.size());
  if (needed > options_.memory_limit)
    throw MemoryLimit(needed, options_.memory_limit);
}

std::size_t TreePlan::slot_of(std::uint64_t code) const {
  std::size_t slot = code * 0x9E3779B97F4A7C15u >> (64 - slot_bits_);
  while (slots_[slot] != kNone && listed_[slots_[slot]] != code)
    slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

} // namespace optbn
