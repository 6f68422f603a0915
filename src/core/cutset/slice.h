// Slice: the rows at one place of a cutset network, ready to be counted.
//
// Two forms. Where weights are small whole numbers, bit maps: a row of weight w owns w bits, items
// are counted by population counts of ANDs. Otherwise a list of rows and weights; weights are
// rounded to multiples of a power of two, 2^-51 of their sum, so that sums of them are exact.
// Immutable; safe to share between threads.
#pragma once

#include "core/cutset/pair_counts.h"
#include "core/cutset/training_rows.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

struct ItemPair {
  std::size_t one, other;
};

class Slice {
public:
  // All rows, which must outlive the slice. `weights` may be empty: the rows' own.
  Slice(const TrainingRows &rows, const std::vector<double> &weights);

  double total() const { return total_; }

  // How often all pairs of items occur; or items alone, what is said of pairs staying as it is.
  void count(PairCounts &counts) const;
  PairCounts counted() const;
  void count_alone(PairCounts &counts) const;

  // For each of some items, how often the pairs occur in the rows that hold it.
  std::vector<std::vector<double>> count_triples(const std::vector<std::size_t> &items,
                                                 const std::vector<ItemPair> &pairs) const;

  // The rows in which v has a level.
  Slice part(Node v, unsigned level) const;

private:
  Slice(const TrainingRows *rows, bool listed) : rows_(rows), listed_(listed) {}

  const std::uint64_t *maps() const { return whole_ ? rows_->maps().data() : maps_.data(); }
  const std::uint64_t *map(std::size_t item) const { return maps() + item * words(); }
  std::size_t words() const { return (bits_ + 63) / 64; }
  std::vector<std::uint64_t> holding(Node v, unsigned level) const;

  const TrainingRows *rows_;
  bool listed_;        // which of the two forms
  bool whole_ = false; // every row once: the maps are those of the rows
  double total_ = 0;
  std::size_t bits_ = 0;            // of a map
  std::vector<std::uint64_t> maps_; // of a slice that is not whole
  std::vector<std::uint32_t> row_;  // listed: rows, and
  std::vector<double> weight_;      // how often each counts
};

} // namespace optbn
