// SubtreeTable: the subtrees that have been worked out (subtree_dp.h), and the ways in which nodes
// can be divided among them.
//
// Divisions that promise too little are left out before anything is worked out for them: every
// subtree knows by how much it can exceed the prices of its nodes at best, and the parts of a
// division must together exceed them by more than `need`. Safe to read from several threads.
#pragma once

#include "core/treewidth/exact/node_masks.h"
#include "core/treewidth/within/bag_step.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

struct KeptBranch {
  NodeMask separator = 0, nodes = 0;
  BagMessage message;
  double over_price = 0; // the most that gains exceed the prices of the nodes that they are for
};

// A bag, and the subtrees that hang from it.
struct Crown {
  NodeMask bag = 0;
  std::vector<const KeptBranch *> subtrees;
  std::vector<BagChild> children; // the same for BagStep
};

class SubtreeTable {
public:
  SubtreeTable(unsigned nodes, unsigned k);

  // Of one separator, in the order of key_of(): smaller subtrees first.
  void add(KeptBranch subtree);

  const KeptBranch *find(NodeMask separator, NodeMask nodes) const;
  double size() const;

  // visit(a, b) for every two subtrees of the separator that divide the nodes between them, `a`
  // with the lowest, until it returns true; that is what is returned then.
  template <class Visit>
  bool for_each_pair(NodeMask separator, NodeMask nodes, double need, Visit &&visit) const;

  // visit(crown) for every way to divide the nodes among the separators that are the bag without
  // one of `omitted`, until it returns true; that is what is returned then.
  template <class Visit>
  bool for_each_crown(NodeMask bag, NodeMask omitted, NodeMask nodes, double need,
                      Visit &&visit) const;

private:
  // The subtrees of one separator.
  struct Shelf {
    std::vector<std::uint64_t> keys;
    std::vector<KeptBranch> subtrees;
    double most_over_price = 0; // or none of them
  };
  // A place below a bag where a subtree may hang.
  struct Hook {
    const Shelf *shelf;
    unsigned omitted;
    double reach; // the most that subtrees here and at the hooks that follow exceed their prices
  };

  static std::uint64_t key_of(NodeMask nodes) {
    return std::uint64_t{count_bits(nodes)} << 32 | nodes;
  }
  static NodeMask nodes_of(std::uint64_t key) { return static_cast<NodeMask>(key); }
  static const KeptBranch *find(const Shelf &shelf, NodeMask nodes);

  const Shelf &shelf(NodeMask separator) const { return shelves_[number_[separator]]; }
  std::vector<Hook> hooks(NodeMask bag, NodeMask omitted) const;
  template <class Visit>
  bool divide(const Hook *hook, NodeMask nodes, double need, Crown &crown, Visit &visit) const;

  std::vector<std::uint32_t> number_; // separator -> shelf
  std::vector<Shelf> shelves_;
};

template <class Visit>
bool SubtreeTable::for_each_pair(NodeMask separator, NodeMask nodes, double need,
                                 Visit &&visit) const {
  const Shelf &here = shelf(separator);
  const NodeMask lowest = nodes & -nodes;
  for (std::size_t i = 0; i < here.keys.size() && here.keys[i] < key_of(nodes); ++i) {
    const NodeMask part = nodes_of(here.keys[i]);
    if (!(part & lowest) || part & ~nodes)
      continue;
    const KeptBranch &a = here.subtrees[i];
    const KeptBranch *const b = find(here, nodes & ~part);
    if (b && a.over_price + b->over_price > need && visit(a, *b))
      return true;
  }
  return false;
}

template <class Visit>
bool SubtreeTable::for_each_crown(NodeMask bag, NodeMask omitted, NodeMask nodes, double need,
                                  Visit &&visit) const {
  const std::vector<Hook> all = hooks(bag, omitted);
  Crown crown;
  crown.bag = bag;
  return divide(all.data(), nodes, need, crown, visit);
}

// The last hook has no shelf.
template <class Visit>
bool SubtreeTable::divide(const Hook *hook, NodeMask nodes, double need, Crown &crown,
                          Visit &visit) const {
  if (hook->reach <= need)
    return false;
  if (nodes == 0)
    return need < 0 && visit(crown);
  if (!hook->shelf)
    return false;
  if (divide(hook + 1, nodes, need, crown, visit)) // nothing hangs here
    return true;
  const auto hang = [&](const KeptBranch &subtree) {
    crown.subtrees.push_back(&subtree);
    crown.children.push_back({hook->omitted, &subtree.message});
    const bool enough =
        divide(hook + 1, nodes & ~subtree.nodes, need - subtree.over_price, crown, visit);
    crown.subtrees.pop_back();
    crown.children.pop_back();
    return enough;
  };
  if (!hook[1].shelf) {
    const KeptBranch *const rest = find(*hook->shelf, nodes);
    return rest && hang(*rest);
  }
  const std::vector<std::uint64_t> &keys = hook->shelf->keys;
  for (std::size_t i = 0; i < keys.size() && keys[i] <= key_of(nodes); ++i)
    if ((nodes_of(keys[i]) & ~nodes) == 0 && hang(hook->shelf->subtrees[i]))
      return true;
  return false;
}

} // namespace optbn
