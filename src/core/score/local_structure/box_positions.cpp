#include "core/score/local_structure/box_positions.h"

#include <algorithm>
#include <cmath>

namespace optbn {

namespace {

constexpr double kBytesPerListed = 20 + 36; // a code, its place in the hash table, and its box

std::uint32_t lowest_bit(std::uint64_t bits) {
  std::uint32_t place = 0;
  while (!(bits >> place & 1))
    ++place;
  return place;
}

} // namespace

void BoxList::reset(const BoxCodes &codes, const std::vector<std::uint64_t> &cells,
                    const std::function<void(double)> &check_memory, Watch &watch) {
  listed_.clear();
  position_.clear();
  for (std::size_t i = 0; i < codes.size(); ++i) // before anything of that size is made
    if (codes.axis(i).kind() == AxisKind::categorical)
      check_memory(8 * std::exp2(codes.axis(i).cells()));
  list(codes, codes.size(), 0, cells, check_memory, watch);
  slot_bits_ = 4;
  while ((std::size_t{1} << slot_bits_) < 2 * listed_.size())
    ++slot_bits_;
  slots_.assign(std::size_t{1} << slot_bits_, kNone);
  for (std::size_t i = 0; i < listed_.size(); ++i) {
    if (i % kBoxesPerPoll == 0 && watch.stopped())
      return;
    slots_[slot_of(listed_[i])] = static_cast<std::uint32_t>(i);
  }
  position_.assign(listed_.size(), kEmptyBox);
}

// Lists the boxes that hold some of these cells, the regions of the last axes being chosen in
// `code`: ascending, as the next axis is the most significant one that is open.
void BoxList::list(const BoxCodes &codes, std::size_t axes, std::uint64_t code,
                   const std::vector<std::uint64_t> &cells,
                   const std::function<void(double)> &check_memory, Watch &watch) {
  if (watch.stopped())
    return;
  const std::size_t axis = axes - 1;
  const auto cell_of = [&](std::uint64_t cell_code) {
    const std::uint64_t own = codes.region(cell_code, axis);
    return codes.axis(axis).kind() == AxisKind::categorical ? lowest_bit(own)
                                                            : static_cast<std::uint32_t>(own);
  };
  std::vector<std::uint32_t> along;
  for (const std::uint64_t cell : cells)
    along.push_back(cell_of(cell));
  std::sort(along.begin(), along.end());
  along.erase(std::unique(along.begin(), along.end()), along.end());
  const std::vector<std::uint64_t> regions = codes.axis(axis).regions_around(along);
  if (axis == 0) {
    for (const std::uint64_t whole : regions)
      listed_.push_back(code | whole);
    check_memory(kBytesPerListed * static_cast<double>(listed_.size()));
    return;
  }
  std::vector<std::uint64_t> held;
  for (const std::uint64_t whole : regions) {
    held.clear();
    for (const std::uint64_t cell : cells)
      if (codes.axis(axis).holds(whole, cell_of(cell)))
        held.push_back(cell);
    list(codes, axis, codes.with_region(code, axis, whole), held, check_memory, watch);
  }
}

} // namespace optbn
