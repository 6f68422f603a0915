#include "core/score/local_structure/box_codes.h"

#include <algorithm>

namespace optbn {

unsigned code_bits(const std::vector<const TreeAxis *> &axes) {
  unsigned bits = 0;
  for (const TreeAxis *axis : axes)
    bits += axis->bits();
  return bits;
}

void BoxCodes::reset(const std::vector<const TreeAxis *> &axes) {
  axes_ = axes;
  shift_.clear();
  mask_.clear();
  ordinal_.clear();
  root_ = categorical_ = 0;
  bits_ = 0;
  for (const TreeAxis *axis : axes) {
    shift_.push_back(std::min(bits_, 63u)); // an axis without bits may come last
    mask_.push_back(axis->bits() < 64 ? (std::uint64_t{1} << axis->bits()) - 1 : ~std::uint64_t{0});
    root_ |= axis->root() << shift_.back();
    if (axis->kind() == AxisKind::categorical)
      categorical_ |= mask_.back() << shift_.back();
    if (axis->kind() == AxisKind::ordinal)
      ordinal_.push_back(shift_.size() - 1);
    bits_ += axis->bits();
  }
}

std::uint64_t BoxCodes::of_cell(std::uint64_t key) const {
  std::uint64_t code = 0;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    const auto digit = static_cast<std::uint32_t>(key % axes_[axis]->cells());
    code |= axes_[axis]->region_of_cell(digit) << shift_[axis];
    key /= axes_[axis]->cells();
  }
  return code;
}

} // namespace optbn
