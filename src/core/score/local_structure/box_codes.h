// BoxCodes: the codes of the boxes over some predictors.
//
// A box is a region of every predictor. Its code puts the regions' codes side by side in up to 64
// bits, first predictor least significant, and parts of a box have smaller codes than the box
// (tree_axis.h).
#pragma once

#include "core/score/local_structure/tree_axis.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

class BoxCodes {
public:
  // The codes over these predictors from now on.
  void reset(const std::vector<const TreeAxis *> &axes);

  std::size_t size() const { return axes_.size(); } // predictors
  const TreeAxis &axis(std::size_t i) const { return *axes_[i]; }
  unsigned bits() const { return bits_; } // of a code
  unsigned shift(std::size_t axis) const { return shift_[axis]; }
  std::uint64_t root() const { return root_; }

  std::uint64_t region(std::uint64_t code, std::size_t axis) const {
    return code >> shift_[axis] & mask_[axis];
  }
  std::uint64_t with_region(std::uint64_t code, std::size_t axis, std::uint64_t region) const {
    return (code & ~(mask_[axis] << shift_[axis])) | region << shift_[axis];
  }

  // A cell has one level of every predictor; `key`: as CellTally numbers cells.
  bool is_cell(std::uint64_t code) const {
    for (std::size_t axis = 0; axis < axes_.size(); ++axis)
      if (!axes_[axis]->is_cell(region(code, axis)))
        return false;
    return true;
  }
  std::uint64_t of_cell(std::uint64_t key) const;

  const std::vector<std::size_t> &ordinal() const { return ordinal_; } // axes of this kind
  std::uint64_t categorical() const { return categorical_; } // the bits of axes of that kind

private:
  std::vector<const TreeAxis *> axes_;
  std::vector<unsigned> shift_;
  std::vector<std::uint64_t> mask_;
  std::vector<std::size_t> ordinal_;
  std::uint64_t root_ = 0, categorical_ = 0;
  unsigned bits_ = 0;
};

// Bits that the code of a box over these predictors takes.
unsigned code_bits(const std::vector<const TreeAxis *> &axes);

} // namespace optbn
