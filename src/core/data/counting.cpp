#include "core/data/counting.h"

#include "core/base/invariant.h"
#include "core/base/simd/popcount.h"

#include <algorithm>
#include <numeric>

namespace optbn {

namespace {

constexpr std::uint32_t kRemoved = UINT32_MAX;

// A pass over w words of bit maps costs about as much as a pass over this many row numbers.
constexpr std::size_t kWordsPerRow = 2;

// More possible cells than this do not fit into the processor's first-level cache.
constexpr double kMostKeys = 1 << 15;

// Rows that weigh more than this on average are not expanded into bits.
constexpr std::uint64_t kBitsPerRow = 64;

[[maybe_unused]] std::uint64_t rows_of(const CellCounts &cells) {
  return std::accumulate(cells.counts.begin(), cells.counts.end(), std::uint64_t{cells.singletons});
}

// The leading columns of a row as one number, as many as fit. Most comparisons of rows end here,
// without reading columns that lie far apart in memory.
struct LeadingColumns {
  std::vector<std::uint64_t> of_row;
  std::size_t columns = 0;

  LeadingColumns(const std::vector<const Column *> &all, std::size_t rows) : of_row(rows, 0) {
    for (std::uint64_t room = UINT64_MAX; columns < all.size(); ++columns) {
      const Column &next = *all[columns];
      const unsigned digits = next.levels + next.holes;
      room /= std::max(1u, digits);
      if (room == 0)
        return;
      for (std::size_t row = 0; row < rows; ++row)
        of_row[row] = of_row[row] * digits + next.codes[row];
    }
  }
};

} // namespace

Dataset distinct_rows(const Dataset &data) {
  std::vector<const Column *> discrete;
  for (const Column &column : data.columns)
    if (column.discrete())
      discrete.push_back(&column);
  const LeadingColumns leading(discrete, data.rows);
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    if (leading.of_row[a] != leading.of_row[b])
      return leading.of_row[a] < leading.of_row[b];
    for (std::size_t c = leading.columns; c < discrete.size(); ++c)
      if (discrete[c]->codes[a] != discrete[c]->codes[b])
        return discrete[c]->codes[a] < discrete[c]->codes[b];
    return false;
  };
  std::vector<std::uint32_t> order(data.rows);
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), before);

  Dataset distinct;
  distinct.total = data.total;
  std::vector<std::uint32_t> first;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || before(order[i - 1], order[i])) {
      first.push_back(order[i]);
      distinct.weights.push_back(0);
    }
    distinct.weights.back() += data.weight(order[i]);
  }
  distinct.rows = first.size();
  distinct.columns.resize(data.columns.size());
  for (std::size_t c = 0; c < data.columns.size(); ++c) {
    const Column &from = data.columns[c];
    Column &to = distinct.columns[c];
    to.levels = from.levels;
    to.holes = from.holes;
    if (!from.discrete())
      continue;
    to.codes.reserve(first.size());
    for (const std::uint32_t row : first)
      to.codes.push_back(from.codes[row]);
  }
  OPTBN_INVARIANT(std::accumulate(distinct.weights.begin(), distinct.weights.end(),
                                  std::uint64_t{0}) == data.total,
                  "the weights of distinct rows add up to all rows");
  if (distinct.rows == distinct.total)
    distinct.weights.clear();
  return distinct;
}

BitColumns::BitColumns(const Dataset &data) : maps_(data.columns.size()) {
  if (data.total > kBitsPerRow * data.rows)
    return;
  words_ = (data.total + 63) / 64;
  first_bits_.assign(words_, 0);
  row_of_.reserve(data.total);
  for (std::uint32_t row = 0; row < data.rows; ++row) {
    first_bits_[row_of_.size() / 64] |= std::uint64_t{1} << (row_of_.size() % 64);
    row_of_.insert(row_of_.end(), data.weight(row), row);
  }
  OPTBN_INVARIANT(row_of_.size() == data.total, "a row has as many bits as its weight");
  for (std::size_t c = 0; c < data.columns.size(); ++c) {
    const Column &column = data.columns[c];
    if (!column.discrete() || column.levels > kMaxLevels)
      continue;
    maps_[c].assign(column.levels * words_, 0);
    for (std::size_t bit = 0; bit < row_of_.size(); ++bit)
      if (!column.missing(row_of_[bit]))
        maps_[c][column.codes[row_of_[bit]] * words_ + bit / 64] |= std::uint64_t{1} << (bit % 64);
  }
}

CellCounter::CellCounter(const Dataset &data, const BitColumns &bits)
    : data_(data), bits_(bits), holes_(data.holes()), fewest_(holes_ ? 1 : 2), prefixes_(1) {
  unsigned levels = 0;
  for (const Column &column : data.columns)
    levels = std::max(levels, column.levels);
  tally_.assign(levels + 1, 0); // and one for what is missing
  position_.resize(levels + 1);
  start(prefixes_[0]);
}

bool CellCounter::is_dense(double cells) const {
  return cells <= std::min(static_cast<double>(data_.rows), kMostKeys);
}

// Computed from those of the prefix before it when first needed.
const std::vector<std::uint32_t> &CellCounter::keys_of(unsigned depth) {
  Prefix &prefix = prefixes_[depth];
  if (!prefix.keys.empty() || data_.rows == 0)
    return prefix.keys;
  prefix.keys.assign(data_.rows, 0);
  if (depth == 0)
    return prefix.keys;
  const std::vector<std::uint32_t> &before = keys_of(depth - 1);
  const Column &column = data_.columns[prefix.last];
  for (std::size_t row = 0; row < data_.rows; ++row)
    prefix.keys[row] = before[row] * column.levels + column.codes[row];
  if (!holes_)
    return prefix.keys;
  const auto none = static_cast<std::uint32_t>(prefix.cells),
             none_before = static_cast<std::uint32_t>(prefixes_[depth - 1].cells);
  for (std::size_t row = 0; row < data_.rows; ++row)
    if (before[row] == none_before || column.missing(row))
      prefix.keys[row] = none;
  return prefix.keys;
}

void CellCounter::start(Prefix &prefix) const {
  const std::size_t words = bits_.words();
  prefix.as_bits = words > 0;
  if (!prefix.as_bits)
    return; // its keys are all 0
  prefix.bits.assign(words, ~std::uint64_t{0});
  if (data_.total % 64)
    prefix.bits.back() = (std::uint64_t{1} << (data_.total % 64)) - 1;
  prefix.sizes.assign(1, static_cast<std::uint32_t>(data_.total));
}

const CellCounts &CellCounter::count(const Node *columns, unsigned size) {
  cells_.counts.clear();
  cells_.singletons = 0;
  if (size == 0) {
    cells_.counts.push_back(static_cast<std::uint32_t>(data_.total));
    return cells_;
  }
  const unsigned last_depth =
      size - 1; // by columns[last_depth], columns[last_depth - 1], ... columns[1]
  unsigned shared = 0;
  while (shared < std::min(depth_, last_depth) &&
         prefixes_[shared + 1].last == columns[last_depth - shared])
    ++shared;
  if (prefixes_.size() <= last_depth)
    prefixes_.resize(last_depth + 1);
  for (depth_ = shared; depth_ < last_depth; ++depth_)
    split(depth_, columns[last_depth - depth_]);

  const Prefix &prefix = prefixes_[last_depth];
  const Node last = columns[0];
  const unsigned levels = data_.columns[last].levels;
  const bool by_keys =
      is_dense(prefix.cells * levels); // takes half as long as to list rows and count them
  if (prefix.as_bits && bits_.packed(last) &&
      prefix.bits.size() * (levels - 1) <= (by_keys ? 2 : 4) * kWordsPerRow * data_.rows) {
    count_bits(prefix, last);
  } else if (by_keys) {
    count_keys(last_depth, last);
  } else if (!prefix.as_bits && !is_dense(prefix.cells)) {
    count_rows(prefix, last);
  } else {
    list_rows(last_depth);
    count_rows(scratch_, last);
  }
  OPTBN_INVARIANT(rows_of(cells_) == data_.total || (holes_ && rows_of(cells_) < data_.total),
                  "every row is in one cell, or misses a value");
  return cells_;
}

void CellCounter::split(unsigned depth, Node column) {
  const Prefix &parent = prefixes_[depth];
  Prefix &child = prefixes_[depth + 1];
  const unsigned levels = data_.columns[column].levels;
  child.last = column;
  child.cells = parent.cells * levels;
  child.keys.clear();
  child.as_bits = parent.as_bits && bits_.packed(column) &&
                  parent.bits.size() * levels <= kWordsPerRow * data_.rows;
  if (child.as_bits) {
    split_bits(parent, column, child);
  } else if (is_dense(child.cells)) {
    return; // keys suffice, and are computed when they are needed
  } else if (parent.as_bits || is_dense(parent.cells)) {
    list_rows(depth);
    split_rows(scratch_, column, child);
  } else {
    split_rows(parent, column, child);
  }
}

void CellCounter::split_bits(const Prefix &parent, Node column, Prefix &child) const {
  const std::size_t words = bits_.words();
  const unsigned levels = data_.columns[column].levels;
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

void CellCounter::split_rows(const Prefix &parent, Node column, Prefix &child) {
  const std::uint16_t *codes = data_.columns[column].codes.data();
  const unsigned missing = data_.columns[column].levels;
  child.rows.resize(parent.rows.size());
  child.ends.clear();
  child.removed_counts = parent.removed_counts;
  child.singletons = parent.singletons;
  std::uint32_t filled = 0;
  std::size_t begin = 0;
  for (const std::uint32_t end : parent.ends) {
    for (std::size_t i = begin; i < end; ++i)
      ++tally_[codes[parent.rows[i]]];
    for (std::size_t i = begin; i < end; ++i) { // the first row of a level sets its position
      const std::uint32_t row = parent.rows[i];
      const std::uint16_t level = codes[row];
      if (level == missing) {
        position_[level] = kRemoved;
      } else if (tally_[level] > 0 && tally_[level] < fewest_) {
        position_[level] = kRemoved;
        remove_single(row, child);
      } else if (tally_[level] > 0) {
        position_[level] = filled;
        filled += tally_[level];
        child.ends.push_back(filled);
      }
      tally_[level] = 0;
      if (position_[level] != kRemoved)
        child.rows[position_[level]++] = row;
    }
    begin = end;
  }
  child.rows.resize(filled);
}

void CellCounter::remove_single(std::uint32_t row, Prefix &prefix) const {
  const std::uint32_t weight = data_.weight(row);
  if (weight > 1)
    prefix.removed_counts.push_back(weight);
  else
    ++prefix.singletons;
}

void CellCounter::list_rows(unsigned depth) {
  const Prefix &parent = prefixes_[depth];
  Prefix &listed = scratch_;
  listed.as_bits = false;
  listed.rows.clear();
  listed.ends.clear();
  listed.removed_counts.clear();
  listed.singletons = 0;
  if (is_dense(parent.cells))
    list_keys(keys_of(depth), static_cast<std::size_t>(parent.cells), listed);
  else
    list_bits(parent, listed);
}

void CellCounter::list_keys(const std::vector<std::uint32_t> &keys, std::size_t cells,
                            Prefix &listed) {
  key_counts_.resize(std::max(key_counts_.size(), cells + 1), 0);
  for (const std::uint32_t key : keys)
    ++key_counts_[key];
  key_counts_[cells] = 0;
  std::vector<std::uint32_t> &position = inside_;
  position.resize(cells);
  std::uint32_t filled = 0;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    position[cell] = filled;
    if (key_counts_[cell] >= fewest_)
      listed.ends.push_back(filled += key_counts_[cell]);
  }
  listed.rows.resize(filled);
  for (std::size_t row = 0; row < data_.rows; ++row) {
    const std::uint32_t key = keys[row];
    if (key_counts_[key] >= fewest_)
      listed.rows[position[key]++] = static_cast<std::uint32_t>(row);
    else if (key != cells)
      remove_single(static_cast<std::uint32_t>(row), listed);
  }
  std::fill(key_counts_.begin(), key_counts_.begin() + static_cast<std::ptrdiff_t>(cells), 0);
}

void CellCounter::list_bits(const Prefix &parent, Prefix &listed) const {
  const std::size_t words = bits_.words();
  for (std::size_t cell = 0; cell < parent.sizes.size(); ++cell) {
    const std::size_t begin = listed.rows.size();
    const std::uint64_t *map = parent.bits.data() + cell * words;
    for (std::size_t w = 0; w < words; ++w) {
      std::uint64_t rest = map[w] & bits_.first_bits()[w];
      for (std::size_t bit = w * 64; rest; rest >>= 1, ++bit)
        if (rest & 1)
          listed.rows.push_back(bits_.row_of()[bit]);
    }
    if (listed.rows.size() < begin + fewest_) {
      remove_single(listed.rows.back(), listed);
      listed.rows.pop_back();
    } else {
      listed.ends.push_back(static_cast<std::uint32_t>(listed.rows.size()));
    }
  }
}

void CellCounter::count_bits(const Prefix &parent, Node column) {
  const std::size_t cells = parent.sizes.size();
  const unsigned levels = data_.columns[column].levels;
  cells_.counts.resize(cells * levels);
  std::uint32_t *out = cells_.counts.data(); // counts of 0 and 1 are overwritten by the next
  const auto emit = [this, &out](std::uint32_t count) {
    *out = count;
    out += count > 1;
    cells_.singletons += count == 1;
  };
  // The last level has the remainder, unless values are missing.
  const bool remainder = !data_.columns[column].holes;
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
  cells_.counts.resize(static_cast<std::size_t>(out - cells_.counts.data()));
}

void CellCounter::count_keys(unsigned depth, Node column) {
  const std::uint16_t *codes = data_.columns[column].codes.data();
  const unsigned levels = data_.columns[column].levels;
  const auto prefix_cells = static_cast<std::size_t>(prefixes_[depth].cells);
  const std::size_t cells = prefix_cells * levels;
  if (key_counts_.size() < cells)
    key_counts_.resize(cells, 0);
  const std::uint32_t *keys = keys_of(depth).data();
  std::uint32_t *count = key_counts_.data();
  if (holes_) {
    for (std::size_t row = 0; row < data_.rows; ++row)
      if (keys[row] != prefix_cells && codes[row] != levels)
        count[keys[row] * levels + codes[row]] += data_.weight(row);
  } else if (data_.weighted()) {
    for (std::size_t row = 0; row < data_.rows; ++row)
      count[keys[row] * levels + codes[row]] += data_.weights[row];
  } else {
    for (std::size_t row = 0; row < data_.rows; ++row)
      ++count[keys[row] * levels + codes[row]];
  }
  cells_.counts.resize(cells);
  std::uint32_t *out = cells_.counts.data();
  for (std::size_t cell = 0; cell < cells; ++cell) {
    *out = count[cell];
    out += count[cell] > 1;
    cells_.singletons += count[cell] == 1;
  }
  cells_.counts.resize(static_cast<std::size_t>(out - cells_.counts.data()));
  std::fill(count, count + cells, 0);
}

void CellCounter::count_rows(const Prefix &parent, Node column) {
  const std::uint16_t *codes = data_.columns[column].codes.data();
  const unsigned levels = data_.columns[column].levels;
  cells_.singletons = parent.singletons;
  cells_.counts = parent.removed_counts;
  cells_.counts.resize(parent.removed_counts.size() + parent.rows.size() + 1);
  std::uint32_t *out = cells_.counts.data() + parent.removed_counts.size();
  const auto emit = [this, &out](std::uint32_t &count) {
    *out = count;
    out += count > 1;
    cells_.singletons += count == 1;
    count = 0;
  };
  std::size_t begin = 0;
  for (const std::uint32_t end : parent.ends) {
    if (data_.weighted()) {
      for (std::size_t i = begin; i < end; ++i)
        tally_[codes[parent.rows[i]]] += data_.weights[parent.rows[i]];
    } else {
      for (std::size_t i = begin; i < end; ++i)
        ++tally_[codes[parent.rows[i]]];
    }
    tally_[levels] = 0; // what is missing is in no cell
    if (levels <= end - begin) {
      for (unsigned level = 0; level < levels; ++level)
        emit(tally_[level]);
    } else {
      for (std::size_t i = begin; i < end; ++i)
        emit(tally_[codes[parent.rows[i]]]);
    }
    begin = end;
  }
  cells_.counts.resize(static_cast<std::size_t>(out - cells_.counts.data()));
}

} // namespace optbn
