// SubtreeTable: the solved subtrees (subtree_dp.h), and the ways to divide nodes among them.
//
// Divisions whose gain is too small are pruned before their gains are computed by order: every
// entry has the largest amount by which its gain exceeds the prices of its nodes, and the parts of
// a division must together exceed the prices by more than `need`. Safe to read from several
// threads.
#pragma once

#include "core/treewidth/exact/node_masks.h"
#include "core/treewidth/within/bag_step.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

struct SubtreeEntry {
  NodeMask separator = 0, nodes = 0;
  BagMessage message;
  double over_price = 0; // the largest amount by which a gain exceeds the prices of its nodes
};

// A bag as the root of subtrees that are attached to it.
struct RootedBag {
  NodeMask bag = 0;
  std::vector<const SubtreeEntry *> subtrees;
  std::vector<BagChild> children; // the same subtrees for BagStep
};

class SubtreeTable {
public:
  SubtreeTable(unsigned nodes, unsigned k);

  // Entries of one separator must be added in the order of key_of(): smaller subtrees first.
  void add(SubtreeEntry subtree);

  const SubtreeEntry *find(NodeMask separator, NodeMask nodes) const;
  double size() const;

  // visit(a, b) for every division of the nodes into two subtrees of the separator, `a` with the
  // lowest node, until it returns true; then returns true.
  template <class Visit>
  bool for_each_pair(NodeMask separator, NodeMask nodes, double need, Visit &&visit) const;

  // visit(rooted bag) for every way to divide the nodes among the separators that are the bag
  // without one of `omitted`, until it returns true; then returns true.
  template <class Visit>
  bool for_each_rooted_bag(NodeMask bag, NodeMask omitted, NodeMask nodes, double need,
                           Visit &&visit) const;

private:
  // The subtrees of one separator.
  struct Bucket {
    std::vector<std::uint64_t> keys;
    std::vector<SubtreeEntry> subtrees;
    double most_over_price = 0; // of all subtrees, or of none
  };
  // A separator below a bag where a subtree can be attached.
  struct Attachment {
    const Bucket *bucket;
    unsigned omitted;
    double most_over_price; // of subtrees here and at all later attachments together
  };

  static std::uint64_t key_of(NodeMask nodes) {
    return std::uint64_t{count_bits(nodes)} << 32 | nodes;
  }
  static NodeMask nodes_of(std::uint64_t key) { return static_cast<NodeMask>(key); }
  static const SubtreeEntry *find(const Bucket &bucket, NodeMask nodes);

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
    const SubtreeEntry &a = here.subtrees[i];
    const SubtreeEntry *const b = find(here, nodes & ~part);
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
  if (attachment->most_over_price <= need)
    return false;
  if (nodes == 0)
    return need < 0 && visit(rooted);
  if (!attachment->bucket)
    return false;
  if (divide(attachment + 1, nodes, need, rooted, visit)) // nothing is attached here
    return true;
  const auto attach = [&](const SubtreeEntry &subtree) {
    rooted.subtrees.push_back(&subtree);
    rooted.children.push_back({attachment->omitted, &subtree.message});
    const bool enough =
        divide(attachment + 1, nodes & ~subtree.nodes, need - subtree.over_price, rooted, visit);
    rooted.subtrees.pop_back();
    rooted.children.pop_back();
    return enough;
  };
  if (!attachment[1].bucket) {
    const SubtreeEntry *const rest = find(*attachment->bucket, nodes);
    return rest && attach(*rest);
  }
  const std::vector<std::uint64_t> &keys = attachment->bucket->keys;
  for (std::size_t i = 0; i < keys.size() && keys[i] <= key_of(nodes); ++i)
    if ((nodes_of(keys[i]) & ~nodes) == 0 && attach(attachment->bucket->subtrees[i]))
      return true;
  return false;
}

} // namespace optbn
