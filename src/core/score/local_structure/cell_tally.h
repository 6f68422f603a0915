// CellTally: the statistics of all responses in every cell of some predictors.
//
// A parent set has many children, and its trees and tables regroup the same cells repeatedly; so
// the rows are visited once per parent set. Predictors are given as digits, a small number per row;
// cells are the combinations that occur. For each cell the tally has the number of rows, the counts
// of every discrete column's levels, and mean and sum of squares of every continuous column.
//
// The indicators of all levels of a row are adjacent bytes, 0 or 1, so that a row is added to its
// cell by a few vector instructions. Rows with weights take a slower path.
//
// Responses is immutable and shared; a CellTally belongs to one thread.
#pragma once

#include "core/data/dataset.h"
#include "core/score/local_structure/leaf.h"

#include <cstdint>
#include <vector>

namespace optbn {

// The columns of a dataset as responses, row by row.
class Responses {
public:
  Responses(const Dataset &data, const std::vector<Scale> &scale);

  const Dataset &data() const { return data_; }
  bool discrete(Node v) const { return data_.columns[v].discrete(); }
  unsigned levels(Node v) const { return data_.columns[v].levels; }
  // The offset of the counts of a discrete column, or of the moments of a continuous one, in a
  // cell.
  std::size_t offset(Node v) const { return offset_[v]; }
  // The mean of a standardised response, which is subtracted so that fewer digits cancel.
  double shift(Node v) const { return shift_[v]; }

private:
  friend class CellTally;
  static constexpr std::size_t kBlock = 32;
  struct Bytes {
    std::uint8_t byte[kBlock];
  };

  const Dataset &data_;
  std::vector<std::size_t> offset_;
  std::vector<double> shift_;
  std::size_t blocks_ = 0;     // of bytes, per row
  std::size_t continuous_ = 0; // continuous columns
  std::vector<Bytes> is_level_;
  std::vector<double> value_; // standardised and shifted
};

// One predictor: a digit below `radix` for every row.
struct Digits {
  const std::uint32_t *of_row;
  std::uint32_t radix;
};

class CellTally {
public:
  explicit CellTally(const Responses &responses);

  // Groups the rows by their digits, the first digit least significant, and tallies every cell.
  void count(const std::vector<Digits> &predictors);

  std::size_t cells() const { return key_.size(); }
  std::uint64_t key(std::size_t cell) const { return key_[cell]; } // in mixed radix
  std::uint32_t rows(std::size_t cell) const { return rows_[cell]; }
  const std::uint32_t *counts(std::size_t cell) const { return counts_.data() + cell * width_; }
  const double *means(std::size_t cell) const { return mean_.data() + cell * continuous_; }
  const double *squares(std::size_t cell) const { return square_.data() + cell * continuous_; }

private:
  void group(const std::vector<Digits> &predictors);
  void count_levels();
  void compute_moments();
  bool levels_add_up() const;

  const Responses &responses_;
  const std::size_t width_, continuous_;
  std::vector<std::uint64_t> row_key_, key_;
  std::vector<std::uint32_t> slot_, cell_of_row_, rows_, counts_;
  std::vector<Responses::Bytes> bytes_;
  std::vector<std::uint8_t> pending_; // rows in the bytes of each cell
  std::vector<double> mean_, square_;
};

} // namespace optbn
