// CellTally: what the rows of every cell of some predictors say of all responses at once.
//
// A parent set serves many children, and its trees and tables regroup the same cells again and
// again; so rows are visited once a parent set. Predictors come as digits, a small number a row;
// cells are the occurring combinations. For each cell the tally holds the rows' number, the counts
// of every discrete column's levels, and mean and sum of squares of every continuous column.
//
// The counts of all columns of a row stand side by side as bytes that are 0 or 1, so that a row
// is added to its cell by a few wide instructions. Rows with weights take a slower path.
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
  // Where the counts of a discrete column, or the moments of a continuous one, stand in a cell.
  std::size_t place(Node v) const { return place_[v]; }
  // What is subtracted from a standardised response: its mean, so that less cancels.
  double shift(Node v) const { return shift_[v]; }

private:
  friend class CellTally;
  static constexpr std::size_t kBlock = 32;
  struct Bytes {
    std::uint8_t byte[kBlock];
  };

  const Dataset &data_;
  std::vector<std::size_t> place_;
  std::vector<double> shift_;
  std::size_t blocks_ = 0;  // of bytes a row
  std::size_t numbers_ = 0; // continuous columns
  std::vector<Bytes> is_level_;
  std::vector<double> number_; // standardised and shifted
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
  const double *means(std::size_t cell) const { return mean_.data() + cell * numbers_; }
  const double *squares(std::size_t cell) const { return square_.data() + cell * numbers_; }

private:
  void group(const std::vector<Digits> &predictors);
  void count_levels();
  void measure_numbers();
  bool levels_add_up() const;

  const Responses &responses_;
  const std::size_t width_, numbers_;
  std::vector<std::uint64_t> row_key_, key_;
  std::vector<std::uint32_t> slot_, cell_of_row_, rows_, counts_;
  std::vector<Responses::Bytes> bytes_;
  std::vector<std::uint8_t> pending_; // rows in the bytes of each cell
  std::vector<double> mean_, square_;
};

} // namespace optbn
