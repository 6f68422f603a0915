#include "core/demand/family_table.h"

namespace optbn {

namespace {

// Of one member; of a set it is the sum (splitmix64; Steele, Lea & Flood 2014).
std::uint64_t hash_of(Node member) {
  std::uint64_t h = (member + 1u) * 0x9e3779b97f4a7c15u;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
  return h ^ (h >> 31);
}

std::uint64_t hash_of(const std::vector<Node> &set) {
  std::uint64_t sum = 0;
  for (const Node member : set)
    sum += hash_of(member);
  return sum;
}

std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

} // namespace

template <class Same> std::size_t FamilyTable::slot_of(std::uint64_t hash, Same same) const {
  std::size_t slot = hash & (slots_.size() - 1);
  while (slots_[slot].number != kNone &&
         !(slots_[slot].tag == tag_of(hash) && same(slots_[slot].number)))
    slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

std::size_t FamilyTable::slot_of(const std::vector<Node> &set, std::uint64_t hash) const {
  return slot_of(hash, [&](std::uint32_t other) {
    return std::equal(set.begin(), set.end(), begin_of(other), end_of(other));
  });
}

std::uint32_t FamilyTable::find(const std::vector<Node> &set) const {
  return slots_[slot_of(set, hash_of(set))].number;
}

std::uint32_t FamilyTable::find_without(std::uint32_t number, Node member) const {
  const Node *const first = begin_of(number), *const last = end_of(number);
  const auto same = [&](std::uint32_t other) {
    const Node *const position = std::lower_bound(first, last, member);
    return families_[other].size + 1 == families_[number].size &&
           std::equal(first, position, begin_of(other)) &&
           std::equal(position + 1, last, begin_of(other) + (position - first));
  };
  return slots_[slot_of(families_[number].hash - hash_of(member), same)].number;
}

std::uint32_t FamilyTable::add(const std::vector<Node> &set, double score) {
  const std::uint64_t hash = hash_of(set);
  std::size_t slot = slot_of(set, hash);
  if (slots_[slot].number != kNone)
    return slots_[slot].number;
  if (2 * (families_.size() + 1) > slots_.size()) {
    grow();
    slot = slot_of(set, hash);
  }
  slots_[slot] = {size(), tag_of(hash)};
  Family family;
  family.score = score;
  family.first = members_.size();
  family.hash = hash;
  family.size = static_cast<std::uint32_t>(set.size());
  families_.push_back(std::move(family));
  members_.insert(members_.end(), set.begin(), set.end());
  return slots_[slot].number;
}

void FamilyTable::grow() {
  slots_.assign(2 * slots_.size(), Slot());
  for (std::uint32_t number = 0; number < size(); ++number) {
    std::size_t slot = families_[number].hash & (slots_.size() - 1);
    while (slots_[slot].number != kNone)
      slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = {number, tag_of(families_[number].hash)};
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
         slots_.capacity() * sizeof(Slot) + extensions_ * sizeof(Extension);
}

} // namespace optbn
