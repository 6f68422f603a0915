// MapSlice: a slice whose rows count by small whole numbers, as bit maps of its items.
//
// A row of weight w owns w bits of every map, and what it holds is marked there, so that population
// counts of ANDs say how often items occur together. Immutable; safe to share between threads.
#pragma once

#include "core/base/pace.h"
#include "core/density/counts/pair_counts.h"
#include "core/density/learn/training_rows.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

class MapSlice {
public:
  // Every row once, or so many times; the rows must outlive the slice.
  explicit MapSlice(const TrainingRows &rows);
  MapSlice(const TrainingRows &rows, const std::vector<double> &weights);

  // As of Slice. Counts of pairs are those of `pairs` in their order.
  double total() const { return static_cast<double>(bits_); }
  const TrainingRows &rows() const { return *rows_; }
  void count(PairCounts &counts, Pace &pace) const;
  void count_alone(PairCounts &counts) const;
  std::vector<double> count_pairs(const std::vector<ItemPair> &pairs) const;
  MapSlice part(Node v, unsigned level) const;

  const std::uint64_t *map(std::size_t item) const { return maps() + item * words(); }
  std::size_t words() const { return (bits_ + 63) / 64; } // of a map

  // PairsWithin of such a slice: which bits hold both items of a pair.
  class Pairs {
  public:
    Pairs(const MapSlice &slice, const std::vector<ItemPair> &pairs);
    void count(Node v, unsigned level, std::vector<double> &counts) const;
    std::uint64_t steps() const { return both_.size(); }

  private:
    const MapSlice &slice_;
    const std::size_t pairs_;
    std::vector<std::uint64_t> both_; // map by map
  };

private:
  const std::uint64_t *maps() const { return whole_ ? rows_->maps().data() : maps_.data(); }
  std::vector<std::uint64_t> holding(Node v, unsigned level) const;

  const TrainingRows *rows_;
  bool whole_ = false; // every row once: the maps are those of the rows
  std::size_t bits_ = 0;
  std::vector<std::uint64_t> maps_; // of a slice that is not whole
};

} // namespace optbn
