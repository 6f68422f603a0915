// Slice: the rows at one place of a cutset network, ready to be counted.
//
// It has one of two forms: bit maps where weights are small whole numbers (map_slice.h), otherwise
// a list of rows and weights (list_slice.h). Either way sums of what is counted are exact.
// Immutable; safe to share between threads.
#pragma once

#include "core/base/host.h"
#include "core/density/counts/list_slice.h"
#include "core/density/counts/map_slice.h"

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

namespace optbn {

class Slice {
public:
  // All rows, which must outlive the slice. `weights` may be empty: the rows' own.
  Slice(const TrainingRows &rows, const std::vector<double> &weights);

  double total() const {
    return std::visit([](const auto &form) { return form.total(); }, form_);
  }

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
  using Form = std::variant<MapSlice, ListSlice>;

  explicit Slice(Form form) : form_(std::move(form)) {}
  const TrainingRows &rows() const;

  Form form_;
};

// How often some pairs of items occur in parts of a slice, which must outlive it.
class PairsWithin {
public:
  PairsWithin(const Slice &slice, const std::vector<ItemPair> &pairs);

  // By pair, in the rows in which v has a level other than 0.
  void count(Node v, unsigned level, std::vector<double> &counts) const;

  // How long that takes, for a Pace.
  std::uint64_t steps() const;

private:
  std::variant<MapSlice::Pairs, ListSlice::Pairs> form_;
};

} // namespace optbn
