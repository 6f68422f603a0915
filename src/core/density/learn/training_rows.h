// TrainingRows: discrete rows, stored for learners that count pairs of levels.
//
// Levels may be missing. Rows with holes are for learners by expectation-maximisation alone: a
// missing level has no item, so that it would be counted as level 0.
// Immutable and shared read-only between threads. Learners get weights separately, one real number
// per row, so that bootstrap samples and the expectation step need no copy of the data.
#pragma once

#include "core/data/dataset.h"
#include "core/data/partial_rows.h"
#include "core/density/counts/items.h"

#include <cstdint>
#include <vector>

namespace optbn {

class TrainingRows {
public:
  // All columns must be discrete. If the data have weights, these multiply other weights of rows.
  explicit TrainingRows(const Dataset &data);
  TrainingRows(PartialRows cells, std::vector<unsigned> levels, std::vector<double> weights);

  std::size_t rows() const { return cells_.rows; }
  Node variables() const { return static_cast<Node>(levels_.size()); }
  unsigned levels(Node v) const { return levels_[v]; }
  const std::vector<unsigned> &levels() const { return levels_; }
  const std::vector<double> &weights() const { return weights_; } // by row; empty: each counts once
  double weight(std::size_t row) const { return weights_.empty() ? 1 : weights_[row]; }
  double total() const { return total_; } // sum of the weights
  const PartialRows &cells() const { return cells_; }
  bool holes() const { return holes_; } // is a level missing?

  // The weights that learners take where they are given none.
  std::vector<double> own_weights() const {
    return weights_.empty() ? std::vector<double>(rows(), 1.0) : weights_;
  }

  // The items of a row, ascending.
  const Items &items() const { return items_; }
  const std::uint32_t *items_of(std::size_t row) const { return row_items_.data() + begin_[row]; }
  const std::uint32_t *items_end(std::size_t row) const {
    return row_items_.data() + begin_[row + 1];
  }

  // The rows with an item, one bit per row: one map after another, words() words each.
  const std::vector<std::uint64_t> &maps() const { return maps_; }
  std::size_t words() const { return (rows() + 63) / 64; }

private:
  PartialRows cells_;
  std::vector<unsigned> levels_;
  std::vector<double> weights_;
  double total_ = 0;
  bool holes_ = false;
  Items items_;
  std::vector<std::size_t> begin_; // by row, into row_items_
  std::vector<std::uint32_t> row_items_;
  std::vector<std::uint64_t> maps_;
};

} // namespace optbn
