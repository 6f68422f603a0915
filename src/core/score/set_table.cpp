#include "core/score/set_table.h"

#include "core/base/binomial.h"

#include <algorithm>

namespace optbn {

namespace {

// The most slots per expected set with which ranks are worth their memory.
constexpr double kSparsest = 4;

} // namespace

SetTable::SetTable(unsigned set_size, Node universe, std::size_t expected)
    : set_size_(set_size), universe_(universe) {
  const double all = binomial(universe, set_size);
  if (set_size == 0 || all > kSparsest * static_cast<double>(expected) || all > UINT32_MAX / 2.0) {
    slots_.assign(16, kAbsent);
    return;
  }
  binomial_.resize(static_cast<std::size_t>(set_size) * universe);
  for (unsigned i = 0; i < set_size; ++i)
    for (Node c = 0; c < universe; ++c)
      binomial_[static_cast<std::size_t>(i) * universe + c] = static_cast<std::uint32_t>(
          c < i + 1 ? 0 : std::min(binomial(c, i + 1) + 0.5, UINT32_MAX / 2.0));
  slots_.assign(static_cast<std::size_t>(all + 0.5), kAbsent);
}

std::uint32_t SetTable::insert(const Node *set) {
  std::size_t slot = slot_of(set);
  if (slots_[slot] == kAbsent) {
    if (!ranked() && 2 * (count_ + 1) > slots_.size()) {
      grow();
      slot = probe(set);
    }
    slots_[slot] = static_cast<std::uint32_t>(count_++);
    members_.insert(members_.end(), set, set + set_size_);
  }
  return slots_[slot];
}

std::size_t SetTable::probe(const Node *wanted) const {
  std::uint64_t hash = 0x9e3779b97f4a7c15u;
  for (unsigned i = 0; i < set_size_; ++i) {
    hash = (hash ^ wanted[i]) * 0xff51afd7ed558ccdu;
    hash ^= hash >> 32;
  }
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (slots_[slot] != kAbsent && !std::equal(wanted, wanted + set_size_, set(slots_[slot])))
    slot = (slot + 1) & mask;
  return slot;
}

void SetTable::grow() {
  slots_.assign(2 * slots_.size(), kAbsent);
  for (std::uint32_t number = 0; number < count_; ++number)
    slots_[probe(set(number))] = number;
}

} // namespace optbn
