#include "core/treewidth/branch_dp.h"

#include "core/base/binomial.h"
#include "core/base/errors.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace optbn {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

std::vector<Node> members_of(NodeMask set) {
  std::vector<Node> members;
  for (; set != 0; set &= set - 1)
    members.push_back(static_cast<Node>(lowest_bit(set)));
  return members;
}

// What a branch gains if members within `paid` take their parents there.
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

double BranchDp::bytes(unsigned nodes, unsigned k) {
  const double bag = sizeof(double) * (static_cast<double>(bag_table_size(k + 1)) + 1);
  return std::ldexp(sizeof(std::uint32_t), static_cast<int>(nodes)) + binomial(nodes, k + 1) * bag +
         binomial(nodes, k) * sizeof(std::vector<Kept>);
}

BranchDp::BranchDp(const SetTrie &sets, unsigned k, std::vector<double> price)
    : sets_(sets), nodes_(sets.size()), k_(k), price_(std::move(price)),
      number_(std::size_t{1} << nodes_) {
  std::vector<std::uint32_t> count(nodes_ + 1, 0);
  for (NodeMask set = 0; set < number_.size(); ++set)
    number_[set] = count[count_bits(set)]++;
  kept_.resize(count[k_]);
  tables_.resize(count[k_ + 1] * bag_table_size(k_ + 1));
  bag_over_price_.assign(count[k_ + 1], 0);
}

void BranchDp::tabulate(const std::vector<NodeMask> &bags, Watch &watch) {
  const unsigned size = k_ + 1;
  parallel_for(watch, bags.size(), [&](std::size_t bag, unsigned) {
    const std::vector<Node> members = members_of(bags[bag]);
    double *const table = tables_.data() + bag * bag_table_size(size);
    bag_scores(sets_, members.data(), size, table);
    for (unsigned i = 0; i < size; ++i)
      bag_over_price_[bag] += std::max(0.0, table[((i + 1) << size) - 1] - price_[members[i]]);
  });
}

double BranchDp::kept() const {
  double count = 0;
  for (const std::vector<Kept> &here : kept_)
    count += static_cast<double>(here.size());
  return count;
}

KTree BranchDp::best(const PromisingBranches &branches, unsigned root, double floor, Watch &watch) {
  branches_ = &branches;
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

void BranchDp::weigh_all(Watch &watch) {
  for (const std::vector<Branch> &layer : branches_->of_size) {
    std::vector<Kept> weighed(layer.size());
    std::vector<char> good(layer.size(), false);
    parallel_for(watch, layer.size(), [&](std::size_t i, unsigned worker) {
      good[i] = weigh(layer[i], workers_[worker], weighed[i], watch);
      watch.advance(1);
    });
    if (watch.stopped())
      return;
    for (std::size_t i = 0; i < layer.size(); ++i)
      if (good[i])
        kept_[number_[layer[i].separator]].push_back(std::move(weighed[i]));
  }
}

// Works out what the branch gains. False when it cannot be in a network that is good enough.
bool BranchDp::weigh(const Branch &branch, Worker &worker, Kept &kept, Watch &watch) const {
  const std::size_t orders = branches_->orders;
  worker.gains.assign(orders << k_, kNever);
  const double least = need(branch);
  for_each_pair(branch.separator, branch.nodes, least, [&](const Kept &a, const Kept &b) {
    raise_by_pair(worker.gains.data(), a.message, b.message);
    return watch.stopped();
  });
  for_each_crown(branch.separator, branch.nodes, least, worker.crown, [&](const Crown &crown) {
    BagMessage &message = worker.message;
    worker.step.pass_up(table(crown.bag), crown.introduced, crown.children, message);
    for (std::size_t j = 0; j < message.sets.size(); ++j)
      raise(worker.gains.data() + message.sets[j] * orders, message.gain(j), orders);
    return watch.stopped();
  });
  return keep(branch, worker, kept);
}

// Keeps of the worker's gains those that are more than those of fewer members, where there is room.
bool BranchDp::keep(const Branch &branch, Worker &worker, Kept &kept) const {
  const std::size_t orders = branches_->orders;
  const float *const room = branches_->room.data() + branch.room;
  kept.nodes = branch.nodes;
  kept.message.orders = orders;
  kept.over_price = kNever;
  for (std::uint32_t set = 0; set < std::uint32_t{1} << k_; ++set) {
    double *const gains = worker.gains.data() + set * orders;
    bool news = set == 0;
    double best = kNever;
    for (std::size_t r = 0; r < orders; ++r) {
      double less = kNever;
      for (std::uint32_t rest = set; rest != 0; rest &= rest - 1)
        less = std::max(less, worker.gains[(set ^ (rest & -rest)) * orders + r]);
      news |= gains[r] > less;
      gains[r] = std::max(gains[r], less);
      if (gains[r] + room[set * orders + r] > floor_)
        best = std::max(best, gains[r]);
    }
    if (!news || best == kNever)
      continue;
    kept.over_price =
        std::max(kept.over_price, best - price_of(branch.nodes | selected(branch.separator, set)));
    kept.message.sets.push_back(set);
    kept.message.gains.insert(kept.message.gains.end(), gains, gains + orders);
  }
  return !kept.message.sets.empty();
}

// By how much the gains of its parts must exceed their prices.
double BranchDp::need(const Branch &branch) const {
  const std::size_t orders = branches_->orders;
  const float *room = branches_->room.data() + branch.room;
  double most = kNever;
  for (std::uint32_t set = 0; set < std::uint32_t{1} << k_; ++set, room += orders)
    most = std::max(most, *std::max_element(room, room + orders) +
                              price_of(branch.nodes | selected(branch.separator, set)));
  return floor_ - most;
}

double BranchDp::price_of(NodeMask nodes) const {
  double sum = 0;
  for (; nodes != 0; nodes &= nodes - 1)
    sum += price_[lowest_bit(nodes)];
  return sum;
}

const BranchDp::Kept *BranchDp::find(NodeMask separator, NodeMask nodes) const {
  const std::vector<Kept> &here = kept_[number_[separator]];
  const auto rank = [](NodeMask set) { return std::make_pair(count_bits(set), set); };
  const auto place =
      std::lower_bound(here.begin(), here.end(), nodes, [&](const Kept &kept, NodeMask wanted) {
        return rank(kept.nodes) < rank(wanted);
      });
  return place != here.end() && place->nodes == nodes ? &*place : nullptr;
}

// visit(a, b) for the kept branches that divide the nodes between them, until it returns true.
template <class Visit>
void BranchDp::for_each_pair(NodeMask separator, NodeMask nodes, double need, Visit &&visit) const {
  const NodeMask lowest = nodes & -nodes;
  for (const Kept &a : kept_[number_[separator]]) {
    if (count_bits(a.nodes) >= count_bits(nodes))
      return;
    if (!(a.nodes & lowest) || a.nodes & ~nodes)
      continue;
    const Kept *const b = find(separator, nodes & ~a.nodes);
    if (b && a.over_price + b->over_price > need && visit(a, *b))
      return;
  }
}

// visit(crown) for the bags on top with kept branches below, until it returns true.
template <class Visit>
void BranchDp::for_each_crown(NodeMask separator, NodeMask nodes, double need, Crown &crown,
                              Visit &&visit) const {
  bool enough = false;
  auto unless_enough = [&](const Crown &found) { enough = enough || visit(found); };
  for (NodeMask rest = nodes; rest != 0 && !enough; rest &= rest - 1) {
    const NodeMask own = rest & -rest;
    crown = {};
    crown.bag = separator | own;
    crown.introduced = place_in(crown.bag, lowest_bit(own));
    divide(separator, nodes & ~own, need - bag_over_price_[number_[crown.bag]], crown,
           unless_enough);
  }
}

// Divides the nodes among the separators that lack one of `omitted`.
template <class Visit>
void BranchDp::divide(NodeMask omitted, NodeMask nodes, double need, Crown &crown,
                      Visit &visit) const {
  if (omitted == 0) {
    if (nodes == 0 && need < 0)
      visit(crown);
    return;
  }
  const NodeMask lacking = omitted & -omitted, left = omitted & ~lacking;
  const NodeMask separator = crown.bag & ~lacking;
  const unsigned place = place_in(crown.bag, lowest_bit(lacking));
  const auto hang = [&](const Kept &part) {
    crown.separators.push_back(separator);
    crown.parts.push_back(&part);
    crown.children.push_back({place, &part.message});
    divide(left, nodes & ~part.nodes, need - part.over_price, crown, visit);
    crown.separators.pop_back();
    crown.parts.pop_back();
    crown.children.pop_back();
  };
  if (left != 0 || nodes == 0)
    divide(left, nodes, need, crown, visit); // nothing hangs here
  if (nodes == 0)
    return;
  if (left == 0) {
    if (const Kept *const part = find(separator, nodes))
      hang(*part);
    return;
  }
  for (const Kept &part : kept_[number_[separator]]) {
    if (count_bits(part.nodes) > count_bits(nodes))
      return;
    if ((part.nodes & ~nodes) == 0)
      hang(part);
  }
}

// visit(crown) for the ways in which the other nodes can hang below the bag, until it returns true.
template <class Visit>
void BranchDp::for_each_root(NodeMask bag, Crown &crown, Visit &&visit) const {
  const NodeMask all = mask_of(nodes_) - 1;
  bool enough = false;
  auto unless_enough = [&](const Crown &found) { enough = enough || visit(found); };
  crown = {};
  crown.bag = bag;
  divide(bag, all & ~bag, floor_ - price_of(all) - bag_over_price_[number_[bag]], crown,
         unless_enough);
}

double BranchDp::gain_below(NodeMask root_bag, Worker &worker, Watch &watch) const {
  double best = kNever;
  for_each_root(root_bag, worker.crown, [&](const Crown &crown) {
    best = std::max(best, worker.step.finish(table(crown.bag), crown.children));
    return watch.stopped();
  });
  return best;
}

// The bag below which the most is gained, of several the first; none if that is not enough.
NodeMask BranchDp::best_root(const std::vector<NodeMask> &bags, Watch &watch) {
  std::vector<double> gains(bags.size(), kNever);
  parallel_for(watch, bags.size(), [&](std::size_t i, unsigned worker) {
    if (bags[i] & mask_of(root_))
      gains[i] = gain_below(bags[i], workers_[worker], watch);
  });
  const auto best = std::max_element(gains.begin(), gains.end());
  return *best > floor_ ? bags[static_cast<std::size_t>(best - gains.begin())] : 0;
}

KTree BranchDp::trace_root(NodeMask bag) {
  Host still; // the way back is short
  Watch watch(still);
  Worker &worker = workers_[0];
  const double goal = gain_below(bag, worker, watch);
  KTree tree{static_cast<Node>(nodes_), k_, {}, {}, {}};
  Crown crown;
  for_each_root(bag, crown, [&](const Crown &top) {
    if (worker.step.finish(table(bag), top.children) < goal)
      return false;
    add_bag(top, worker.step.trace_root(table(bag), top.children), 0, tree);
    return true;
  });
  return tree;
}

// Adds the bag to the tree, and the branches below.
void BranchDp::add_bag(const Crown &crown, const BagStep::Trace &way, std::uint32_t parent,
                       KTree &tree) {
  const auto own = static_cast<std::uint32_t>(tree.bags());
  const std::vector<Node> members = members_of(crown.bag);
  tree.members.insert(tree.members.end(), members.begin(), members.end());
  tree.parent.push_back(parent);
  tree.introduced.push_back(members[crown.introduced]);
  const BagOrders &orders = workers_[0].step.orders();
  for (std::size_t i = 0; i < crown.children.size(); ++i)
    trace(crown.separators[i], *crown.parts[i],
          orders.without(crown.children[i].omitted)[way.order],
          crown.children[i].message->sets[way.child_sets[i]], own, tree);
}

// Adds the bags of the branch to the tree: those that make its gain, with the members `paid` of the
// separator taking their parents within.
void BranchDp::trace(NodeMask separator, const Kept &branch, std::uint32_t order,
                     std::uint32_t paid, std::uint32_t parent, KTree &tree) {
  if (!trace_pair(separator, branch, order, paid, parent, tree) &&
      !trace_crown(separator, branch, order, paid, parent, tree))
    throw Error("branch_dp: the tables do not hold together");
}

bool BranchDp::trace_pair(NodeMask separator, const Kept &branch, std::uint32_t order,
                          std::uint32_t paid, std::uint32_t parent, KTree &tree) {
  const double goal = gain_of(branch.message, paid, order);
  bool found = false;
  for_each_pair(separator, branch.nodes, kNever, [&](const Kept &a, const Kept &b) {
    for (const std::uint32_t own : a.message.sets) {
      if (own & ~paid ||
          gain_of(a.message, own, order) + gain_of(b.message, paid & ~own, order) < goal)
        continue;
      trace(separator, a, order, own, parent, tree);
      trace(separator, b, order, paid & ~own, parent, tree);
      return found = true;
    }
    return false;
  });
  return found;
}

bool BranchDp::trace_crown(NodeMask separator, const Kept &branch, std::uint32_t order,
                           std::uint32_t paid, std::uint32_t parent, KTree &tree) {
  const double goal = gain_of(branch.message, paid, order);
  BagStep &step = workers_[0].step;
  Crown crown;
  bool found = false;
  for_each_crown(separator, branch.nodes, kNever, crown, [&](const Crown &top) {
    BagMessage message;
    step.pass_up(table(top.bag), top.introduced, top.children, message);
    if (gain_of(message, paid, order) < goal)
      return false;
    add_bag(top, step.trace(table(top.bag), top.introduced, top.children, order, paid), parent,
            tree);
    return found = true;
  });
  return found;
}

} // namespace optbn
