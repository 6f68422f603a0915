#include "core/treewidth/tree_gains.h"

#include <algorithm>
#include <numeric>

namespace optbn {

namespace {

std::uint64_t mixed(std::uint64_t x) { // splitmix64's last steps
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

std::uint64_t hash_of(const Node *bag, unsigned size) {
  std::uint64_t hash = 0x9e3779b97f4a7c15u;
  for (unsigned i = 0; i < size; ++i)
    hash = mixed(hash + bag[i] + 1);
  return hash;
}

} // namespace

TreeGains::TreeGains(const SetTrie &sets, unsigned k, double bytes)
    : sets_(sets), step_(k + 1), bytes_(bytes), best_(sets.size()) {}

const TreeGains::Table &TreeGains::table_of(const Node *bag) {
  const unsigned size = step_.orders().size();
  Table &table = tables_[hash_of(bag, size)];
  if (table.empty()) {
    table.resize(bag_table_size(size));
    bag_scores(sets_, bag, size, table.data());
    kept_bytes_ += sizeof(double) * static_cast<double>(table.size());
  }
  return table;
}

double TreeGains::ceiling(const KTree &tree) {
  forget_if_full();
  std::fill(best_.begin(), best_.end(), 0.0);
  const unsigned size = tree.bag_size();
  for (std::size_t i = 0; i < tree.bags(); ++i) {
    const double *whole = table_of(tree.bag(i)).data() + (std::size_t{1} << size) - 1;
    for (unsigned place = 0; place < size; ++place, whole += std::size_t{1} << size)
      best_[tree.bag(i)[place]] = std::max(best_[tree.bag(i)[place]], *whole);
  }
  return std::accumulate(best_.begin(), best_.end(), 0.0);
}

double TreeGains::gain(const KTree &tree) {
  forget_if_full();
  keys_.assign(tree.bags(), 0);
  children_.resize(std::max(children_.size(), tree.bags()));
  for (std::size_t i = 0; i < tree.bags(); ++i)
    children_[i].clear();
  for (std::size_t i = tree.bags(); i-- > 1;) {
    const Node own = tree.introduced[i];
    keys_[i] = mixed(keys_[i] + hash_of(tree.bag(i), tree.bag_size()) + own);
    BagMessage &message = messages_[keys_[i]];
    if (message.sets.empty()) {
      step_.pass_up(table_of(tree.bag(i)).data(), place_in_bag(tree, i, own), children_[i],
                    message);
      kept_bytes_ += sizeof(double) * static_cast<double>(message.gains.size());
    }
    children_[tree.parent[i]].push_back({omitted_place(tree, i), &message});
    keys_[tree.parent[i]] += mixed(keys_[i]); // a sum: children come in no order
  }
  return step_.finish(table_of(tree.bag(0)).data(), children_[0]);
}

// Everything at once: what the search still needs is soon there again.
void TreeGains::forget_if_full() {
  if (kept_bytes_ <= bytes_)
    return;
  tables_.clear();
  messages_.clear();
  kept_bytes_ = 0;
}

} // namespace optbn
