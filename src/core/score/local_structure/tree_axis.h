// TreeAxis: the regions that a decision tree can make of one predictor, and how it splits them.
//
// Dyadic trees (Talvitie, Eggeling & Koivisto 2018, section 3) halve a continuous predictor up to s
// times, split the levels of an ordinal one at a threshold, and those of a categorical one into any
// two sets. A region is a small number, its code, and parts of a region have smaller codes than the
// region, so that an ascending sweep visits parts before the region:
//   dyadic       s + 1 bits: the i-th interval at depth d is ((2^(s-d) - 1) << (d+1)) | i; for
//                s = 2 the range is 110, the halves are 100 and 101, the quarters 000 to 011
//   ordinal      an interval of levels, numbered by length and then by its first level
//   categorical  the set of its levels as a bit mask, never empty
// The finest regions are cells: one quarter (eighth, ...) or one level. Levels that do not occur
// are left out of an axis: no tree gains by separating them.
//
// A categorical predictor of many levels has too many sets of them. It is split like an ordinal
// one, in an order that depends on the response (level_order.h); its prior stays that of a
// categorical one, so that trees over it are a subset of all trees, each with the same prior.
#pragma once

#include "core/data/dataset.h"

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace optbn {

struct Interval {
  double low = 0, high = 0;
};

enum class AxisKind { dyadic, ordinal, categorical };

class TreeAxis {
public:
  // Halves the range at most `splits` times. A value on a midpoint goes right; a value outside the
  // range belongs to the outermost cell.
  static TreeAxis dyadic(const Column &column, Interval range, unsigned splits);
  // Levels, in their order if `ordinal`. With `keep_unseen`, also those that do not occur.
  static TreeAxis levels(const Column &column, bool ordinal, bool keep_unseen);
  // Many levels of a categorical predictor, which need an order before they can be split.
  static TreeAxis many_levels(const Column &column, bool keep_unseen);
  // The same levels in the order for one response, given as cells from the first to the last. Cells
  // keep their numbers in cell_of_row().
  TreeAxis in_order(const std::vector<std::uint32_t> &cells) const;

  AxisKind kind() const { return kind_; }
  AxisKind prior_kind() const { return prior_kind_; }
  bool needs_order() const { return kind_ != prior_kind_ && position_of_cell_.empty(); }
  unsigned bits() const { return bits_; } // of a code; if above 64, no tree can use the axis
  std::uint64_t first() const { return kind_ == AxisKind::categorical ? 1 : 0; }
  std::uint64_t root() const { return root_; } // the last code

  // The log of the splits at a node that are open to a tree, and the size of the root in the
  // measure of the normaliser: halvings left, or levels left minus one. Both count declared levels
  // (section 3.1).
  double log_choices() const { return log_choices_; }
  unsigned extent() const { return extent_; }

  unsigned cells() const { return cells_; }
  const std::vector<std::uint32_t> &cell_of_row() const { return cell_of_row_; }
  // The region of a cell as cell_of_row() numbers it.
  std::uint64_t region_of_cell(std::uint32_t cell) const {
    return kind_ == AxisKind::categorical ? std::uint64_t{1} << cell
           : position_of_cell_.empty()    ? cell
                                          : position_of_cell_[cell];
  }
  bool is_cell(std::uint64_t region) const {
    return kind_ == AxisKind::categorical ? (region & (region - 1)) == 0 : region < cells_;
  }

  // The share of a region in the predictor's space.
  double share(std::uint64_t region) const {
    return size(region) / (kind_ == AxisKind::dyadic ? cells_ : declared_);
  }
  // The cells of a region, ascending.
  std::vector<std::uint32_t> cells_of(std::uint64_t region) const;
  // The declared level of a cell.
  unsigned level_of_cell(std::uint32_t cell) const { return level_of_cell_[cell]; }
  // Is a cell part of a region?
  bool holds(std::uint64_t region, std::uint32_t cell) const;
  // All regions with some of these cells, ascending.
  std::vector<std::uint64_t> regions_around(const std::vector<std::uint32_t> &cells) const;

  // How many splits a region has.
  double splits(std::uint64_t region) const {
    if (is_cell(region))
      return 0;
    return kind_ == AxisKind::dyadic    ? 1
           : kind_ == AxisKind::ordinal ? size(region) - 1
                                        : std::exp2(size(region) - 1) - 1;
  }
  // Calls visit(left, right) for every split of a region that is not a cell.
  template <class Visit> void for_each_split(std::uint64_t region, Visit &&visit) const {
    switch (kind_) {
    case AxisKind::dyadic: {
      const std::uint64_t left = (region ^ (std::uint64_t{1} << (bits_ - 1))) << 1;
      visit(left, left | 1);
      return;
    }
    case AxisKind::ordinal: {
      const unsigned length = length_[region];
      const std::uint64_t begin = region - offset_[length];
      for (unsigned left = 1; left < length; ++left)
        visit(offset_[left] + begin, offset_[length - left] + begin + left);
      return;
    }
    case AxisKind::categorical: {
      const std::uint64_t lowest = region & (~region + 1), others = region ^ lowest;
      for (std::uint64_t with = 0; with != others; with = (with - others) & others)
        visit(lowest | with, others ^ with);
    }
    }
  }

  // Calls visit(end, rest) for the lowest and the highest level of an ordinal region.
  template <class Visit> void for_each_end(std::uint64_t region, Visit &&visit) const {
    const unsigned length = length_[region];
    const std::uint64_t begin = region - offset_[length];
    visit(begin, offset_[length - 1] + begin + 1);
    visit(begin + length - 1, offset_[length - 1] + begin);
  }

  // One split of a region that is not a cell, as visit(left, right).
  template <class Visit> void first_split(std::uint64_t region, Visit &&visit) const {
    bool first = true;
    if (kind_ == AxisKind::categorical)
      visit(region & (~region + 1), region & (region - 1));
    else
      for_each_split(region, [&](std::uint64_t left, std::uint64_t right) {
        if (std::exchange(first, false))
          visit(left, right);
      });
  }

private:
  double size(std::uint64_t region) const; // in cells
  unsigned halvings_left(std::uint64_t region) const;
  void add_intervals(const std::vector<std::uint32_t> &cells,
                     std::vector<std::uint64_t> &regions) const;

  AxisKind kind_ = AxisKind::dyadic, prior_kind_ = AxisKind::dyadic;
  unsigned bits_ = 0, cells_ = 0, extent_ = 0, declared_ = 0;
  std::uint64_t root_ = 0;
  double log_choices_ = 0;
  std::vector<std::uint32_t> cell_of_row_;
  std::vector<unsigned> level_of_cell_;
  std::vector<std::uint32_t> position_of_cell_; // in the order for a response
  std::vector<std::uint64_t> offset_; // ordinal: code of the first interval of each length
  std::vector<unsigned> length_;      // ordinal: of each region
};

} // namespace optbn
