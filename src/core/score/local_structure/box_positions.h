// Where a tree plan keeps a box, by the code of the box.
//
// BoxTable has an entry for every code, which is quickest while there are few codes. BoxList has one
// for every code of a box that holds rows, sorted, beside a hash table of their places: at most
// N 2^(A (k - 1)) (s + 1)^B (section 4.1 of the paper). Memory: 4 bytes a code in the table, 20 in
// the list.
#pragma once

#include "core/base/host.h"
#include "core/score/local_structure/box_codes.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace optbn {

constexpr std::uint32_t kEmptyBox = 0; // the position of all boxes without rows
constexpr std::size_t kBoxesPerPoll = std::size_t{1} << 12; // of a watch

class BoxTable {
public:
  // All codes, of empty boxes.
  void reset(const BoxCodes &codes) { position_.assign(std::size_t{1} << codes.bits(), kEmptyBox); }

  std::size_t size() const { return position_.size(); }
  std::uint32_t operator[](std::uint64_t code) const { return position_[code]; }
  void place(std::uint64_t code, std::uint32_t position) { position_[code] = position; }

  // visit(code), ascending, until the watch stops.
  template <class Visit> void for_each(const BoxCodes &codes, Watch &watch, Visit visit) const;

private:
  std::vector<std::uint32_t> position_; // by code
};

class BoxList {
public:
  // The codes of the boxes that hold some of these cells. Tells how many bytes it is about to need,
  // so that the caller can refuse by an exception; unfinished when the watch stops.
  void reset(const BoxCodes &codes, const std::vector<std::uint64_t> &cells,
             const std::function<void(double)> &check_memory, Watch &watch);

  std::size_t size() const { return position_.size(); }
  std::uint32_t operator[](std::uint64_t code) const {
    const std::uint32_t listed = slots_[slot_of(code)];
    return listed == kNone ? kEmptyBox : position_[listed];
  }
  void place(std::uint64_t code, std::uint32_t position) {
    position_[slots_[slot_of(code)]] = position;
  }

  // As of BoxTable.
  template <class Visit> void for_each(const BoxCodes &codes, Watch &watch, Visit visit) const;

private:
  void list(const BoxCodes &codes, std::size_t axes, std::uint64_t code,
            const std::vector<std::uint64_t> &cells,
            const std::function<void(double)> &check_memory, Watch &watch);
  std::size_t slot_of(std::uint64_t code) const {
    std::size_t slot = code * 0x9E3779B97F4A7C15u >> (64 - slot_bits_);
    while (slots_[slot] != kNone && listed_[slots_[slot]] != code)
      slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }

  static constexpr std::uint32_t kNone = UINT32_MAX;

  std::vector<std::uint64_t> listed_;   // ascending
  std::vector<std::uint32_t> position_; // beside listed_
  std::vector<std::uint32_t> slots_;    // a hash table of places in listed_
  unsigned slot_bits_ = 0;
};

template <class Visit>
void BoxTable::for_each(const BoxCodes &codes, Watch &watch, Visit visit) const {
  std::vector<std::uint64_t> region;
  std::uint64_t code = 0;
  for (std::size_t axis = 0; axis < codes.size(); ++axis) {
    region.push_back(codes.axis(axis).first());
    code |= region[axis] << codes.shift(axis);
  }
  for (std::size_t steps = 0; steps % kBoxesPerPoll != 0 || !watch.stopped(); ++steps) {
    visit(code);
    std::size_t axis = 0; // the next code, as an odometer turns
    while (axis < codes.size() && region[axis] == codes.axis(axis).root()) {
      region[axis] = codes.axis(axis).first();
      code = codes.with_region(code, axis, region[axis]);
      ++axis;
    }
    if (axis == codes.size())
      return;
    code = codes.with_region(code, axis, ++region[axis]);
  }
}

template <class Visit> void BoxList::for_each(const BoxCodes &, Watch &watch, Visit visit) const {
  for (std::size_t i = 0; i < listed_.size(); ++i) {
    if (i % kBoxesPerPoll == 0 && watch.stopped())
      return;
    visit(listed_[i]);
  }
}

} // namespace optbn
