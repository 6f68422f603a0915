// ListSlice: a slice whose rows count by any weights, as a list of rows and weights.
//
// Weights are rounded to multiples of a power of two, 2^-51 of their sum, so that sums of them are
// exact. Immutable; safe to share between threads.
#pragma once

#include "core/base/pace.h"
#include "core/density/counts/pair_counts.h"
#include "core/density/learn/training_rows.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

class ListSlice {
public:
  // All rows, which must outlive the slice, by weights that add up to `total`.
  ListSlice(const TrainingRows &rows, const std::vector<double> &weights, double total);

  // As of Slice. Counts of pairs are those of `pairs` in their order.
  double total() const { return total_; }
  const TrainingRows &rows() const { return *rows_; }
  void count(PairCounts &counts, Pace &pace) const;
  void count_alone(PairCounts &counts) const;
  std::vector<double> count_pairs(const std::vector<ItemPair> &pairs) const;
  ListSlice part(Node v, unsigned level) const;

  // PairsWithin of such a slice: which of the pairs each row holds.
  class Pairs {
  public:
    Pairs(const ListSlice &slice, const std::vector<ItemPair> &pairs);
    void count(Node v, unsigned level, std::vector<double> &counts) const;
    std::uint64_t steps() const { return begin_.size() + held_.size(); }

  private:
    const ListSlice &slice_;
    const std::size_t pairs_;
    std::vector<std::size_t> begin_; // by place of the row, into
    std::vector<std::uint32_t> held_;
  };

private:
  explicit ListSlice(const TrainingRows *rows) : rows_(rows) {}

  void add(std::uint32_t row, double weight);
  template <class Visit> void for_each_held(const std::vector<ItemPair> &pairs, Visit visit) const;

  const TrainingRows *rows_;
  double total_ = 0;
  std::vector<std::uint32_t> row_;
  std::vector<double> weight_; // how often each row counts
};

} // namespace optbn
