#include "core/treewidth/exact/subtree_dp.h"

#include "core/base/binomial.h"
#include "core/base/errors.h"
#include "core/base/invariant.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace optbn {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

std::vector<Node> members_of(NodeMask set) {
  std::vector<Node> members;
  for (; set != 0; set &= set - 1)
    members.push_back(static_cast<Node>(lowest_bit(set)));
  return members;
}

// What a subtree gains if members within `paid` take their parents there.
double gain_of(const BagMessage &message, std::uint32_t paid, std::uint32_t order) {
  double best = kNever;
  for (std::size_t j = 0; j < message.sets.size(); ++j)
    if ((message.sets[j] & ~paid) == 0)
      best = std::max(best, message.gain(j)[order]);
  return best;
}

void raise(double *to, const double *gains, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    to[i] = std::max(to[i], gains[i]);
}

// Both side by side, no member taking its parents in both: to is by set and order.
void raise_by_pair(double *to, const BagMessage &a, const BagMessage &b) {
  for (std::size_t i = 0; i < a.sets.size(); ++i)
    for (std::size_t j = 0; j < b.sets.size(); ++j) {
      if (a.sets[i] & b.sets[j])
        continue;
      double *const best = to + (a.sets[i] | b.sets[j]) * a.orders;
      for (std::size_t r = 0; r < a.orders; ++r)
        best[r] = std::max(best[r], a.gain(i)[r] + b.gain(j)[r]);
    }
}

} // namespace

double SubtreeDp::bytes(unsigned nodes, unsigned k) {
  const double bag = sizeof(double) * (static_cast<double>(bag_table_size(k + 1)) + 1);
  return std::ldexp(2 * sizeof(std::uint32_t), static_cast<int>(nodes)) +
         binomial(nodes, k + 1) * bag;
}

SubtreeDp::SubtreeDp(const SetTrie &sets, unsigned k, std::vector<double> price)
    : sets_(sets), nodes_(sets.size()), k_(k), price_(std::move(price)),
      number_(std::size_t{1} << nodes_), kept_(nodes_, k) {}

KTree SubtreeDp::best(const PromisingBranches &subtrees, unsigned root, double floor,
                      Watch &watch) {
  subtrees_ = &subtrees;
  root_ = root;
  floor_ = floor;
  while (workers_.size() < std::max(1u, watch.host().threads))
    workers_.emplace_back(k_ + 1);
  const std::vector<NodeMask> bags = subsets_of_size(nodes_, k_ + 1);
  tabulate(bags, watch);
  weigh_all(watch);
  const NodeMask bag = best_root(bags, watch);
  return bag == 0 || watch.stopped() ? KTree() : trace_root(bag);
}

void SubtreeDp::tabulate(const std::vector<NodeMask> &bags, Watch &watch) {
  const unsigned size = k_ + 1;
  for (std::uint32_t i = 0; i < bags.size(); ++i)
    number_[bags[i]] = i;
  tables_.resize(bags.size() * bag_table_size(size));
  bag_over_price_.assign(bags.size(), 0);
  parallel_for(watch, bags.size(), [&](std::size_t i, unsigned) {
    const std::vector<Node> members = members_of(bags[i]);
    double *const table = tables_.data() + i * bag_table_size(size);
    bag_scores(sets_, members.data(), size, table);
    for (unsigned place = 0; place < size; ++place) {
      const double most = table[((place + 1) << size) - 1];
      bag_over_price_[i] += std::max(0.0, most - price_[members[place]]);
    }
  });
}

// Smaller subtrees first: the larger ones are made of them.
void SubtreeDp::weigh_all(Watch &watch) {
  for (const std::vector<Subtree> &layer : subtrees_->of_size()) {
    std::vector<KeptSubtree> weighed(layer.size());
    parallel_for(watch, layer.size(), [&](std::size_t i, unsigned worker) {
      weighed[i] = weigh(layer[i], workers_[worker], watch);
      watch.advance(1);
    });
    if (watch.stopped())
      return;
    for (KeptSubtree &subtree : weighed)
      if (!subtree.message.sets.empty())
        kept_.add(std::move(subtree));
  }
}

// What the subtree gains; nothing when it cannot be in a network that is good enough.
KeptSubtree SubtreeDp::weigh(const Subtree &subtree, Worker &worker, Watch &watch) const {
  const std::size_t orders = subtrees_->orders();
  std::vector<double> &gains = worker.gains;
  gains.assign(orders << k_, kNever);
  kept_.for_each_pair(subtree.separator, subtree.nodes, need(subtree),
                      [&](const KeptSubtree &a, const KeptSubtree &b) {
                        raise_by_pair(gains.data(), a.message, b.message);
                        return watch.stopped();
                      });
  for_each_rooted_bag(subtree.separator, subtree.nodes, need(subtree),
                      [&](const RootedBag &rooted, unsigned introduced) {
                        BagMessage &message = worker.message;
                        worker.step.pass_up(table(rooted.bag), introduced, rooted.children,
                                            message);
                        for (std::size_t j = 0; j < message.sets.size(); ++j)
                          raise(gains.data() + message.sets[j] * orders, message.gain(j), orders);
                        return watch.stopped();
                      });
  return promising_part(subtree, gains);
}

// Of the gains, by set and order, those that are more than what fewer members gain, and within what
// there is room for.
KeptSubtree SubtreeDp::promising_part(const Subtree &subtree, std::vector<double> &gains) const {
  const std::size_t orders = subtrees_->orders();
  const float *room = subtree.room;
  KeptSubtree kept{subtree.separator, subtree.nodes, {}, kNever};
  kept.message.orders = orders;
  for (std::uint32_t set = 0; set < std::uint32_t{1} << k_; ++set, room += orders) {
    double *const own = gains.data() + set * orders;
    bool news = set == 0;
    double best = kNever;
    for (std::size_t r = 0; r < orders; ++r) {
      double less = kNever;
      for (std::uint32_t rest = set; rest != 0; rest &= rest - 1)
        less = std::max(less, gains[(set ^ (rest & -rest)) * orders + r]);
      news |= own[r] > less;
      own[r] = std::max(own[r], less);
      if (own[r] + room[r] > floor_)
        best = std::max(best, own[r]);
    }
    if (!news || best == kNever)
      continue;
    const NodeMask paid = subtree.nodes | selected(subtree.separator, set);
    kept.over_price = std::max(kept.over_price, best - price_of(paid));
    kept.message.sets.push_back(set);
    kept.message.gains.insert(kept.message.gains.end(), own, own + orders);
  }
  return kept;
}

// By how much the gains of its parts must exceed their prices.
double SubtreeDp::need(const Subtree &subtree) const {
  const std::size_t orders = subtrees_->orders();
  const float *room = subtree.room;
  double most = kNever;
  for (std::uint32_t set = 0; set < std::uint32_t{1} << k_; ++set, room += orders)
    most = std::max(most, *std::max_element(room, room + orders) +
                              price_of(subtree.nodes | selected(subtree.separator, set)));
  return floor_ - most;
}

double SubtreeDp::price_of(NodeMask nodes) const {
  double sum = 0;
  for (; nodes != 0; nodes &= nodes - 1)
    sum += price_[lowest_bit(nodes)];
  return sum;
}

// visit(rooted, introduced) for the bags that join a node with the separator, the others hanging
// below, until it returns true.
template <class Visit>
bool SubtreeDp::for_each_rooted_bag(NodeMask separator, NodeMask nodes, double need,
                                    Visit visit) const {
  for (NodeMask rest = nodes; rest != 0; rest &= rest - 1) {
    const NodeMask own = rest & -rest, bag = separator | own;
    const unsigned introduced = place_in(bag, lowest_bit(own));
    if (kept_.for_each_rooted_bag(
            bag, separator, nodes & ~own, need - bag_over_price_[number_[bag]],
            [&](const RootedBag &rooted) { return visit(rooted, introduced); }))
      return true;
  }
  return false;
}

// visit(rooted) for the ways in which all others can hang below the bag, until it returns true.
template <class Visit> bool SubtreeDp::for_each_root(NodeMask bag, Visit visit) const {
  const NodeMask all = mask_of(nodes_) - 1;
  const double need = floor_ - price_of(all) - bag_over_price_[number_[bag]];
  return kept_.for_each_rooted_bag(bag, bag, all & ~bag, need, visit);
}

double SubtreeDp::gain_below(NodeMask root_bag, Worker &worker, Watch &watch) const {
  double best = kNever;
  for_each_root(root_bag, [&](const RootedBag &rooted) {
    best = std::max(best, worker.step.finish(table(rooted.bag), rooted.children));
    return watch.stopped();
  });
  return best;
}

// The bag below which the most is gained, of several the first; none if that is not enough.
NodeMask SubtreeDp::best_root(const std::vector<NodeMask> &bags, Watch &watch) {
  std::vector<double> gains(bags.size(), kNever);
  parallel_for(watch, bags.size(), [&](std::size_t i, unsigned worker) {
    if (bags[i] & mask_of(root_))
      gains[i] = gain_below(bags[i], workers_[worker], watch);
  });
  const auto best = std::max_element(gains.begin(), gains.end());
  return *best > floor_ ? bags[static_cast<std::size_t>(best - gains.begin())] : 0;
}

KTree SubtreeDp::trace_root(NodeMask bag) {
  Host still; // the way back is short
  Watch watch(still);
  const double goal = gain_below(bag, workers_[0], watch);
  KTree tree{static_cast<Node>(nodes_), k_, {}, {}, {}};
  for_each_root(bag, [&](const RootedBag &rooted) {
    BagStep &step = workers_[0].step;
    if (step.finish(table(bag), rooted.children) < goal)
      return false;
    add_bag(rooted, 0, step.trace_root(table(bag), rooted.children), 0, tree);
    return true;
  });
  OPTBN_INVARIANT(well_formed(tree), "subtrees hang together as a k-tree");
  return tree;
}

// Adds to the tree the bags that make the subtree's gain, with the members `paid` of the separator
// taking their parents within.
void SubtreeDp::trace(const KeptSubtree &subtree, std::uint32_t order, std::uint32_t paid,
                      std::uint32_t parent, KTree &tree) {
  if (!trace_pair(subtree, order, paid, parent, tree) &&
      !trace_crown(subtree, order, paid, parent, tree))
    throw Error("subtree_dp: the tables do not hold together");
}

bool SubtreeDp::trace_pair(const KeptSubtree &subtree, std::uint32_t order, std::uint32_t paid,
                           std::uint32_t parent, KTree &tree) {
  const double goal = gain_of(subtree.message, paid, order);
  return kept_.for_each_pair(
      subtree.separator, subtree.nodes, kNever, [&](const KeptSubtree &a, const KeptSubtree &b) {
        for (const std::uint32_t own : a.message.sets) {
          const std::uint32_t others = paid & ~own;
          if (own & ~paid ||
              gain_of(a.message, own, order) + gain_of(b.message, others, order) < goal)
            continue;
          trace(a, order, own, parent, tree);
          trace(b, order, others, parent, tree);
          return true;
        }
        return false;
      });
}

bool SubtreeDp::trace_crown(const KeptSubtree &subtree, std::uint32_t order, std::uint32_t paid,
                            std::uint32_t parent, KTree &tree) {
  const double goal = gain_of(subtree.message, paid, order);
  return for_each_rooted_bag(
      subtree.separator, subtree.nodes, kNever, [&](const RootedBag &rooted, unsigned introduced) {
        BagStep &step = workers_[0].step;
        BagMessage &message = workers_[0].message;
        const double *const scores = table(rooted.bag);
        step.pass_up(scores, introduced, rooted.children, message);
        if (gain_of(message, paid, order) < goal)
          return false;
        add_bag(rooted, introduced, step.trace(scores, introduced, rooted.children, order, paid),
                parent, tree);
        return true;
      });
}

// Adds the bag, and the subtrees below it.
void SubtreeDp::add_bag(const RootedBag &rooted, unsigned introduced, const BagStep::Trace &way,
                        std::uint32_t parent, KTree &tree) {
  const auto own = static_cast<std::uint32_t>(tree.bags());
  const std::vector<Node> members = members_of(rooted.bag);
  tree.members.insert(tree.members.end(), members.begin(), members.end());
  tree.parent.push_back(parent);
  tree.introduced.push_back(members[introduced]);
  const BagOrders &orders = workers_[0].step.orders();
  for (std::size_t i = 0; i < rooted.children.size(); ++i) {
    const BagChild &child = rooted.children[i];
    trace(*rooted.subtrees[i], orders.without(child.omitted)[way.order],
          child.message->sets[way.child_sets[i]], own, tree);
  }
}

} // namespace optbn
