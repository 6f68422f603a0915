// Sets as ascending vectors.
#pragma once

#include <algorithm>
#include <vector>

namespace optbn {

template <class Item> void insert(std::vector<Item> &set, Item item) {
  const auto position = std::lower_bound(set.begin(), set.end(), item);
  if (position == set.end() || *position != item)
    set.insert(position, item);
}

// `item` is in the set.
template <class Item> void erase(std::vector<Item> &set, Item item) {
  set.erase(std::lower_bound(set.begin(), set.end(), item));
}

template <class Item> std::vector<Item> without(std::vector<Item> set, Item item) {
  erase(set, item);
  return set;
}

template <class Item> std::vector<Item> with(std::vector<Item> set, Item item) {
  insert(set, item);
  return set;
}

} // namespace optbn
