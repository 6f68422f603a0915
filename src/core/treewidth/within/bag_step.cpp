#include "core/treewidth/within/bag_step.h"

#include <algorithm>
#include <limits>

namespace optbn {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

// visit(set) for every subset, the empty one first and subsets before their supersets.
template <class Visit> void for_each_subset(std::uint32_t of, Visit visit) {
  std::uint32_t set = 0;
  do {
    visit(set);
    set = (set - of) & of;
  } while (set != 0);
}

// A mask over the handle as one over the bag, whose member at `omitted` the handle lacks; and back.
std::uint32_t within_bag(std::uint32_t handle_set, unsigned omitted) {
  const std::uint32_t low = (std::uint32_t{1} << omitted) - 1;
  return (handle_set & low) | (handle_set & ~low) << 1;
}

std::uint32_t within_handle(std::uint32_t bag_set, unsigned omitted) {
  const std::uint32_t low = (std::uint32_t{1} << omitted) - 1;
  return (bag_set & low) | (bag_set >> 1 & ~low);
}

// Does any parent set of the member gain from the bag's new node?
bool gains_from(const double *table, unsigned size, unsigned member, unsigned introduced) {
  const double *const row = table + (std::size_t{member} << size);
  const std::uint32_t bit = std::uint32_t{1} << introduced;
  for (std::uint32_t set = bit; set < std::uint32_t{1} << size; set = (set + 1) | bit)
    if (row[set] > row[set ^ bit])
      return true;
  return false;
}

} // namespace

BagStep::BagStep(unsigned bag_size) : orders_(bag_size), handle_orders_(bag_size - 1) {}

void BagStep::pass_up(const double *table, unsigned introduced,
                      const std::vector<BagChild> &children, BagMessage &message) {
  take_turn({{}, orders_.count()}, table, introduced, children, nullptr);
  tell(introduced, message);
}

double BagStep::finish(const double *table, const std::vector<BagChild> &children) {
  take_turn({{}, orders_.count()}, table, kNone, children, nullptr);
  const double *const gains = rows_.at(~0u);
  return *std::max_element(gains, gains + orders_.count());
}

// Leaves the gains of all sets in rows_.
void BagStep::take_turn(const Block &block, const double *table, unsigned introduced,
                        const std::vector<BagChild> &children, Trail *trail) {
  for (Rows *rows : {&rows_, &spare_}) {
    rows->width = block.count;
    rows->gains.resize(std::max(rows->gains.size(), block.count << orders_.size()));
  }
  weight_.resize(std::max(weight_.size(), block.count));
  rows_.active = 0;
  std::fill_n(rows_[0], block.count, 0.0);
  for (const BagChild &child : children) {
    if (trail)
      trail->push_back(rows_.copy(orders_.size()));
    merge(block, child);
  }
  for (unsigned member = 0; member < orders_.size(); ++member) {
    if (trail)
      trail->push_back(rows_.copy(orders_.size()));
    if (weigh(block, table, introduced, member))
      pay(member);
  }
}

// The best division of every set between what came before and the child.
void BagStep::merge(const Block &block, const BagChild &child) {
  const BagMessage &message = *child.message;
  spare_.active = rows_.active;
  for (const std::uint32_t set : message.sets)
    spare_.active |= within_bag(set, child.omitted);
  for_each_subset(spare_.active,
                  [&](std::uint32_t set) { std::fill_n(spare_[set], block.count, kNever); });
  for (std::size_t j = 0; j < message.sets.size(); ++j) {
    for (std::size_t r = 0; r < block.count; ++r)
      weight_[r] = message.gain(j)[looked_up(orders_.without(child.omitted), block, r)];
    const std::uint32_t own = within_bag(message.sets[j], child.omitted);
    for_each_subset(spare_.active & ~own, [&](std::uint32_t others) {
      kernels_.max_add(spare_[others | own], rows_.at(others), weight_.data(), block.count);
    });
  }
  std::swap(rows_, spare_);
}

// What the member gains in this bag, by order of the bag, into weight_; false when that is nothing
// worth counting.
bool BagStep::weigh(const Block &block, const double *table, unsigned introduced, unsigned member) {
  const bool own = introduced == kNone || introduced == member;
  if (!own && !gains_from(table, orders_.size(), member, introduced))
    return false;
  const double *const row = table + (std::size_t{member} << orders_.size());
  const std::uint32_t new_node = own ? 0 : std::uint32_t{1} << introduced;
  for (std::size_t r = 0; r < block.count; ++r) {
    const std::uint32_t before = looked_up(orders_.before(member), block, r);
    const double gain = row[before];
    weight_[r] = own || gain > row[before & ~new_node] ? gain : 0;
  }
  return true;
}

// The member may take its parents in this bag, at the gain of weight_.
void BagStep::pay(unsigned member) {
  const std::uint32_t bit = std::uint32_t{1} << member;
  const bool new_set = !(rows_.active & bit);
  rows_.active |= bit;
  for_each_subset(rows_.active & ~bit, [&](std::uint32_t others) {
    if (new_set)
      std::fill_n(rows_[others | bit], rows_.width, kNever);
    kernels_.max_add(rows_[others | bit], rows_[others], weight_.data(), rows_.width);
  });
}

// The gains of rows_ by order of the handle, the new node standing where it is best.
void BagStep::tell(unsigned introduced, BagMessage &message) {
  const std::size_t orders = handle_orders_.count();
  const std::uint32_t new_node = std::uint32_t{1} << introduced;
  told_.width = orders;
  told_.gains.resize(orders << handle_orders_.size());
  message.orders = orders;
  message.sets.clear();
  message.gains.clear();
  const std::uint32_t *const handle_order = orders_.without(introduced);
  for_each_subset(rows_.active & ~new_node, [&](std::uint32_t bag_set) {
    const std::uint32_t set = within_handle(bag_set, introduced);
    double *const best = told_[set];
    std::fill_n(best, orders, kNever);
    const double *const gains = rows_.at(bag_set | new_node);
    for (std::size_t r = 0; r < orders_.count(); ++r)
      best[handle_order[r]] = std::max(best[handle_order[r]], gains[r]);
    bool new_gain = set == 0;
    for (std::size_t r = 0; r < orders && !new_gain; ++r) {
      double least = kNever; // what the subsets gain
      for (std::uint32_t rest = set; rest != 0; rest &= rest - 1)
        least = std::max(least, told_[set ^ (rest & -rest)][r]);
      new_gain = best[r] > least;
    }
    if (new_gain) {
      message.sets.push_back(set);
      message.gains.insert(message.gains.end(), best, best + orders);
    }
  });
}

BagStep::Trace BagStep::trace_root(const double *table, const std::vector<BagChild> &children) {
  return trace_within({{}, orders_.count()}, ~0u, table, kNone, children);
}

BagStep::Trace BagStep::trace(const double *table, unsigned introduced,
                              const std::vector<BagChild> &children, std::uint32_t handle_order,
                              std::uint32_t handle_nodes) {
  Block block;
  for (std::uint32_t r = 0; r < orders_.count(); ++r)
    if (orders_.without(introduced)[r] == handle_order)
      block.orders.push_back(r);
  block.count = block.orders.size();
  const std::uint32_t nodes = within_bag(handle_nodes, introduced) | std::uint32_t{1} << introduced;
  return trace_within(block, nodes, table, introduced, children);
}

BagStep::Trace BagStep::trace_within(const Block &block, std::uint32_t nodes, const double *table,
                                     unsigned introduced, const std::vector<BagChild> &children) {
  take_turn(block, table, introduced, children, nullptr);
  const double *const gains = rows_.at(nodes);
  const auto best = static_cast<std::size_t>(std::max_element(gains, gains + block.count) - gains);
  const std::uint32_t order =
      block.orders.empty() ? static_cast<std::uint32_t>(best) : block.orders[best];
  return walk_back({{order}, 1}, nodes, table, introduced, children);
}

// Undoes the steps of a turn, last first, always by the alternative that gains most.
BagStep::Trace BagStep::walk_back(const Block &one, std::uint32_t nodes, const double *table,
                                  unsigned introduced, const std::vector<BagChild> &children) {
  Trail trail;
  take_turn(one, table, introduced, children, &trail);
  Trace trace{one.orders[0], std::vector<std::uint32_t>(children.size())};
  for (unsigned member = orders_.size(); member-- > 0;) {
    const Rows &before = trail[children.size() + member];
    const std::uint32_t others = nodes & ~(std::uint32_t{1} << member);
    if (others != nodes && weigh(one, table, introduced, member) &&
        *before.at(others) + weight_[0] >= *before.at(nodes))
      nodes = others;
  }
  for (std::size_t c = children.size(); c-- > 0;) {
    const BagMessage &message = *children[c].message;
    const std::uint32_t handle_order = orders_.without(children[c].omitted)[trace.order];
    double best = kNever;
    std::uint32_t left = nodes;
    for (std::uint32_t j = 0; j < message.sets.size(); ++j) {
      const std::uint32_t own = within_bag(message.sets[j], children[c].omitted);
      if (own & ~nodes)
        continue;
      const double gain = *trail[c].at(nodes & ~own) + message.gain(j)[handle_order];
      if (gain > best) {
        best = gain;
        left = nodes & ~own;
        trace.child_sets[c] = j;
      }
    }
    nodes = left;
  }
  return trace;
}

} // namespace optbn
