// CompleteRows: a block of rows laid out for those who add up what single levels contribute.
//
// Every variable has a usual level, the one most probable beforehand, and most cells of a row hold
// it; a level that is not usual is an item. A row is kept as its items, to be gone through, and as
// its levels, to be looked up.
#pragma once

#include "core/data/partial_rows.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

// The usual level of each variable, and the other levels numbered through. Immutable.
class UsualLevels {
public:
  UsualLevels(const std::vector<unsigned> &levels, std::vector<std::uint16_t> usual);

  std::size_t variables() const { return usual_.size(); }
  unsigned levels(std::size_t v) const { return levels_[v]; }
  const std::vector<std::uint16_t> &row() const { return usual_; }
  std::uint16_t operator[](std::size_t v) const { return usual_[v]; }

  std::size_t items() const { return first_.back(); } // the number after them stands for nothing
  std::uint32_t item(std::size_t v, unsigned level) const { // other than the usual one
    return first_[v] + level - (level > usual_[v]);
  }

private:
  std::vector<unsigned> levels_;
  std::vector<std::uint16_t> usual_;
  std::vector<std::uint32_t> first_;
};

// A block of rows laid out row by row: the levels of each, and its items, filled up with nothing to
// a multiple of four. A workspace.
class CompleteRows {
public:
  static constexpr std::size_t kStep = 64;   // rows read together
  static constexpr std::size_t kPadding = 4; // items come by fours

  explicit CompleteRows(const UsualLevels &usual) : usual_(usual), stride_(usual.variables() + 1) {}

  // So many rows, a multiple of kStep, fit into a second-level cache.
  static std::size_t rows_at_a_time(std::size_t variables);

  // Rows begin .. begin + count - 1 of a table, which it holds on to. Rows that are not complete
  // have neither levels nor items.
  void read(const PartialRows &rows, std::size_t begin, std::size_t count);

  std::size_t size() const { return counts_.size(); }
  // The rows that nothing is missing from, those with few items first: code that takes them in this
  // order does not mispredict where their items end.
  const std::vector<std::uint16_t> &complete() const { return complete_; }
  const std::vector<std::uint32_t> &incomplete() const { return incomplete_; }
  // The levels of a variable by row, kMissing where they are missing.
  const std::uint16_t *column(std::size_t v) const { return columns_[v]; }
  // Levels by variable, then one cell that is 0.
  const std::uint16_t *levels(std::size_t i) const { return levels_.data() + i * stride_; }
  const std::uint32_t *items(std::size_t i) const {
    return items_.data() + i * (stride_ + kPadding);
  }
  const std::uint32_t *items_end(std::size_t i) const { return items(i) + counts_[i]; }

private:
  void find_unusual(std::size_t count);
  void read_step(std::size_t step, std::size_t count);
  void sort_complete();
  std::uint32_t *items_of(std::size_t i) { return items_.data() + i * (stride_ + kPadding); }

  const UsualLevels &usual_;
  std::vector<const std::uint16_t *> columns_;
  std::size_t stride_;
  std::vector<std::uint64_t> unusual_; // by step and variable: a bit for each row
  std::vector<std::uint16_t> levels_;
  std::vector<std::uint32_t> items_;
  std::vector<std::uint32_t> counts_; // of items, by row
  std::vector<char> whole_;           // is nothing missing?
  std::vector<std::uint16_t> complete_;
  std::vector<std::uint32_t> incomplete_;
  std::vector<std::size_t> ends_; // scratch
};

} // namespace optbn
