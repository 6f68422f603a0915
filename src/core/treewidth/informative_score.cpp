#include "core/treewidth/informative_score.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace optbn {

namespace {

constexpr std::size_t kFirstSlots = 1024;
constexpr std::size_t kMostBytes = std::size_t{50} << 20;

std::uint64_t hash_of(const Node *bag, unsigned size) {
  std::uint64_t hash = 0;
  for (unsigned i = 0; i < size; ++i)
    hash = (hash ^ bag[i]) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

double largest_gain(const SetTrie &sets, Node v, const Node *bag, unsigned size) {
  double largest = 0;
  sets.for_each_within(v, bag, size, [&](double gain, std::uint32_t, std::uint32_t) {
    largest = std::max(largest, gain);
  });
  return largest;
}

} // namespace

BagGains::BagGains(const SetTrie &sets, unsigned bag_size) : sets_(sets), bag_size_(bag_size) {
  clear(kFirstSlots);
}

const double *BagGains::of(const Node *bag) {
  std::size_t slot = slot_of(bag);
  if (*bag_at(slot) == kNoNode) {
    if (2 * ++cached_ > slots_) {
      make_room();
      slot = slot_of(bag);
    }
    std::copy(bag, bag + bag_size_, bag_at(slot));
    for (unsigned i = 0; i < bag_size_; ++i)
      gains_at(slot)[i] = largest_gain(sets_, bag[i], bag, bag_size_);
  }
  return gains_at(slot);
}

// The slot of the bag, or the free slot where it can be inserted.
std::size_t BagGains::slot_of(const Node *bag) {
  std::size_t slot = hash_of(bag, bag_size_) & (slots_ - 1);
  while (*bag_at(slot) != kNoNode && !std::equal(bag, bag + bag_size_, bag_at(slot)))
    slot = (slot + 1) & (slots_ - 1);
  return slot;
}

void BagGains::clear(std::size_t slots) {
  slots_ = slots;
  bags_.assign(slots * bag_size_, kNoNode);
  gains_.resize(slots * bag_size_);
}

// Makes room for one more bag, which is already counted.
void BagGains::make_room() {
  if (2 * slots_ * bag_size_ * (sizeof(Node) + sizeof(double)) > kMostBytes) {
    clear(slots_);
    cached_ = 1;
    return;
  }
  const std::vector<Node> bags = std::move(bags_);
  const std::vector<double> gains = std::move(gains_);
  clear(2 * slots_);
  for (std::size_t at = 0; at < bags.size(); at += bag_size_)
    if (bags[at] != kNoNode) {
      const std::size_t slot = slot_of(bags.data() + at);
      std::copy_n(bags.data() + at, bag_size_, bag_at(slot));
      std::copy_n(gains.data() + at, bag_size_, gains_at(slot));
    }
}

InformativeScore InformativeScorer::operator()(const KTree &tree) {
  InformativeScore score;
  std::fill(best_.begin(), best_.end(), 0.0);
  for (std::size_t i = 0; i < tree.bags(); ++i) {
    const Node *const bag = tree.bag(i);
    const double *const gains = gains_.of(bag);
    const double *const information = information_.row(tree.introduced[i]);
    for (unsigned j = 0; j < tree.bag_size(); ++j) {
      best_[bag[j]] = std::max(best_[bag[j]], gains[j]);
      score.information += information[bag[j]]; // 0 of the introduced node itself
    }
  }
  // Edges of the first bag without the node that it introduces, its first.
  for (const Node *a = tree.bag(0) + 1; a < tree.bag_end(0); ++a)
    for (const Node *b = a + 1; b < tree.bag_end(0); ++b)
      score.information += information_(*a, *b);
  score.pseudo = std::accumulate(best_.begin(), best_.end(), sets_.baseline_sum());
  for (Node v = 0; v < sets_.size(); ++v)
    score.without_set += best_[v] == 0 && !sets_.has_empty(v);
  return score;
}

} // namespace optbn
