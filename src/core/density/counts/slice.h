// Slice: the rows at one place of a cutset network, ready to be counted.
//
// Two forms. Where weights are small whole numbers, bit maps: a row of weight w owns w bits, items
// are counted by population counts of ANDs. Otherwise a list of rows and weights; weights are
// rounded to multiples of a power of two, 2^-51 of their sum, so that sums of them are exact.
// Immutable; safe to share between threads.
#pragma once

#include "core/base/host.h"
#include "core/density/counts/pair_counts.h"
#include "core/density/learn/training_rows.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

class Slice {
public:
  // All rows, which must outlive the slice. `weights` may be empty: the rows' own.
  Slice(const TrainingRows &rows, const std::vector<double> &weights);

  double total() const { return total_; }

  // How often all pairs of items occur; where there is a watch, throws Interrupted.
  void count(PairCounts &counts, Watch *watch = nullptr) const;
  PairCounts counted(Watch *watch = nullptr) const;

  // How often items alone occur, and some pairs; what is said of other pairs stays as it is.
  void count_alone(PairCounts &counts) const;
  void count_some(const std::vector<ItemPair> &pairs, PairCounts &counts) const;

  // The rows in which v has a level.
  Slice part(Node v, unsigned level) const;

private:
  friend class PairsWithin;

  Slice(const TrainingRows *rows, bool listed) : rows_(rows), listed_(listed) {}

  const std::uint64_t *maps() const { return whole_ ? rows_->maps().data() : maps_.data(); }
  const std::uint64_t *map(std::size_t item) const { return maps() + item * words(); }
  std::size_t words() const { return (bits_ + 63) / 64; }
  std::vector<std::uint64_t> holding(Node v, unsigned level) const;
  template <class Visit> void for_each_held(const std::vector<ItemPair> &pairs, Visit visit) const;

  const TrainingRows *rows_;
  bool listed_;        // which of the two forms
  bool whole_ = false; // every row once: the maps are those of the rows
  double total_ = 0;
  std::size_t bits_ = 0;            // of a map
  std::vector<std::uint64_t> maps_; // of a slice that is not whole
  std::vector<std::uint32_t> row_;  // listed: rows, and
  std::vector<double> weight_;      // how often each counts
};

// How often some pairs of items occur in parts of a slice, which must outlive it.
class PairsWithin {
public:
  PairsWithin(const Slice &slice, const std::vector<ItemPair> &pairs);

  // By pair, in the rows in which v has a level other than 0.
  void count(Node v, unsigned level, std::vector<double> &counts) const;

  // How long that takes, for a Pace.
  std::uint64_t steps() const { return maps_.size() + begin_.size() + held_.size(); }

private:
  void mark(const std::vector<ItemPair> &pairs);
  void list(const std::vector<ItemPair> &pairs);

  const Slice &slice_;
  const std::size_t pairs_;
  std::vector<std::uint64_t> maps_; // which bits of the slice hold both; or, where it is listed,
  std::vector<std::size_t> begin_;  // where the pairs begin that a listed row
  std::vector<std::uint32_t> held_; // holds
};

} // namespace optbn
