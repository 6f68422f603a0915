#include "core/treewidth/within/bag_step.h"

#include "core/base/log_sum.h"

#include <algorithm>

namespace optbn {

namespace {

// visit(set) for every subset, the empty one first and subsets before their supersets.
template <class Visit> void for_each_subset(std::uint32_t of, Visit visit) {
  std::uint32_t set = 0;
  do {
    visit(set);
    set = (set - of) & of;
  } while (set != 0);
}

// A mask over the separator, the bag without the member at `omitted`, as one over the bag; and
// back.
std::uint32_t within_bag(std::uint32_t separator_set, unsigned omitted) {
  const std::uint32_t low = (std::uint32_t{1} << omitted) - 1;
  return (separator_set & low) | (separator_set & ~low) << 1;
}

std::uint32_t within_separator(std::uint32_t bag_set, unsigned omitted) {
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

BagStep::BagStep(unsigned bag_size) : orders_(bag_size), separator_orders_(bag_size - 1) {}

void BagStep::pass_up(const double *table, unsigned introduced,
                      const std::vector<BagChild> &children, BagMessage &message) {
  process({{}, orders_.count()}, table, introduced, children, nullptr);
  make_message(introduced, message);
}

double BagStep::finish(const double *table, const std::vector<BagChild> &children) {
  process({{}, orders_.count()}, table, kNone, children, nullptr);
  const double *const gains = rows_.at(~0u);
  return *std::max_element(gains, gains + orders_.count());
}

// Computes the gains of all sets, in rows_.
void BagStep::process(const Block &block, const double *table, unsigned introduced,
                      const std::vector<BagChild> &children, Trail *trail) {
  for (Rows *rows : {&rows_, &scratch_}) {
    rows->width = block.count;
    rows->gains.resize(std::max(rows->gains.size(), block.count << orders_.size()));
  }
  added_.resize(std::max(added_.size(), block.count));
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
    if (compute_gains(block, table, introduced, member))
      assign_family(member);
  }
}

// The best division of every set between earlier families and the child.
void BagStep::merge(const Block &block, const BagChild &child) {
  const BagMessage &message = *child.message;
  scratch_.active = rows_.active;
  for (const std::uint32_t set : message.sets)
    scratch_.active |= within_bag(set, child.omitted);
  for_each_subset(scratch_.active,
                  [&](std::uint32_t set) { std::fill_n(scratch_[set], block.count, kLogZero); });
  for (std::size_t j = 0; j < message.sets.size(); ++j) {
    for (std::size_t r = 0; r < block.count; ++r)
      added_[r] = message.gain(j)[at_order(orders_.without(child.omitted), block, r)];
    const std::uint32_t own = within_bag(message.sets[j], child.omitted);
    for_each_subset(scratch_.active & ~own, [&](std::uint32_t others) {
      kernels_.max_add(scratch_[others | own], rows_.at(others), added_.data(), block.count);
    });
  }
  std::swap(rows_, scratch_);
}

// The member's gains in this bag, by order of the bag, into added_; false when they cannot matter.
bool BagStep::compute_gains(const Block &block, const double *table, unsigned introduced,
                            unsigned member) {
  const bool own = introduced == kNone || introduced == member;
  if (!own && !gains_from(table, orders_.size(), member, introduced))
    return false;
  const double *const row = table + (std::size_t{member} << orders_.size());
  const std::uint32_t new_node = own ? 0 : std::uint32_t{1} << introduced;
  for (std::size_t r = 0; r < block.count; ++r) {
    const std::uint32_t before = at_order(orders_.before(member), block, r);
    const double gain = row[before];
    added_[r] = own || gain > row[before & ~new_node] ? gain : 0;
  }
  return true;
}

// Allows the member's family to be assigned to this bag, with the gains of added_.
void BagStep::assign_family(unsigned member) {
  const std::uint32_t bit = std::uint32_t{1} << member;
  const bool new_set = !(rows_.active & bit);
  rows_.active |= bit;
  for_each_subset(rows_.active & ~bit, [&](std::uint32_t others) {
    if (new_set)
      std::fill_n(rows_[others | bit], rows_.width, kLogZero);
    kernels_.max_add(rows_[others | bit], rows_[others], added_.data(), rows_.width);
  });
}

// The gains of rows_ by order of the separator, the new node at its best position.
void BagStep::make_message(unsigned introduced, BagMessage &message) {
  const std::size_t orders = separator_orders_.count();
  const std::uint32_t new_node = std::uint32_t{1} << introduced;
  by_separator_.width = orders;
  by_separator_.gains.resize(orders << separator_orders_.size());
  message.orders = orders;
  message.sets.clear();
  message.gains.clear();
  const std::uint32_t *const separator_order = orders_.without(introduced);
  for_each_subset(rows_.active & ~new_node, [&](std::uint32_t bag_set) {
    const std::uint32_t set = within_separator(bag_set, introduced);
    double *const best = by_separator_[set];
    std::fill_n(best, orders, kLogZero);
    const double *const gains = rows_.at(bag_set | new_node);
    for (std::size_t r = 0; r < orders_.count(); ++r)
      best[separator_order[r]] = std::max(best[separator_order[r]], gains[r]);
    bool new_gain = set == 0;
    for (std::size_t r = 0; r < orders && !new_gain; ++r) {
      double of_subsets = kLogZero;
      for (std::uint32_t rest = set; rest != 0; rest &= rest - 1)
        of_subsets = std::max(of_subsets, by_separator_[set ^ (rest & -rest)][r]);
      new_gain = best[r] > of_subsets;
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
                              const std::vector<BagChild> &children, std::uint32_t separator_order,
                              std::uint32_t assigned) {
  Block block;
  for (std::uint32_t r = 0; r < orders_.count(); ++r)
    if (orders_.without(introduced)[r] == separator_order)
      block.orders.push_back(r);
  block.count = block.orders.size();
  const std::uint32_t nodes = within_bag(assigned, introduced) | std::uint32_t{1} << introduced;
  return trace_within(block, nodes, table, introduced, children);
}

BagStep::Trace BagStep::trace_within(const Block &block, std::uint32_t nodes, const double *table,
                                     unsigned introduced, const std::vector<BagChild> &children) {
  process(block, table, introduced, children, nullptr);
  const double *const gains = rows_.at(nodes);
  const auto best = static_cast<std::size_t>(std::max_element(gains, gains + block.count) - gains);
  const std::uint32_t order =
      block.orders.empty() ? static_cast<std::uint32_t>(best) : block.orders[best];
  return trace_back({{order}, 1}, nodes, table, introduced, children);
}

// Undoes the steps of process(), last first, always by the alternative that gains most.
BagStep::Trace BagStep::trace_back(const Block &one, std::uint32_t nodes, const double *table,
                                   unsigned introduced, const std::vector<BagChild> &children) {
  Trail trail;
  process(one, table, introduced, children, &trail);
  Trace trace{one.orders[0], std::vector<std::uint32_t>(children.size())};
  for (unsigned member = orders_.size(); member-- > 0;) {
    const Rows &before = trail[children.size() + member];
    const std::uint32_t others = nodes & ~(std::uint32_t{1} << member);
    if (others != nodes && compute_gains(one, table, introduced, member) &&
        *before.at(others) + added_[0] >= *before.at(nodes))
      nodes = others;
  }
  for (std::size_t c = children.size(); c-- > 0;) {
    const BagMessage &message = *children[c].message;
    const std::uint32_t separator_order = orders_.without(children[c].omitted)[trace.order];
    double best = kLogZero;
    std::uint32_t left = nodes;
    for (std::uint32_t j = 0; j < message.sets.size(); ++j) {
      const std::uint32_t own = within_bag(message.sets[j], children[c].omitted);
      if (own & ~nodes)
        continue;
      const double gain = *trail[c].at(nodes & ~own) + message.gain(j)[separator_order];
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
