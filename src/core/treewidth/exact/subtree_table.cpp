#include "core/treewidth/exact/subtree_table.h"

#include <utility>

namespace optbn {

SubtreeTable::SubtreeTable(unsigned nodes, unsigned k) : number_(std::size_t{1} << nodes) {
  const std::vector<NodeMask> separators = subsets_of_size(nodes, k);
  for (std::uint32_t i = 0; i < separators.size(); ++i)
    number_[separators[i]] = i;
  buckets_.resize(separators.size());
}

void SubtreeTable::add(SubtreeEntry subtree) {
  Bucket &bucket = buckets_[number_[subtree.separator]];
  bucket.keys.push_back(key_of(subtree.nodes));
  bucket.most_over_price = std::max(bucket.most_over_price, subtree.over_price);
  bucket.subtrees.push_back(std::move(subtree));
}

double SubtreeTable::size() const {
  double count = 0;
  for (const Bucket &bucket : buckets_)
    count += static_cast<double>(bucket.keys.size());
  return count;
}

const SubtreeEntry *SubtreeTable::find(NodeMask separator, NodeMask nodes) const {
  return find(bucket(separator), nodes);
}

const SubtreeEntry *SubtreeTable::find(const Bucket &bucket, NodeMask nodes) {
  const auto entry = std::lower_bound(bucket.keys.begin(), bucket.keys.end(), key_of(nodes));
  return entry != bucket.keys.end() && nodes_of(*entry) == nodes
             ? &bucket.subtrees[static_cast<std::size_t>(entry - bucket.keys.begin())]
             : nullptr;
}

// Always in the same order, so that gains are the same sums when a k-tree is traced back.
std::vector<SubtreeTable::Attachment> SubtreeTable::attachments(NodeMask bag,
                                                                NodeMask omitted) const {
  std::vector<Attachment> all;
  for (; omitted != 0; omitted &= omitted - 1) {
    const unsigned v = lowest_bit(omitted);
    all.push_back({&bucket(bag & ~mask_of(v)), position_in(bag, v), 0});
  }
  all.push_back({nullptr, 0, 0});
  for (std::size_t i = all.size() - 1; i-- > 0;)
    all[i].most_over_price = all[i + 1].most_over_price + all[i].bucket->most_over_price;
  return all;
}

} // namespace optbn
