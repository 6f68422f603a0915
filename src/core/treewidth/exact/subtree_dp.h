// SubtreeDp: the best k-tree, put together from promising subtrees (Korhonen & Parviainen 2013,
// http://proceedings.mlr.press/v31/korhonen13a.html).
//
// What a subtree with separator S and nodes C (subtrees.h) gains is all that the k-tree above it
// needs to know: for every order of S and every set A of its members, how much if A take their
// parents within the subtree (bag_step.h; messages are the same). The best for a subtree is made of
// those for smaller ones, in one of two ways:
//
//   two side by side    the nodes C are divided between two subtrees with the same separator; the
//                       first holds the lowest node of C, so that every division is met once;
//   one bag on top      a node v of C joins S in a bag, and what is left of C is divided among the
//                       other separators within the bag, S + v without one member of S.
//
// The whole is a bag with subtrees below it that hold all other nodes. It may be any bag of the
// k-tree, so one with the node `root`, which is in no subtree then.
//
// A subtree that gains too little for the room there is (subtrees.h) is forgotten, and is in
// nothing larger. And before gains are worked out by order, a division must hold out hope when
// every part counts with its best: to that end gains are compared with prices, what each node gains
// in the network to beat, so that parts which are good at the same nodes do not all count them.
#pragma once

#include "core/base/host.h"
#include "core/treewidth/exact/subtree_table.h"
#include "core/treewidth/exact/subtrees.h"
#include "core/treewidth/k_tree.h"
#include "core/treewidth/within/bag_step.h"

#include <cstddef>
#include <vector>

namespace optbn {

class SubtreeDp {
public:
  static double bytes(unsigned nodes, unsigned k);

  // k is from 1 to kLargestDpWidth, and less than the number of nodes. price: by node.
  SubtreeDp(const SetTrie &sets, unsigned k, std::vector<double> price);

  // The k-tree within which a network gains most, more than `floor`; without bags when there is
  // none, or when the watch stops. Uses the threads of the watch's host, advancing by one unit a
  // subtree.
  KTree best(const PromisingBranches &subtrees, unsigned root, double floor, Watch &watch);

  // Subtrees that turned out to be good enough, so far.
  double kept() const { return kept_.size(); }

private:
  struct Worker {
    explicit Worker(unsigned bag_size) : step(bag_size) {}
    BagStep step;
    BagMessage message;
    std::vector<double> gains; // of a subtree, by set and order
  };

  void tabulate(const std::vector<NodeMask> &bags, Watch &watch);
  void weigh_all(Watch &watch);
  KeptSubtree weigh(const Subtree &subtree, Worker &worker, Watch &watch) const;
  KeptSubtree promising_part(const Subtree &subtree, std::vector<double> &gains) const;
  NodeMask best_root(const std::vector<NodeMask> &bags, Watch &watch);
  double gain_below(NodeMask root_bag, Worker &worker, Watch &watch) const;
  KTree trace_root(NodeMask bag);
  void trace(const KeptSubtree &subtree, std::uint32_t order, std::uint32_t paid,
             std::uint32_t parent, KTree &tree);
  bool trace_pair(const KeptSubtree &subtree, std::uint32_t order, std::uint32_t paid,
                  std::uint32_t parent, KTree &tree);
  bool trace_crown(const KeptSubtree &subtree, std::uint32_t order, std::uint32_t paid,
                   std::uint32_t parent, KTree &tree);
  void add_bag(const RootedBag &rooted, unsigned introduced, const BagStep::Trace &way,
               std::uint32_t parent, KTree &tree);

  template <class Visit>
  bool for_each_rooted_bag(NodeMask separator, NodeMask nodes, double need, Visit visit) const;
  template <class Visit> bool for_each_root(NodeMask bag, Visit visit) const;

  double price_of(NodeMask nodes) const;
  double need(const Subtree &subtree) const;
  const double *table(NodeMask bag) const {
    return tables_.data() + number_[bag] * bag_table_size(k_ + 1);
  }

  const SetTrie &sets_;
  const unsigned nodes_, k_;
  const std::vector<double> price_;
  std::vector<std::uint32_t> number_;  // by bag
  std::vector<double> tables_;         // by number of the bag, as bag_scores() makes them
  std::vector<double> bag_over_price_; // likewise: the most that members gain over their prices
  SubtreeTable kept_;
  std::vector<Worker> workers_;
  // Of the search in hand.
  const PromisingBranches *subtrees_ = nullptr;
  unsigned root_ = 0;
  double floor_ = 0;
};

} // namespace optbn
