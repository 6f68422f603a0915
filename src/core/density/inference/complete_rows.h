// CompleteRows: a block of rows in the form that LogOddsNetwork reads.
//
// Every variable has a reference level, the most probable one a priori, which most cells of a row
// have. Each other level has an indicator. A row is stored twice: as the list of its indicators, to
// be summed over, and as its levels, for look-ups.
#pragma once

#include "core/data/partial_rows.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

// The reference level of each variable, and numbers of the indicators of all other levels.
// Immutable.
class ReferenceLevels {
public:
  ReferenceLevels(const std::vector<unsigned> &levels, std::vector<std::uint16_t> reference);

  std::size_t variables() const { return reference_.size(); }
  unsigned levels(std::size_t v) const { return levels_[v]; }
  const std::vector<std::uint16_t> &row() const { return reference_; }
  std::uint16_t operator[](std::size_t v) const { return reference_[v]; }

  std::size_t indicators() const { return first_.back(); } // the number after the last is padding
  std::uint32_t indicator(std::size_t v, unsigned level) const { // level: not the reference
    return first_[v] + level - (level > reference_[v]);
  }

private:
  std::vector<unsigned> levels_;
  std::vector<std::uint16_t> reference_;
  std::vector<std::uint32_t> first_;
};

// A block of rows, row by row: the levels of each, and its indicators, padded to a multiple of
// four. A workspace.
class CompleteRows {
public:
  static constexpr std::size_t kStep = 64;   // rows read together
  static constexpr std::size_t kPadding = 4; // indicators are padded to fours

  explicit CompleteRows(const ReferenceLevels &reference)
      : reference_(reference), stride_(reference.variables() + 1) {}

  // The number of rows, a multiple of kStep, that fit into a second-level cache.
  static std::size_t rows_at_a_time(std::size_t variables);

  // Reads rows begin .. begin + count - 1 of a table, which must outlive this object. Incomplete
  // rows have neither levels nor indicators.
  void read(const PartialRows &rows, std::size_t begin, std::size_t count);

  std::size_t size() const { return counts_.size(); }
  // The complete rows, those with few indicators first: in this order the ends of loops over
  // indicators are predicted well.
  const std::vector<std::uint16_t> &complete() const { return complete_; }
  const std::vector<std::uint32_t> &incomplete() const { return incomplete_; }
  // The levels of a variable by row, kMissing where they are missing.
  const std::uint16_t *column(std::size_t v) const { return columns_[v]; }
  // Levels by variable, then one cell that is 0.
  const std::uint16_t *levels(std::size_t i) const { return levels_.data() + i * stride_; }
  const std::uint32_t *indicators(std::size_t i) const {
    return indicators_.data() + i * (stride_ + kPadding);
  }
  const std::uint32_t *indicators_end(std::size_t i) const { return indicators(i) + counts_[i]; }

private:
  void find_differing(std::size_t count);
  void read_step(std::size_t step, std::size_t count);
  void sort_complete();
  std::uint32_t *indicators_of(std::size_t i) {
    return indicators_.data() + i * (stride_ + kPadding);
  }

  const ReferenceLevels &reference_;
  std::vector<const std::uint16_t *> columns_;
  std::size_t stride_;
  std::vector<std::uint64_t> differing_; // by step and variable: a bit for each row
  std::vector<std::uint16_t> levels_;
  std::vector<std::uint32_t> indicators_;
  std::vector<std::uint32_t> counts_; // of indicators, by row
  std::vector<char> is_complete_;     // by row
  std::vector<std::uint16_t> complete_;
  std::vector<std::uint32_t> incomplete_;
  std::vector<std::size_t> ends_; // scratch
};

} // namespace optbn
