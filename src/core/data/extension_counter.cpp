#include "core/data/extension_counter.h"

#include "core/base/popcount.h"

#include <algorithm>

namespace optbn {

namespace {

// Counting this many words of a bit map takes about as long as tallying one row.
constexpr std::size_t kWordsPerRow = 3;

// Cells that a table has at most: so many a row, or so many in any case.
constexpr double kCellsPerRow = 8, kAlwaysFew = 4096;

CountedRows::Uncommon uncommon_rows(const Dataset &rows, const Column &column) {
  std::vector<std::uint64_t> weight(column.levels, 0);
  for (std::size_t row = 0; row < rows.rows; ++row)
    weight[column.codes[row]] += rows.weight(row);
  CountedRows::Uncommon result;
  result.commonest =
      static_cast<std::uint16_t>(std::max_element(weight.begin(), weight.end()) - weight.begin());
  for (std::uint32_t row = 0; row < rows.rows; ++row)
    if (column.codes[row] != result.commonest) {
      result.row.push_back(row);
      result.code.push_back(column.codes[row]);
    }
  return result;
}

} // namespace

CountedRows::CountedRows(const Dataset &data)
    : rows(distinct_rows(data)), bits(rows), uncommon(data.columns.size()) {
  for (std::size_t c = 0; c < rows.columns.size(); ++c)
    if (rows.columns[c].discrete())
      uncommon[c] = uncommon_rows(rows, rows.columns[c]);
}

bool ExtensionCounter::too_many(double cells) const {
  return cells > std::max(kAlwaysFew, kCellsPerRow * static_cast<double>(data_.rows.rows));
}

bool ExtensionCounter::group(Node child, const Node *parents, unsigned size) {
  const Dataset &rows = data_.rows;
  cell_of_row_.assign(rows.rows, 0);
  cells_ = 1;
  for (unsigned i = 0; i < size; ++i) {
    if (too_many(static_cast<double>(cells_) * rows.columns[parents[i]].levels))
      return false;
    split(rows.columns[parents[i]]);
  }
  const Column &column = rows.columns[child];
  child_levels_ = column.levels;
  if (too_many(static_cast<double>(cells_) * child_levels_))
    return false;
  total_.assign(joint(), 0);
  for (std::size_t row = 0; row < rows.rows; ++row) {
    cell_of_row_[row] = cell_of_row_[row] * child_levels_ + column.codes[row];
    total_[cell_of_row_[row]] += rows.weight(row);
  }
  mapped_ = false;
  return true;
}

// Cells that occur keep small numbers.
void ExtensionCounter::split(const Column &column) {
  number_.assign(cells_ * column.levels, UINT32_MAX);
  std::uint32_t next = 0;
  for (std::size_t row = 0; row < data_.rows.rows; ++row) {
    std::uint32_t &number = number_[cell_of_row_[row] * column.levels + column.codes[row]];
    if (number == UINT32_MAX)
      number = next++;
    cell_of_row_[row] = number;
  }
  cells_ = next;
}

bool ExtensionCounter::by_bits(Node u) const {
  if (!data_.bits.packed(u))
    return false;
  const std::size_t words = joint() * data_.bits.words() * (data_.rows.columns[u].levels - 1);
  return words < kWordsPerRow * data_.uncommon[u].row.size();
}

void ExtensionCounter::make_maps() {
  const std::size_t words = data_.bits.words();
  const std::vector<std::uint32_t> &row_of = data_.bits.row_of();
  maps_.assign(joint() * words, 0);
  for (std::size_t bit = 0; bit < row_of.size(); ++bit)
    maps_[cell_of_row_[row_of[bit]] * words + bit / 64] |= std::uint64_t{1} << (bit % 64);
  mapped_ = true;
}

const std::uint32_t *ExtensionCounter::count(Node u) {
  const unsigned levels = data_.rows.columns[u].levels;
  if (too_many(static_cast<double>(joint()) * levels))
    return nullptr;
  counts_.assign(joint() * levels, 0);
  tally(u);
  const std::uint16_t commonest = data_.uncommon[u].commonest;
  for (std::size_t cell = 0; cell < joint(); ++cell) {
    std::uint32_t *const of_cell = counts_.data() + cell * levels;
    std::uint32_t rest = total_[cell];
    for (unsigned level = 0; level < levels; ++level)
      rest -= of_cell[level]; // 0 at the commonest
    of_cell[commonest] = rest;
  }
  return counts_.data();
}

// All levels but the commonest.
void ExtensionCounter::tally(Node u) {
  const unsigned levels = data_.rows.columns[u].levels;
  const CountedRows::Uncommon &uncommon = data_.uncommon[u];
  if (by_bits(u)) {
    if (!mapped_)
      make_maps();
    level_counts_.resize(joint());
    for (unsigned level = 0; level < levels; ++level) {
      if (level == uncommon.commonest)
        continue;
      count_intersections(maps_.data(), joint(), data_.bits.words(), data_.bits.map(u, level),
                          level_counts_.data());
      for (std::size_t cell = 0; cell < joint(); ++cell)
        counts_[cell * levels + level] = level_counts_[cell];
    }
    return;
  }
  for (std::size_t i = 0; i < uncommon.row.size(); ++i)
    counts_[std::size_t{cell_of_row_[uncommon.row[i]]} * levels + uncommon.code[i]] +=
        data_.rows.weight(uncommon.row[i]);
}

} // namespace optbn
