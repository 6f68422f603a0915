#include "core/data/extension_counter.h"

#include "core/base/simd/popcount.h"

#include <algorithm>
#include <numeric>

namespace optbn {

namespace {

// Counting this many words of a bit map takes about as long as tallying one row.
constexpr std::size_t kWordsPerRow = 3;

// A block has at most as many levels as a byte has values.
constexpr std::size_t kMostLevels = 256;

// A table has at most so many cells per row, or the constant number where that is larger.
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
    : DistinctRows(data), uncommon(data.columns.size()), block_of(data.columns.size(), kNoBlock) {
  for (std::size_t c = 0; c < rows.columns.size(); ++c)
    if (rows.columns[c].discrete())
      uncommon[c] = uncommon_rows(rows, rows.columns[c]);
  add_blocks();
}

void CountedRows::add_blocks() {
  for (Node u = 0; u < rows.size(); ++u) {
    const Column &column = rows.columns[u];
    if (!column.discrete() || column.levels > kMostLevels)
      continue;
    if (blocks.empty() || blocks.back().levels * column.levels > kMostLevels) {
      blocks.emplace_back();
      blocks.back().code.assign(rows.rows, 0);
    }
    Block &block = blocks.back();
    for (std::size_t row = 0; row < rows.rows; ++row)
      block.code[row] =
          static_cast<std::uint8_t>(block.code[row] + block.levels * column.codes[row]);
    block.columns.push_back(u);
    block.levels *= column.levels;
    block_of[u] = static_cast<std::uint32_t>(blocks.size() - 1);
  }
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
  total_.assign(joint_cells(), 0);
  for (std::size_t row = 0; row < rows.rows; ++row) {
    cell_of_row_[row] = cell_of_row_[row] * child_levels_ + column.codes[row];
    total_[cell_of_row_[row]] += rows.weight(row);
  }
  has_maps_ = false;
  tallied_block_ = CountedRows::kNoBlock;
  return true;
}

// Only cells that occur are numbered.
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

// Words of bit maps that u's levels take.
std::size_t ExtensionCounter::words(Node u) const {
  return joint_cells() * data_.bits.words() * (data_.rows.columns[u].levels - 1);
}

bool ExtensionCounter::by_bits(Node u) const {
  return data_.bits.packed(u) && words(u) < kWordsPerRow * data_.uncommon[u].row.size();
}

// Compares the cost of a block (its rows, its cells once, and its cells again for every column)
// with the cost of its columns one by one.
bool ExtensionCounter::by_block(Node u) const {
  if (data_.block_of[u] == CountedRows::kNoBlock)
    return false;
  const CountedRows::Block &block = data_.blocks[data_.block_of[u]];
  std::size_t one_by_one = 0;
  for (const Node w : block.columns)
    one_by_one += by_bits(w) ? words(w) / kWordsPerRow : data_.uncommon[w].row.size();
  return data_.rows.rows + joint_cells() * block.levels * (1 + block.columns.size()) < one_by_one;
}

void ExtensionCounter::make_maps() {
  const std::size_t words = data_.bits.words();
  const std::vector<std::uint32_t> &row_of = data_.bits.row_of();
  maps_.assign(joint_cells() * words, 0);
  for (std::size_t bit = 0; bit < row_of.size(); ++bit)
    maps_[cell_of_row_[row_of[bit]] * words + bit / 64] |= std::uint64_t{1} << (bit % 64);
  has_maps_ = true;
}

const std::uint32_t *ExtensionCounter::count(Node u) {
  const unsigned levels = data_.rows.columns[u].levels;
  if (too_many(static_cast<double>(joint_cells()) * levels))
    return nullptr;
  counts_.assign(joint_cells() * levels, 0);
  if (by_block(u)) {
    if (tallied_block_ != data_.block_of[u])
      tally_block(data_.block_of[u]);
    sum_block(u);
    return counts_.data();
  }
  by_bits(u) ? tally_bits(u) : tally_rows(u);
  complete(u);
  return counts_.data();
}

// All levels but the commonest, as in tally_rows().
void ExtensionCounter::tally_bits(Node u) {
  if (!has_maps_)
    make_maps();
  const unsigned levels = data_.rows.columns[u].levels;
  level_counts_.resize(joint_cells());
  for (unsigned level = 0; level < levels; ++level) {
    if (level == data_.uncommon[u].commonest)
      continue;
    count_intersections(maps_.data(), joint_cells(), data_.bits.words(), data_.bits.map(u, level),
                        level_counts_.data());
    for (std::size_t cell = 0; cell < joint_cells(); ++cell)
      counts_[cell * levels + level] = level_counts_[cell];
  }
}

void ExtensionCounter::tally_rows(Node u) {
  const unsigned levels = data_.rows.columns[u].levels;
  const CountedRows::Uncommon &uncommon = data_.uncommon[u];
  for (std::size_t i = 0; i < uncommon.row.size(); ++i)
    counts_[std::size_t{cell_of_row_[uncommon.row[i]]} * levels + uncommon.code[i]] +=
        data_.rows.weight(uncommon.row[i]);
}

// The commonest level has the remainder of each cell.
void ExtensionCounter::complete(Node u) {
  const unsigned levels = data_.rows.columns[u].levels;
  for (std::size_t cell = 0; cell < joint_cells(); ++cell) {
    std::uint32_t *const of_cell = counts_.data() + cell * levels;
    std::uint32_t rest = total_[cell];
    for (unsigned level = 0; level < levels; ++level)
      rest -= of_cell[level]; // 0 at the commonest
    of_cell[data_.uncommon[u].commonest] = rest;
  }
}

void ExtensionCounter::tally_block(std::uint32_t block) {
  const auto &[columns, levels, code] = data_.blocks[block];
  table_.assign(joint_cells() * levels, 0);
  for (std::size_t row = 0; row < data_.rows.rows; ++row)
    table_[cell_of_row_[row] * levels + code[row]] += data_.rows.weight(row);
  tallied_block_ = block;
}

// Sums out all digits of the joint level but u's.
void ExtensionCounter::sum_block(Node u) {
  const CountedRows::Block &block = data_.blocks[tallied_block_];
  std::size_t below = 1; // levels of the digits before u's
  for (const Node w : block.columns) {
    if (w == u)
      break;
    below *= data_.rows.columns[w].levels;
  }
  const unsigned levels = data_.rows.columns[u].levels;
  const std::size_t above = block.levels / levels / below;
  const std::uint32_t *from = table_.data();
  for (std::size_t cell = 0; cell < joint_cells(); ++cell)
    for (std::size_t i = 0; i < above; ++i)
      for (unsigned level = 0; level < levels; ++level, from += below)
        counts_[cell * levels + level] =
            std::accumulate(from, from + below, counts_[cell * levels + level]);
}

} // namespace optbn
