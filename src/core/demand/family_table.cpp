#include "core/demand/family_table.h"

namespace optbn {

namespace {

template <class Member> std::uint64_t hash(Member first, Member last) {
  std::uint64_t h = 0;
  for (; first != last; ++first) {
    h = (h ^ (*first + 1u)) * 0x9e3779b97f4a7c15u;
    h ^= h >> 32;
  }
  return h;
}

} // namespace

std::size_t FamilyTable::slot_of(const std::vector<Node> &set) const {
  std::size_t slot = hash(set.begin(), set.end()) & (slots_.size() - 1);
  while (slots_[slot] != kNone &&
         !std::equal(set.begin(), set.end(), begin_of(slots_[slot]), end_of(slots_[slot])))
    slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

std::uint32_t FamilyTable::add(const std::vector<Node> &set, double score) {
  std::size_t slot = slot_of(set);
  if (slots_[slot] != kNone)
    return slots_[slot];
  if (2 * (families_.size() + 1) > slots_.size()) {
    grow();
    slot = slot_of(set);
  }
  slots_[slot] = size();
  Family family;
  family.score = score;
  family.first = members_.size();
  family.size = static_cast<std::uint32_t>(set.size());
  families_.push_back(std::move(family));
  members_.insert(members_.end(), set.begin(), set.end());
  return slots_[slot];
}

void FamilyTable::grow() {
  slots_.assign(2 * slots_.size(), kNone);
  for (std::uint32_t number = 0; number < size(); ++number) {
    std::size_t slot = hash(begin_of(number), end_of(number)) & (slots_.size() - 1);
    while (slots_[slot] != kNone)
      slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = number;
  }
}

void FamilyTable::set_extensions(std::uint32_t number, std::vector<Extension> extensions) {
  std::sort(extensions.begin(), extensions.end(), [](const Extension &a, const Extension &b) {
    return a.score != b.score ? a.score > b.score : a.added < b.added;
  });
  extensions.shrink_to_fit();
  extensions_ += extensions.size();
  families_[number].extensions = std::move(extensions);
  families_[number].extended = true;
}

std::size_t FamilyTable::bytes() const {
  return families_.capacity() * sizeof(Family) + members_.capacity() * sizeof(Node) +
         slots_.capacity() * sizeof(std::uint32_t) + extensions_ * sizeof(Extension);
}

} // namespace optbn
