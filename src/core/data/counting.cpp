#include "core/data/counting.h"

#include "core/base/invariant.h"
#include "core/base/simd/popcount.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace optbn {

namespace {

constexpr std::uint32_t kNone = UINT32_MAX;
constexpr std::uint64_t kNoPair = UINT64_MAX;

// Passes over so many words of bit maps take about as long as one over an entry of a list: to split
// it, and to count it. To split it takes so many times as long as to count it.
constexpr double kWordsToSplit = 2, kWordsToCount = 4, kSplit = 2.5;

// A table of pairs is at most so many times as large as the number of those that occur.
constexpr std::size_t kSparsest = 4, kAlwaysSmall = 1024;

// Cells of one entry are removed from a list if they are at least such a share of the entries.
constexpr std::size_t kSmallestShare = 8;

[[maybe_unused]] std::uint64_t rows_of(const CellCounts &cells) {
  return std::accumulate(cells.counts.begin(), cells.counts.end(), std::uint64_t{cells.singletons});
}

// Appends the counts of cells to some that are there, with room for `most`.
class Emitter {
public:
  Emitter(CellCounts &cells, std::size_t most) : cells_(cells), size_(cells.counts.size()) {
    cells.counts.resize(size_ + most + 1);
    out_ = cells.counts.data() + size_;
  }
  ~Emitter() { cells_.counts.resize(static_cast<std::size_t>(out_ - cells_.counts.data())); }

  void operator()(std::uint32_t count) { // counts of 0 and 1 are overwritten by the next
    *out_ = count;
    out_ += count > 1;
    cells_.singletons += count == 1;
  }

private:
  CellCounts &cells_;
  std::size_t size_;
  std::uint32_t *out_;
};

} // namespace

void PairNumbers::clear(std::size_t cells, std::size_t levels, std::size_t most_pairs) {
  levels_ = levels;
  pair_.clear();
  if (cells * levels <= std::max(kAlwaysSmall, kSparsest * most_pairs)) {
    number_.assign(cells * levels, 0);
    return;
  }
  std::size_t slots = 16;
  while (slots < 2 * most_pairs)
    slots *= 2;
  number_.assign(slots, 0);
  pair_.assign(slots, kNoPair);
}

std::size_t PairNumbers::slot(std::uint64_t pair) {
  const std::size_t mask = pair_.size() - 1;
  const std::uint64_t hash = pair * 0x9e3779b97f4a7c15u;
  std::size_t slot = (hash ^ hash >> 32) & mask;
  while (pair_[slot] != kNoPair && pair_[slot] != pair)
    slot = (slot + 1) & mask;
  pair_[slot] = pair;
  return slot;
}

CellCounter::CellCounter(const DistinctRows &data)
    : rows_(data.rows), bits_(data.bits), order_(data.order), holes_(data.rows.holes()),
      prefixes_(1) {
  start(prefixes_[0]);
}

void CellCounter::start(Prefix &prefix) const {
  prefix.most_entries = prefix.entries_per_set = static_cast<double>(rows_.rows);
  const std::size_t words = bits_.words();
  prefix.as_bits = words > 0;
  if (!prefix.as_bits)
    return;
  prefix.bits.assign(words, ~std::uint64_t{0});
  if (rows_.total % 64)
    prefix.bits.back() = (std::uint64_t{1} << (rows_.total % 64)) - 1;
  prefix.sizes.assign(1, static_cast<std::uint32_t>(rows_.total));
}

const CellCounts &CellCounter::count(const Node *columns, unsigned size) {
  cells_.counts.clear();
  cells_.singletons = 0;
  if (size == 0) {
    cells_.counts.push_back(static_cast<std::uint32_t>(rows_.total));
    return cells_;
  }
  columns_.assign(columns, columns + size);
  std::sort(columns_.begin(), columns_.end(),
            [this](Node a, Node b) { return order_.rank(a) > order_.rank(b); });
  const unsigned last_depth = size - 1;
  unsigned shared = 0;
  while (shared < std::min(depth_, last_depth) && prefixes_[shared + 1].last == columns_[shared])
    ++shared;
  if (prefixes_.size() <= last_depth)
    prefixes_.resize(last_depth + 1);
  for (depth_ = shared; depth_ < last_depth; ++depth_)
    split(depth_, columns_[depth_]);

  if (by_bits(prefixes_[last_depth], columns_.back()))
    count_bits(prefixes_[last_depth], columns_.back());
  else
    count_list(list_of(last_depth), columns_.back());
  OPTBN_INVARIANT(rows_of(cells_) == rows_.total || (holes_ && rows_of(cells_) < rows_.total),
                  "every row is in one cell, or misses a value");
  return cells_;
}

void CellCounter::split(unsigned depth, Node column) {
  const Prefix &parent = prefixes_[depth];
  Prefix &child = prefixes_[depth + 1];
  const double levels = rows_.columns[column].levels;
  child.last = column;
  child.cells = parent.cells * levels;
  const unsigned rank = order_.rank(column); // as many sets can share this prefix
  child.most_entries = std::min(
      parent.most_entries, child.cells * static_cast<double>(order_.configurations_below(rank)));
  child.entries_per_set = child.most_entries + kSplit * parent.most_entries / std::max(rank, 1u);
  child.list.made = false;
  child.as_bits =
      parent.as_bits && bits_.packed(column) &&
      static_cast<double>(parent.bits.size()) * levels <= kWordsToSplit * child.entries_per_set;
  if (child.as_bits) {
    split_bits(parent, column, child);
    child.cells = static_cast<double>(child.sizes.size());
  }
}

void CellCounter::split_bits(const Prefix &parent, Node column, Prefix &child) const {
  const std::size_t words = bits_.words();
  const unsigned levels = rows_.columns[column].levels;
  child.bits.clear();
  child.sizes.clear();
  std::vector<std::uint32_t> inside(parent.sizes.size());
  for (unsigned level = 0; level < levels; ++level) {
    const std::uint64_t *map = bits_.map(column, level);
    count_intersections(parent.bits.data(), parent.sizes.size(), words, map, inside.data());
    for (std::size_t cell = 0; cell < inside.size(); ++cell) {
      if (inside[cell] == 0)
        continue;
      const std::uint64_t *from = parent.bits.data() + cell * words;
      child.sizes.push_back(inside[cell]);
      child.bits.insert(child.bits.end(), from, from + words);
      std::uint64_t *to = child.bits.data() + child.bits.size() - words;
      for (std::size_t w = 0; w < words; ++w)
        to[w] &= map[w];
    }
  }
}

const CellCounter::List &CellCounter::list_of(unsigned depth) {
  List &list = prefixes_[depth].list;
  if (list.made)
    return list;
  list.made = true;
  if (depth > 0) {
    split_list(list_of(depth - 1), prefixes_[depth].last, list);
    return list;
  }
  list.entries.reserve(rows_.rows);
  for (std::uint32_t row = 0; row < rows_.rows; ++row)
    list.entries.push_back({row, 0, rows_.weight(row), order_.shared()[row]});
  return list;
}

// Entries that share all columns below the rank of this one are neighbours. So within each run of
// those, entries of the same new cell are merged.
void CellCounter::split_list(const List &parent, Node column, List &child) {
  const std::uint16_t *codes = rows_.columns[column].codes.data();
  const unsigned missing = rows_.columns[column].levels, rank = order_.rank(column);
  child.removed = parent.removed;
  child.cells = 0;
  child.entries.resize(parent.entries.size());
  Entry *const first = child.entries.data();
  std::uint32_t size = 0, run = 0; // how many entries, and how many before this run
  pairs_.clear(parent.cells, missing, parent.entries.size());
  pairs_.with([&](auto last_of) { // the number of a pair: that of its last entry, from 1
    std::uint32_t shared = kNone; // with the last entry of the child
    for (const Entry &entry : parent.entries) {
      const std::uint32_t level = codes[entry.row];
      shared = std::min(shared, entry.shared);
      if (level == missing)
        continue;
      if (shared < rank)
        run = size;
      std::uint32_t &last = last_of(entry.cell, level);
      if (last > run) {
        first[last - 1].weight += entry.weight;
        continue;
      }
      first[size] = {entry.row, last > 0 ? first[last - 1].cell : child.cells++, entry.weight,
                     shared};
      last = ++size;
      shared = kNone;
    }
  });
  child.entries.resize(size);
  if (!holes_)
    remove_single_entries(child);
}

void CellCounter::remove_single_entries(List &list) {
  std::vector<std::uint32_t> &number = rest_; // of the entries of a cell, then of the cell
  number.assign(list.cells, 0);
  for (const Entry &entry : list.entries)
    ++number[entry.cell];
  const auto single =
      static_cast<std::size_t>(std::count(number.begin(), number.end(), std::uint32_t{1}));
  if (single * kSmallestShare < list.entries.size())
    return;
  list.cells = 0;
  for (std::uint32_t &each : number)
    each = each == 1 ? kNone : list.cells++;
  Emitter remove(list.removed, single);
  std::size_t kept = 0;
  std::uint32_t shared = kNone;
  for (Entry entry : list.entries) {
    shared = std::min(shared, entry.shared);
    entry.cell = number[entry.cell];
    if (entry.cell == kNone) {
      remove(entry.weight);
      continue;
    }
    entry.shared = std::exchange(shared, kNone);
    list.entries[kept++] = entry;
  }
  list.entries.resize(kept);
}

bool CellCounter::by_bits(const Prefix &parent, Node column) const {
  return parent.as_bits && bits_.packed(column) &&
         static_cast<double>(parent.bits.size()) * (rows_.columns[column].levels - 1) <=
             kWordsToCount * parent.entries_per_set;
}

void CellCounter::count_bits(const Prefix &parent, Node column) {
  const std::size_t cells = parent.sizes.size();
  const unsigned levels = rows_.columns[column].levels;
  Emitter emit(cells_, cells * levels);
  // The last level has the remainder, unless values are missing.
  const bool remainder = !rows_.columns[column].holes;
  inside_.resize(cells);
  rest_ = parent.sizes;
  for (unsigned level = 0; level + remainder < levels; ++level) {
    count_intersections(parent.bits.data(), cells, bits_.words(), bits_.map(column, level),
                        inside_.data());
    for (std::size_t cell = 0; cell < cells; ++cell) {
      rest_[cell] -= inside_[cell];
      emit(inside_[cell]);
    }
  }
  if (remainder)
    for (const std::uint32_t count : rest_)
      emit(count);
}

void CellCounter::count_list(const List &parent, Node column) {
  const std::uint16_t *codes = rows_.columns[column].codes.data();
  const unsigned missing = rows_.columns[column].levels;
  cells_ = parent.removed;
  pairs_.clear(parent.cells, missing, parent.entries.size());
  pairs_.with([&](auto count_of) {
    for (const Entry &entry : parent.entries)
      if (codes[entry.row] != missing)
        count_of(entry.cell, codes[entry.row]) += entry.weight;
  });
  Emitter emit(cells_, pairs_.numbers().size());
  for (const std::uint32_t count : pairs_.numbers())
    emit(count);
}

} // namespace optbn
