#include "core/treewidth/within/bag_sets.h"

#include <algorithm>

namespace optbn {

namespace {

std::uint64_t hash_of(const Node *bag, unsigned size) {
  std::uint64_t hash = 0x9e3779b97f4a7c15u;
  for (unsigned i = 0; i < size; ++i) { // the last steps of splitmix64
    hash += bag[i] + 1u;
    hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ hash >> 27) * 0x94d049bb133111ebu;
    hash ^= hash >> 31;
  }
  return hash;
}

} // namespace

const BagSets::Bag *BagSets::of(const Node *members) {
  Bag &bag = bags_[hash_of(members, size_)];
  if (!bag.first_.empty())
    return &bag;
  bag.first_.push_back(0);
  for (unsigned position = 0; position < size_; ++position) {
    const auto begin = static_cast<std::ptrdiff_t>(bag.sets_.size());
    sets_.for_each_within(members[position], members, size_,
                          [&](double gain, std::uint32_t mask, std::uint32_t) {
                            if (gain > 0)
                              bag.sets_.push_back({gain, mask});
                          });
    std::sort(bag.sets_.begin() + begin, bag.sets_.end(),
              [](const Bag::Set &a, const Bag::Set &b) { return a.gain > b.gain; });
    bag.first_.push_back(static_cast<std::uint32_t>(bag.sets_.size()));
  }
  constexpr double kOverhead = 150; // of the map and the vectors
  bytes_ += kOverhead + static_cast<double>(bag.sets_.capacity() * sizeof(Bag::Set) +
                                            bag.first_.capacity() * sizeof(std::uint32_t));
  return &bag;
}

void BagSets::clear() {
  bags_.clear();
  bytes_ = 0;
}

} // namespace optbn
