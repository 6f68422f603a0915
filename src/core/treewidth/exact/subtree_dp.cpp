#include "core/treewidth/exact/subtree_dp.h"

#include "core/base/binomial.h"
#include "core/base/errors.h"
#include "core/base/invariant.h"
#include "core/base/log_sum.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace optbn {

namespace {

std::vector<Node> members_of(NodeMask set) {
  std::vector<Node> members;
  for (; set != 0; set &= set - 1)
    members.push_back(static_cast<Node>(lowest_bit(set)));
  return members;
}

// The gain of a subtree if at most the families of `assigned` are assigned to it.
double gain_of(const BagMessage &message, std::uint32_t assigned, std::uint32_t order) {
  double best = kLogZero;
  for (std::size_t j = 0; j < message.sets.size(); ++j)
    if ((message.sets[j] & ~assigned) == 0)
      best = std::max(best, message.gain(j)[order]);
  return best;
}

void raise(double *to, const double *gains, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    to[i] = std::max(to[i], gains[i]);
}

// A pair of subtrees, the family of each member assigned to one of them: `to` is by set and order.
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
      number_(std::size_t{1} << nodes_), table_(nodes_, k) {}

KTree SubtreeDp::best(const PromisingSubtrees &subtrees, unsigned root, double cutoff,
                      Watch &watch) {
  subtrees_ = &subtrees;
  root_ = root;
  cutoff_ = cutoff;
  while (workers_.size() < std::max(1u, watch.host().threads))
    workers_.emplace_back(k_ + 1);
  const std::vector<NodeMask> bags = subsets_of_size(nodes_, k_ + 1);
  tabulate(bags, watch);
  solve_all(watch);
  const NodeMask bag = best_root(bags, watch);
  return bag == 0 || watch.stopped() ? KTree() : trace_root(bag);
}

void SubtreeDp::tabulate(const std::vector<NodeMask> &bags, Watch &watch) {
  const unsigned size = k_ + 1;
  for (std::uint32_t i = 0; i < bags.size(); ++i)
    number_[bags[i]] = i;
  bag_tables_.resize(bags.size() * bag_table_size(size));
  bag_over_price_.assign(bags.size(), 0);
  parallel_for(watch, bags.size(), [&](std::size_t i, unsigned) {
    const std::vector<Node> members = members_of(bags[i]);
    double *const table = bag_tables_.data() + i * bag_table_size(size);
    bag_scores(sets_, members.data(), size, table);
    for (unsigned position = 0; position < size; ++position) {
      const double most = table[((position + 1) << size) - 1];
      bag_over_price_[i] += std::max(0.0, most - price_[members[position]]);
    }
  });
}

// Smaller subtrees first: the larger ones are composed of them.
void SubtreeDp::solve_all(Watch &watch) {
  for (const std::vector<Subtree> &layer : subtrees_->of_size()) {
    std::vector<SubtreeEntry> entries(layer.size());
    parallel_for(watch, layer.size(), [&](std::size_t i, unsigned worker) {
      entries[i] = solve(layer[i], workers_[worker], watch);
      watch.advance(1);
    });
    if (watch.stopped())
      return;
    for (SubtreeEntry &entry : entries)
      if (!entry.message.sets.empty())
        table_.add(std::move(entry));
  }
}

// The gains of the subtree; without sets when it cannot be in a network above the cutoff.
SubtreeEntry SubtreeDp::solve(const Subtree &subtree, Worker &worker, Watch &watch) const {
  const std::size_t orders = subtrees_->orders();
  std::vector<double> &gains = worker.gains;
  gains.assign(orders << k_, kLogZero);
  table_.for_each_pair(subtree.separator, subtree.nodes, need(subtree),
                       [&](const SubtreeEntry &a, const SubtreeEntry &b) {
                         raise_by_pair(gains.data(), a.message, b.message);
                         return watch.stopped();
                       });
  for_each_rooted_bag(subtree.separator, subtree.nodes, need(subtree),
                      [&](const RootedBag &rooted, unsigned introduced) {
                        BagMessage &message = worker.message;
                        worker.step.pass_up(bag_table(rooted.bag), introduced, rooted.children,
                                            message);
                        for (std::size_t j = 0; j < message.sets.size(); ++j)
                          raise(gains.data() + message.sets[j] * orders, message.gain(j), orders);
                        return watch.stopped();
                      });
  return make_entry(subtree, gains);
}

// Of the gains, by set and order, those of sets that gain more than their subsets, and enough with
// the bound outside.
SubtreeEntry SubtreeDp::make_entry(const Subtree &subtree, std::vector<double> &gains) const {
  const std::size_t orders = subtrees_->orders();
  const float *outside = subtree.outside;
  SubtreeEntry entry{subtree.separator, subtree.nodes, {}, kLogZero};
  entry.message.orders = orders;
  for (std::uint32_t set = 0; set < std::uint32_t{1} << k_; ++set, outside += orders) {
    double *const of_set = gains.data() + set * orders;
    bool improves = set == 0;
    double best = kLogZero;
    for (std::size_t r = 0; r < orders; ++r) {
      double of_subsets = kLogZero;
      for (std::uint32_t rest = set; rest != 0; rest &= rest - 1)
        of_subsets = std::max(of_subsets, gains[(set ^ (rest & -rest)) * orders + r]);
      improves |= of_set[r] > of_subsets;
      of_set[r] = std::max(of_set[r], of_subsets);
      if (of_set[r] + outside[r] > cutoff_)
        best = std::max(best, of_set[r]);
    }
    if (!improves || best == kLogZero)
      continue;
    const NodeMask assigned = subtree.nodes | selected(subtree.separator, set);
    entry.over_price = std::max(entry.over_price, best - price_of(assigned));
    entry.message.sets.push_back(set);
    entry.message.gains.insert(entry.message.gains.end(), of_set, of_set + orders);
  }
  return entry;
}

// The amount by which the gains of the subtree's parts must exceed their prices.
double SubtreeDp::need(const Subtree &subtree) const {
  const std::size_t orders = subtrees_->orders();
  const float *outside = subtree.outside;
  double most = kLogZero;
  for (std::uint32_t set = 0; set < std::uint32_t{1} << k_; ++set, outside += orders)
    most = std::max(most, *std::max_element(outside, outside + orders) +
                              price_of(subtree.nodes | selected(subtree.separator, set)));
  return cutoff_ - most;
}

double SubtreeDp::price_of(NodeMask nodes) const {
  double sum = 0;
  for (; nodes != 0; nodes &= nodes - 1)
    sum += price_[lowest_bit(nodes)];
  return sum;
}

// visit(rooted bag, introduced) for the bags of the separator and one of the nodes, the others
// being in subtrees below, until it returns true.
template <class Visit>
bool SubtreeDp::for_each_rooted_bag(NodeMask separator, NodeMask nodes, double need,
                                    Visit visit) const {
  for (NodeMask rest = nodes; rest != 0; rest &= rest - 1) {
    const NodeMask own = rest & -rest, bag = separator | own;
    const unsigned introduced = position_in(bag, lowest_bit(own));
    if (table_.for_each_rooted_bag(
            bag, separator, nodes & ~own, need - bag_over_price_[number_[bag]],
            [&](const RootedBag &rooted) { return visit(rooted, introduced); }))
      return true;
  }
  return false;
}

// visit(rooted bag) for the ways to attach all other nodes below the bag, until it returns true.
template <class Visit> bool SubtreeDp::for_each_root(NodeMask bag, Visit visit) const {
  const NodeMask all = mask_of(nodes_) - 1;
  const double need = cutoff_ - price_of(all) - bag_over_price_[number_[bag]];
  return table_.for_each_rooted_bag(bag, bag, all & ~bag, need, visit);
}

double SubtreeDp::gain_below(NodeMask root_bag, Worker &worker, Watch &watch) const {
  double best = kLogZero;
  for_each_root(root_bag, [&](const RootedBag &rooted) {
    best = std::max(best, worker.step.finish(bag_table(rooted.bag), rooted.children));
    return watch.stopped();
  });
  return best;
}

// The root bag with the largest gain, of several the first; none if that is not above the cutoff.
NodeMask SubtreeDp::best_root(const std::vector<NodeMask> &bags, Watch &watch) {
  std::vector<double> gains(bags.size(), kLogZero);
  parallel_for(watch, bags.size(), [&](std::size_t i, unsigned worker) {
    if (bags[i] & mask_of(root_))
      gains[i] = gain_below(bags[i], workers_[worker], watch);
  });
  const auto best = std::max_element(gains.begin(), gains.end());
  return *best > cutoff_ ? bags[static_cast<std::size_t>(best - gains.begin())] : 0;
}

KTree SubtreeDp::trace_root(NodeMask bag) {
  Host unlimited; // backtracking is short
  Watch watch(unlimited);
  const double goal = gain_below(bag, workers_[0], watch);
  KTree tree{static_cast<Node>(nodes_), k_, {}, {}, {}};
  for_each_root(bag, [&](const RootedBag &rooted) {
    BagStep &step = workers_[0].step;
    if (step.finish(bag_table(bag), rooted.children) < goal)
      return false;
    add_bag(rooted, 0, step.trace_root(bag_table(bag), rooted.children), 0, tree);
    return true;
  });
  OPTBN_INVARIANT(well_formed(tree), "the subtrees make a k-tree");
  return tree;
}

// Adds to the tree the bags that attain the subtree's gain, with the families of `assigned`,
// members of the separator, assigned to the subtree.
void SubtreeDp::trace(const SubtreeEntry &subtree, std::uint32_t order, std::uint32_t assigned,
                      std::uint32_t parent, KTree &tree) {
  if (!trace_pair(subtree, order, assigned, parent, tree) &&
      !trace_rooted_bag(subtree, order, assigned, parent, tree))
    throw Error("subtree_dp: the tables are inconsistent");
}

bool SubtreeDp::trace_pair(const SubtreeEntry &subtree, std::uint32_t order, std::uint32_t assigned,
                           std::uint32_t parent, KTree &tree) {
  const double goal = gain_of(subtree.message, assigned, order);
  return table_.for_each_pair(subtree.separator, subtree.nodes, kLogZero,
                              [&](const SubtreeEntry &a, const SubtreeEntry &b) {
                                for (const std::uint32_t own : a.message.sets) {
                                  const std::uint32_t others = assigned & ~own;
                                  if (own & ~assigned || gain_of(a.message, own, order) +
                                                                 gain_of(b.message, others, order) <
                                                             goal)
                                    continue;
                                  trace(a, order, own, parent, tree);
                                  trace(b, order, others, parent, tree);
                                  return true;
                                }
                                return false;
                              });
}

bool SubtreeDp::trace_rooted_bag(const SubtreeEntry &subtree, std::uint32_t order,
                                 std::uint32_t assigned, std::uint32_t parent, KTree &tree) {
  const double goal = gain_of(subtree.message, assigned, order);
  return for_each_rooted_bag(
      subtree.separator, subtree.nodes, kLogZero,
      [&](const RootedBag &rooted, unsigned introduced) {
        BagStep &step = workers_[0].step;
        BagMessage &message = workers_[0].message;
        const double *const scores = bag_table(rooted.bag);
        step.pass_up(scores, introduced, rooted.children, message);
        if (gain_of(message, assigned, order) < goal)
          return false;
        add_bag(rooted, introduced,
                step.trace(scores, introduced, rooted.children, order, assigned), parent, tree);
        return true;
      });
}

// Adds the bag and the subtrees below it.
void SubtreeDp::add_bag(const RootedBag &rooted, unsigned introduced,
                        const BagStep::Trace &trace_of_bag, std::uint32_t parent, KTree &tree) {
  const auto number = static_cast<std::uint32_t>(tree.bags());
  const std::vector<Node> members = members_of(rooted.bag);
  tree.members.insert(tree.members.end(), members.begin(), members.end());
  tree.parent.push_back(parent);
  tree.introduced.push_back(members[introduced]);
  const BagOrders &orders = workers_[0].step.orders();
  for (std::size_t i = 0; i < rooted.children.size(); ++i) {
    const BagChild &child = rooted.children[i];
    trace(*rooted.subtrees[i], orders.without(child.omitted)[trace_of_bag.order],
          child.message->sets[trace_of_bag.child_sets[i]], number, tree);
  }
}

} // namespace optbn
