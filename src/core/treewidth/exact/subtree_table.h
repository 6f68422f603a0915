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

struct KeptSubtree {
  NodeMask separator = 0, nodes = 0;
  BagMessage message;
  double over_price = 0; // the most that gains exceed the prices of the nodes that they are for
};

// A bag, and the subtrees that hang from it.
struct RootedBag {
  NodeMask bag = 0;
  std::vector<const KeptSubtree *> subtrees;
  std::vector<BagChild> children; // the same for BagStep
};

class SubtreeTable {
public:
  SubtreeTable(unsigned nodes, unsigned k);

  // Of one separator, in the order of key_of(): smaller subtrees first.
  void add(KeptSubtree subtree);

  const KeptSubtree *find(NodeMask separator, NodeMask nodes) const;
  double size() const;

  // visit(a, b) for every two subtrees of the separator that divide the nodes between them, `a`
  // with the lowest, until it returns true; that is what is returned then.
  template <class Visit>
  bool for_each_pair(NodeMask separator, NodeMask nodes, double need, Visit &&visit) const;

  // visit(rooted) for every way to divide the nodes among the separators that are the bag without
  // one of `omitted`, until it returns true; that is what is returned then.
  template <class Visit>
  bool for_each_rooted_bag(NodeMask bag, NodeMask omitted, NodeMask nodes, double need,
                           Visit &&visit) const;

private:
  // The subtrees of one separator.
  struct Bucket {
    std::vector<std::uint64_t> keys;
    std::vector<KeptSubtree> subtrees;
    double most_over_price = 0; // or none of them
  };
  // A place below a bag where a subtree may hang.
  struct Attachment {
    const Bucket *bucket;
    unsigned omitted;
    double
        reach; // the most that subtrees here and at the attachments that follow exceed their prices
  };

  static std::uint64_t key_of(NodeMask nodes) {
    return std::uint64_t{count_bits(nodes)} << 32 | nodes;
  }
  static NodeMask nodes_of(std::uint64_t key) { return static_cast<NodeMask>(key); }
  static const KeptSubtree *find(const Bucket &bucket, NodeMask nodes);

  const Bucket &bucket(NodeMask separator) const { return buckets_[number_[separator]]; }
  std::vector<Attachment> attachments(NodeMask bag, NodeMask omitted) const;
  template <class Visit>
  bool divide(const Attachment *attachment, NodeMask nodes, double need, RootedBag &rooted,
              Visit &visit) const;

  std::vector<std::uint32_t> number_; // separator -> bucket
  std::vector<Bucket> buckets_;
};

template <class Visit>
bool SubtreeTable::for_each_pair(NodeMask separator, NodeMask nodes, double need,
                                 Visit &&visit) const {
  const Bucket &here = bucket(separator);
  const NodeMask lowest = nodes & -nodes;
  for (std::size_t i = 0; i < here.keys.size() && here.keys[i] < key_of(nodes); ++i) {
    const NodeMask part = nodes_of(here.keys[i]);
    if (!(part & lowest) || part & ~nodes)
      continue;
    const KeptSubtree &a = here.subtrees[i];
    const KeptSubtree *const b = find(here, nodes & ~part);
    if (b && a.over_price + b->over_price > need && visit(a, *b))
      return true;
  }
  return false;
}

template <class Visit>
bool SubtreeTable::for_each_rooted_bag(NodeMask bag, NodeMask omitted, NodeMask nodes, double need,
                                       Visit &&visit) const {
  const std::vector<Attachment> all = attachments(bag, omitted);
  RootedBag rooted;
  rooted.bag = bag;
  return divide(all.data(), nodes, need, rooted, visit);
}

// The last attachment has no bucket.
template <class Visit>
bool SubtreeTable::divide(const Attachment *attachment, NodeMask nodes, double need,
                          RootedBag &rooted, Visit &visit) const {
  if (attachment->reach <= need)
    return false;
  if (nodes == 0)
    return need < 0 && visit(rooted);
  if (!attachment->bucket)
    return false;
  if (divide(attachment + 1, nodes, need, rooted, visit)) // nothing hangs here
    return true;
  const auto attach = [&](const KeptSubtree &subtree) {
    rooted.subtrees.push_back(&subtree);
    rooted.children.push_back({attachment->omitted, &subtree.message});
    const bool enough =
        divide(attachment + 1, nodes & ~subtree.nodes, need - subtree.over_price, rooted, visit);
    rooted.subtrees.pop_back();
    rooted.children.pop_back();
    return enough;
  };
  if (!attachment[1].bucket) {
    const KeptSubtree *const rest = find(*attachment->bucket, nodes);
    return rest && attach(*rest);
  }
  const std::vector<std::uint64_t> &keys = attachment->bucket->keys;
  for (std::size_t i = 0; i < keys.size() && keys[i] <= key_of(nodes); ++i)
    if ((nodes_of(keys[i]) & ~nodes) == 0 && attach(attachment->bucket->subtrees[i]))
      return true;
  return false;
}

} // namespace optbn
