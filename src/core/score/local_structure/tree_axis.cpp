#include "core/score/local_structure/tree_axis.h"

#include <algorithm>
#include <bitset>
#include <cmath>

namespace optbn {

namespace {

unsigned bits_of(std::uint64_t largest) {
  unsigned bits = 0;
  for (; largest > 0; largest >>= 1)
    ++bits;
  return bits;
}

// The log of the number of ways to split so many levels in two.
double log_bipartitions(unsigned levels) {
  return (levels - 1.0) * std::log(2) + std::log1p(-std::exp2(1.0 - levels));
}

} // namespace

TreeAxis TreeAxis::dyadic(const Column &column, Interval range, unsigned splits) {
  TreeAxis axis;
  axis.kind_ = AxisKind::dyadic;
  axis.bits_ = splits + 1;
  axis.cells_ = 1u << splits;
  axis.root_ = (std::uint64_t{1} << (splits + 1)) - 2;
  axis.extent_ = splits;
  axis.log_choices_ = 0;
  axis.cell_of_row_.reserve(column.values.size());
  const double last = axis.cells_ - 1.0;
  for (const double x : column.values) {
    const double width = range.high - range.low;
    const double position = width > 0 ? std::floor((x - range.low) / width * axis.cells_) : 0;
    axis.cell_of_row_.push_back(static_cast<std::uint32_t>(std::clamp(position, 0.0, last)));
  }
  return axis;
}

TreeAxis TreeAxis::levels(const Column &column, bool ordinal, bool keep_unseen) {
  TreeAxis axis;
  axis.kind_ = axis.prior_kind_ = ordinal ? AxisKind::ordinal : AxisKind::categorical;
  axis.declared_ = column.levels;
  axis.extent_ = column.levels - 1;
  axis.log_choices_ = ordinal ? std::log(column.levels - 1.0) : log_bipartitions(column.levels);

  std::vector<std::uint32_t> cell(column.levels, 0);
  std::vector<char> seen(column.levels, keep_unseen || column.codes.empty());
  for (const std::uint16_t code : column.codes)
    seen[code] = 1;
  for (unsigned level = 0; level < column.levels; ++level) {
    cell[level] = static_cast<std::uint32_t>(axis.level_of_cell_.size());
    if (seen[level])
      axis.level_of_cell_.push_back(level);
  }
  axis.cells_ = static_cast<unsigned>(axis.level_of_cell_.size());
  axis.cell_of_row_.reserve(column.codes.size());
  for (const std::uint16_t code : column.codes)
    axis.cell_of_row_.push_back(cell[code]);

  if (ordinal) {
    axis.offset_.assign(axis.cells_ + 1, 0);
    for (unsigned length = 1; length <= axis.cells_; ++length) {
      axis.offset_[length] = axis.length_.size();
      axis.length_.insert(axis.length_.end(), axis.cells_ - length + 1, length);
    }
    axis.root_ = axis.length_.size() - 1;
    axis.bits_ = bits_of(axis.root_);
  } else {
    axis.bits_ = axis.cells_;
    axis.root_ = axis.cells_ < 64 ? (std::uint64_t{1} << axis.cells_) - 1 : ~std::uint64_t{0};
  }
  return axis;
}

TreeAxis TreeAxis::many_levels(const Column &column, bool keep_unseen) {
  TreeAxis axis = levels(column, true, keep_unseen);
  axis.prior_kind_ = AxisKind::categorical;
  axis.log_choices_ = log_bipartitions(column.levels);
  return axis;
}

TreeAxis TreeAxis::in_order(const std::vector<std::uint32_t> &cells) const {
  TreeAxis axis = *this;
  axis.position_of_cell_.resize(cells_);
  for (std::uint32_t position = 0; position < cells_; ++position) {
    axis.position_of_cell_[cells[position]] = position;
    axis.level_of_cell_[position] = level_of_cell_[cells[position]];
  }
  return axis;
}

double TreeAxis::size(std::uint64_t region) const {
  switch (kind_) {
  case AxisKind::categorical:
    return static_cast<double>(std::bitset<64>(region).count());
  case AxisKind::ordinal:
    return length_[region];
  default:
    return static_cast<double>(std::uint64_t{1} << halvings_left(region));
  }
}

// The number of leading ones is the number of halvings left: a code of depth d begins with s - d.
unsigned TreeAxis::halvings_left(std::uint64_t region) const {
  unsigned left = 0;
  while (region >> (bits_ - 1 - left) & 1)
    ++left;
  return left;
}

std::vector<std::uint32_t> TreeAxis::cells_of(std::uint64_t region) const {
  std::uint64_t begin = 0, length = 0;
  switch (kind_) {
  case AxisKind::categorical: {
    std::vector<std::uint32_t> cells;
    for (std::uint32_t cell = 0; cell < cells_; ++cell)
      if (region >> cell & 1)
        cells.push_back(cell);
    return cells;
  }
  case AxisKind::ordinal:
    length = length_[region];
    begin = region - offset_[length];
    break;
  case AxisKind::dyadic: {
    const unsigned left = halvings_left(region);
    length = std::uint64_t{1} << left;
    const std::uint64_t places = std::uint64_t{1} << (bits_ - 1 - left); // 2^d
    begin = (region & (places - 1)) * length;
  }
  }
  std::vector<std::uint32_t> cells(length);
  for (std::uint64_t i = 0; i < length; ++i)
    cells[i] = static_cast<std::uint32_t>(begin + i);
  return cells;
}

bool TreeAxis::holds(std::uint64_t region, std::uint32_t cell) const {
  switch (kind_) {
  case AxisKind::categorical:
    return region >> cell & 1;
  case AxisKind::ordinal: {
    const std::uint64_t begin = region - offset_[length_[region]];
    return begin <= cell && cell < begin + length_[region];
  }
  default: {
    const unsigned left = halvings_left(region);
    const std::uint64_t places = std::uint64_t{1} << (bits_ - 1 - left);
    return cell >> left == (region & (places - 1));
  }
  }
}

std::vector<std::uint64_t> TreeAxis::regions_around(const std::vector<std::uint32_t> &cells) const {
  std::vector<std::uint64_t> regions;
  if (kind_ == AxisKind::categorical) {
    std::uint64_t wanted = 0;
    for (const std::uint32_t cell : cells)
      wanted |= std::uint64_t{1} << cell;
    for (std::uint64_t region = 1; region <= root_; ++region)
      if (region & wanted)
        regions.push_back(region);
    return regions;
  }
  if (kind_ == AxisKind::ordinal) {
    add_intervals(cells, regions);
    return regions;
  }
  for (const std::uint32_t cell : cells)
    for (unsigned left = 0; left < bits_; ++left) {
      const unsigned depth = bits_ - 1 - left;
      regions.push_back((((std::uint64_t{1} << left) - 1) << (depth + 1)) | (cell >> left));
    }
  std::sort(regions.begin(), regions.end());
  regions.erase(std::unique(regions.begin(), regions.end()), regions.end());
  return regions;
}

void TreeAxis::add_intervals(const std::vector<std::uint32_t> &cells,
                             std::vector<std::uint64_t> &regions) const {
  std::vector<std::uint32_t> next(cells_, cells_); // the first of `cells` from each cell on
  for (const std::uint32_t cell : cells)
    next[cell] = cell;
  for (std::uint32_t cell = cells_ - 1; cell-- > 0;)
    next[cell] = std::min(next[cell], next[cell + 1]);
  for (std::uint64_t region = 0; region <= root_; ++region) {
    const std::uint64_t begin = region - offset_[length_[region]];
    if (next[begin] < begin + length_[region])
      regions.push_back(region);
  }
}

} // namespace optbn
