// SubtreeDp: the best k-tree, composed of promising subtrees (Korhonen & Parviainen 2013,
// http://proceedings.mlr.press/v31/korhonen13a.html).
//
// The k-tree above a subtree with separator S and nodes C (subtrees.h) depends on its gains only:
// for every order of S and every set A of its members, the gain of the subtree if the families of A
// are assigned to it (bag_step.h; messages are the same). The best gains of a subtree are computed
// from those of smaller ones, in one of two ways:
//
//   a pair of subtrees  the nodes C are divided between two subtrees with the same separator; the
//                       first contains the lowest node of C, so that every division is met once;
//   a rooted bag        a node v of C and S make a bag, and the rest of C is divided among the
//                       other separators within the bag, S + v without one member of S.
//
// A whole k-tree is a bag with subtrees below it that contain all other nodes. Any bag of the
// k-tree can be its root, so a bag with the node `root` is chosen, and this node is in no subtree.
//
// A subtree whose gains are too small with any gain outside it (subtrees.h) is pruned, and is in no
// larger one. Before gains are computed by order, a division is pruned unless the largest gains of
// its parts are enough. For this, gains are compared with prices, the gains of the nodes in the
// network to beat, so that parts with large gains of the same nodes do not all count them.
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

  // The k-tree with the network of largest gain, if that is above `cutoff`; without bags when there
  // is none, or when the watch stops. Uses the threads of the watch's host, advancing by one unit
  // for each subtree.
  KTree best(const PromisingSubtrees &subtrees, unsigned root, double cutoff, Watch &watch);

  // Subtrees in the table so far: those that were not pruned.
  double tabulated() const { return table_.size(); }

private:
  struct Worker {
    explicit Worker(unsigned bag_size) : step(bag_size) {}
    BagStep step;
    BagMessage message;
    std::vector<double> gains; // of a subtree, by set and order
  };

  void tabulate(const std::vector<NodeMask> &bags, Watch &watch);
  void solve_all(Watch &watch);
  SubtreeEntry solve(const Subtree &subtree, Worker &worker, Watch &watch) const;
  SubtreeEntry make_entry(const Subtree &subtree, std::vector<double> &gains) const;
  NodeMask best_root(const std::vector<NodeMask> &bags, Watch &watch);
  double gain_below(NodeMask root_bag, Worker &worker, Watch &watch) const;
  KTree trace_root(NodeMask bag);
  void trace(const SubtreeEntry &subtree, std::uint32_t order, std::uint32_t assigned,
             std::uint32_t parent, KTree &tree);
  bool trace_pair(const SubtreeEntry &subtree, std::uint32_t order, std::uint32_t assigned,
                  std::uint32_t parent, KTree &tree);
  bool trace_rooted_bag(const SubtreeEntry &subtree, std::uint32_t order, std::uint32_t assigned,
                        std::uint32_t parent, KTree &tree);
  void add_bag(const RootedBag &rooted, unsigned introduced, const BagStep::Trace &trace_of_bag,
               std::uint32_t parent, KTree &tree);

  template <class Visit>
  bool for_each_rooted_bag(NodeMask separator, NodeMask nodes, double need, Visit visit) const;
  template <class Visit> bool for_each_root(NodeMask bag, Visit visit) const;

  double price_of(NodeMask nodes) const;
  double need(const Subtree &subtree) const;
  const double *bag_table(NodeMask bag) const {
    return bag_tables_.data() + number_[bag] * bag_table_size(k_ + 1);
  }

  const SetTrie &sets_;
  const unsigned nodes_, k_;
  const std::vector<double> price_;
  std::vector<std::uint32_t> number_;  // by bag
  std::vector<double> bag_tables_;     // by number of the bag, as bag_scores() makes them
  std::vector<double> bag_over_price_; // likewise: largest excess of members' gains over prices
  SubtreeTable table_;
  std::vector<Worker> workers_;
  // Of the current search.
  const PromisingSubtrees *subtrees_ = nullptr;
  unsigned root_ = 0;
  double cutoff_ = 0;
};

} // namespace optbn
