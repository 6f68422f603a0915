#include "core/treewidth/exact/subtree_table.h"

#include <utility>

namespace optbn {

SubtreeTable::SubtreeTable(unsigned nodes, unsigned k) : number_(std::size_t{1} << nodes) {
  const std::vector<NodeMask> separators = subsets_of_size(nodes, k);
  for (std::uint32_t i = 0; i < separators.size(); ++i)
    number_[separators[i]] = i;
  shelves_.resize(separators.size());
}

void SubtreeTable::add(KeptBranch subtree) {
  Shelf &shelf = shelves_[number_[subtree.separator]];
  shelf.keys.push_back(key_of(subtree.nodes));
  shelf.most_over_price = std::max(shelf.most_over_price, subtree.over_price);
  shelf.subtrees.push_back(std::move(subtree));
}

double SubtreeTable::size() const {
  double count = 0;
  for (const Shelf &shelf : shelves_)
    count += static_cast<double>(shelf.keys.size());
  return count;
}

const KeptBranch *SubtreeTable::find(NodeMask separator, NodeMask nodes) const {
  return find(shelf(separator), nodes);
}

const KeptBranch *SubtreeTable::find(const Shelf &shelf, NodeMask nodes) {
  const auto place = std::lower_bound(shelf.keys.begin(), shelf.keys.end(), key_of(nodes));
  return place != shelf.keys.end() && nodes_of(*place) == nodes
             ? &shelf.subtrees[static_cast<std::size_t>(place - shelf.keys.begin())]
             : nullptr;
}

// In the same order always, so that gains are the same sums when a k-tree is traced back.
std::vector<SubtreeTable::Hook> SubtreeTable::hooks(NodeMask bag, NodeMask omitted) const {
  std::vector<Hook> all;
  for (; omitted != 0; omitted &= omitted - 1) {
    const unsigned v = lowest_bit(omitted);
    all.push_back({&shelf(bag & ~mask_of(v)), place_in(bag, v), 0});
  }
  all.push_back({nullptr, 0, 0});
  for (std::size_t i = all.size() - 1; i-- > 0;)
    all[i].reach = all[i + 1].reach + all[i].shelf->most_over_price;
  return all;
}

} // namespace optbn
