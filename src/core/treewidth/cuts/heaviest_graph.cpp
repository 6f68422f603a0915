#include "core/treewidth/cuts/heaviest_graph.h"

#include "core/base/bit_set.h"

#include <algorithm>
#include <cmath>

namespace optbn {

HeaviestGraph::HeaviestGraph(unsigned nodes, unsigned k)
    : nodes_(nodes), k_(k), number_(std::size_t{1} << nodes), joined_(std::size_t{nodes} << nodes) {
  for (Mask set = 0; set < Mask{1} << nodes_; ++set) {
    const unsigned size = count_bits(set);
    if (size != k_ && size != k_ + 1)
      continue;
    std::vector<Mask> &list = size == k_ ? separators_ : bags_;
    number_[set] = static_cast<std::uint32_t>(list.size());
    list.push_back(set);
  }
  below_.resize(separators_.size() << nodes_);
  child_.resize(bags_.size() << nodes_);
  bag_.resize(bags_.size() << nodes_);
  steps_ = static_cast<double>(separators_.size()) * std::pow(3.0, nodes_ - k_) / 2 +
           static_cast<double>(bags_.size()) * std::pow(3.0, nodes_ - k_ - 1) / 2;
}

// Sets of nodes in ascending order of their masks: subsets come first.
double HeaviestGraph::weight(const std::vector<double> &weights) {
  const Mask all = (Mask{1} << nodes_) - 1;
  for (unsigned v = 0; v < nodes_; ++v) {
    double *joined = joined_.data() + (std::size_t{v} << nodes_);
    joined[0] = 0;
    for (Mask set = 1; set <= all; ++set) {
      const unsigned u = lowest_bit(set);
      joined[set] = joined[set & (set - 1)] + (u == v ? 0 : weights[pair_number(u, v)]);
    }
  }
  for (Mask nodes = 0; nodes <= all; ++nodes) {
    for (const Mask separator : separators_)
      if (!(separator & nodes))
        solve_below(separator, nodes);
    for (const Mask bag : bags_)
      if (!(bag & nodes))
        solve_bag(bag, nodes);
  }
  // Any bag can be the root: one with node 0.
  double most = -1;
  for (const Mask bag : bags_) {
    if (!(bag & 1))
      continue;
    double inside = 0;
    for (Mask rest = bag; rest; rest &= rest - 1) {
      const unsigned v = lowest_bit(rest);
      inside += joined_[std::size_t{v} << nodes_ | (rest & (rest - 1))];
    }
    const double total = inside + bag_[of_bag(bag, all & ~bag)];
    if (total > most) {
      most = total;
      root_ = bag;
    }
  }
  return most;
}

void HeaviestGraph::solve_below(Mask separator, Mask nodes) {
  double *const below = below_.data() + of_separator(separator, 0);
  double most = nodes == 0 ? 0 : -1;
  for (Mask rest = nodes; rest; rest &= rest - 1) {
    const Mask v = rest & -rest;
    most = std::max(most, joined_[std::size_t{lowest_bit(rest)} << nodes_ | separator] +
                              bag_[of_bag(separator | v, nodes & ~v)]);
  }
  const Mask others = nodes & (nodes - 1); // without the lowest node
  for (Mask part = others; part; part = (part - 1) & others)
    most = std::max(most, below[nodes & ~part] + below[part]);
  below[nodes] = most;
}

void HeaviestGraph::solve_bag(Mask bag, Mask nodes) {
  double *const child = child_.data() + of_bag(bag, 0), *const whole = bag_.data() + of_bag(bag, 0);
  if (nodes == 0) {
    whole[0] = 0;
    return;
  }
  double most = -1;
  for (Mask omitted = bag; omitted; omitted &= omitted - 1)
    most = std::max(most, below_[of_separator(bag & ~(omitted & -omitted), nodes)]);
  child[nodes] = most;
  const Mask others = nodes & (nodes - 1);
  for (Mask rest = others; rest; rest = (rest - 1) & others)
    most = std::max(most, child[nodes & ~rest] + whole[rest]);
  whole[nodes] = most;
}

std::vector<char> HeaviestGraph::edges() const {
  std::vector<char> edges(pair_count(nodes_), 0);
  join(root_, edges);
  trace_bag(root_, ((Mask{1} << nodes_) - 1) & ~root_, edges);
  return edges;
}

void HeaviestGraph::join(Mask bag, std::vector<char> &edges) const {
  for (Mask rest = bag; rest; rest &= rest - 1)
    for (Mask others = rest & (rest - 1); others; others &= others - 1)
      edges[pair_number(lowest_bit(rest), lowest_bit(others))] = 1;
}

// The same sums as in solve_below(), so that one of them is equal to the bit.
void HeaviestGraph::trace_below(Mask separator, Mask nodes, std::vector<char> &edges) const {
  const double *const below = below_.data() + of_separator(separator, 0);
  for (Mask rest = nodes; rest; rest &= rest - 1) {
    const Mask v = rest & -rest, bag = separator | v;
    if (joined_[std::size_t{lowest_bit(rest)} << nodes_ | separator] +
            bag_[of_bag(bag, nodes & ~v)] ==
        below[nodes]) {
      join(bag, edges);
      return trace_bag(bag, nodes & ~v, edges);
    }
  }
  const Mask others = nodes & (nodes - 1);
  for (Mask part = others; part; part = (part - 1) & others)
    if (below[nodes & ~part] + below[part] == below[nodes]) {
      trace_below(separator, nodes & ~part, edges);
      return trace_below(separator, part, edges);
    }
}

void HeaviestGraph::trace_bag(Mask bag, Mask nodes, std::vector<char> &edges) const {
  if (nodes == 0)
    return;
  const double *const child = child_.data() + of_bag(bag, 0), *const whole =
                                                                  bag_.data() + of_bag(bag, 0);
  const Mask others = nodes & (nodes - 1);
  Mask rest = others;
  while (rest && child[nodes & ~rest] + whole[rest] != whole[nodes])
    rest = (rest - 1) & others;
  const Mask part = nodes & ~rest;
  for (Mask omitted = bag; omitted; omitted &= omitted - 1) {
    const Mask separator = bag & ~(omitted & -omitted);
    if (below_[of_separator(separator, part)] == child[part]) {
      trace_below(separator, part, edges);
      break;
    }
  }
  trace_bag(bag, rest, edges);
}

} // namespace optbn
