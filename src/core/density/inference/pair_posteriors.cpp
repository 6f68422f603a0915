#include "core/density/inference/pair_posteriors.h"

#include "core/base/log_sum.h"

#include <algorithm>
#include <cmath>

namespace optbn {

PairPosteriors::PairPosteriors(const TreeDensity &tree, const Items &items)
    : tree_(tree), items_(items), log_tables_(tree.tables.size()), node_of_(items.variables()),
      level_(tree.nodes.size()), island_(tree.nodes.size()), informed_(tree.nodes.size()),
      place_(tree.nodes.size()), conditional_(tree.tables.size()) {
  std::transform(tree.tables.begin(), tree.tables.end(), log_tables_.begin(),
                 [](double p) { return std::log(p); });
  std::size_t levels = 0;
  for (std::uint32_t m = 0; m < tree.nodes.size(); ++m) {
    node_of_[tree.nodes[m].variable] = m;
    first_.push_back(levels);
    levels += tree.nodes[m].levels;
  }
  below_.resize(levels);
  posterior_.resize(levels);
}

double PairPosteriors::add(const PartialRows &rows, std::size_t row, double weight,
                           PairCounts &counts) {
  read(rows, row);
  const double log_p = collect();
  if (log_p == kLogZero)
    return log_p;
  distribute();
  join();
  count(weight, counts);
  return log_p;
}

bool PairPosteriors::separated(std::size_t node) const {
  const std::uint32_t parent = tree_.nodes[node].parent;
  return parent == TreeDensity::kRoot || known(parent);
}

void PairPosteriors::read(const PartialRows &rows, std::size_t row) {
  missing_.clear();
  for (std::uint32_t m = 0; m < tree_.nodes.size(); ++m) {
    level_[m] = rows.columns[tree_.nodes[m].variable][row];
    if (level_[m] != PartialRows::kMissing) {
      island_[m] = kKnown;
      continue;
    }
    island_[m] = separated(m) ? m : island_[tree_.nodes[m].parent];
    informed_[m] = false;
    std::fill_n(below_.data() + first_[m], tree_.nodes[m].levels, 0.0);
    place_[m] = static_cast<std::uint32_t>(missing_.size());
    missing_.push_back(m);
  }
}

// From the leaves to the roots. Messages to missing parents are P(known at or below | level of the
// parent); the others are factors of the probability of what is known.
double PairPosteriors::collect() {
  double log_p = 0;
  for (std::size_t m = tree_.nodes.size(); m-- > 0;) {
    const TreeDensity::TreeNode &node = tree_.nodes[m];
    if (separated(m)) {
      const std::size_t level = node.parent == TreeDensity::kRoot ? 0 : level_[node.parent];
      log_p +=
          known(m) ? log_probability(m, level) : message(m, level, posterior_.data() + first_[m]);
      continue;
    }
    if (!known(m) && !informed_[m]) {
      std::copy_n(tree_.tables.data() + node.table, node.levels * tree_.blocks(node),
                  conditional_.data() + node.table);
      continue;
    }
    double *const below_parent = below_.data() + first_[node.parent];
    for (std::size_t y = 0; y < tree_.blocks(node); ++y)
      below_parent[y] += known(m)
                             ? log_probability(m, y)
                             : message(m, y, conditional_.data() + node.table + y * node.levels);
    informed_[node.parent] = true;
  }
  return log_p;
}

// Of a missing variable, and its posterior given the level of the parent.
double PairPosteriors::message(std::size_t node, std::size_t parent_level, double *posterior) {
  const std::size_t levels = tree_.nodes[node].levels;
  const double *const log_p = log_tables_.data() + tree_.nodes[node].table + parent_level * levels;
  const double *const below = below_.data() + first_[node];
  double largest = kLogZero, sum = 0;
  for (std::size_t x = 0; x < levels; ++x)
    largest = std::max(largest, posterior[x] = log_p[x] + below[x]);
  if (largest == kLogZero) {
    std::fill_n(posterior, levels, 0.0);
    return kLogZero;
  }
  for (std::size_t x = 0; x < levels; ++x)
    sum += posterior[x] = std::exp(posterior[x] - largest);
  for (std::size_t x = 0; x < levels; ++x)
    posterior[x] /= sum;
  return largest + std::log(sum);
}

void PairPosteriors::distribute() {
  for (const std::uint32_t m : missing_) {
    if (separated(m))
      continue;
    const TreeDensity::TreeNode &node = tree_.nodes[m];
    const double *const parent = posterior_.data() + first_[node.parent];
    const double *p = conditional_.data() + node.table;
    double *const posterior = posterior_.data() + first_[m];
    std::fill_n(posterior, node.levels, 0.0);
    for (std::size_t y = 0; y < tree_.blocks(node); ++y, p += node.levels)
      for (std::size_t x = 0; x < node.levels; ++x)
        posterior[x] += parent[y] * p[x];
  }
}

// The root of an island comes before all its other variables.
void PairPosteriors::join() {
  offset_.resize(missing_.size() * missing_.size());
  joints_.clear();
  for (std::size_t b = 0; b < missing_.size(); ++b)
    for (std::size_t a = 0; a < b; ++a)
      if (island_[missing_[a]] == island_[missing_[b]])
        join(a, b);
}

// The parent of the second is missing, and it is joined with the first already.
void PairPosteriors::join(std::size_t a, std::size_t b) {
  const TreeDensity::TreeNode &of_a = tree_.nodes[missing_[a]], &of_b = tree_.nodes[missing_[b]];
  const std::size_t parent = place_[of_b.parent], begin = joints_.size();
  offset_[a * missing_.size() + b] = begin;
  joints_.resize(begin + std::size_t{of_a.levels} * of_b.levels, 0.0);
  for (std::size_t y = 0; y < tree_.blocks(of_b); ++y) {
    const double *const p = conditional_.data() + of_b.table + y * of_b.levels;
    for (std::size_t w = 0; w < of_a.levels; ++w) {
      const double with_parent = joint(a, parent, w, y);
      for (std::size_t x = 0; x < of_b.levels; ++x)
        joints_[begin + x * of_a.levels + w] += with_parent * p[x];
    }
  }
}

// P(a = x, b = y | known), of two places of an island.
double PairPosteriors::joint(std::size_t a, std::size_t b, std::size_t x, std::size_t y) const {
  if (a == b)
    return x == y ? posterior_[first_[missing_[a]] + x] : 0;
  if (a > b)
    return joint(b, a, y, x);
  return joints_[offset_[a * missing_.size() + b] + y * tree_.nodes[missing_[a]].levels + x];
}

void PairPosteriors::count(double weight, PairCounts &counts) {
  possible_.clear();
  for (const std::uint32_t m : node_of_) {
    const std::size_t first = first_item(m);
    if (known(m)) {
      if (level_[m] > 0)
        possible_.push_back({first + level_[m] - 1, 1});
      continue;
    }
    for (std::size_t x = 1; x < tree_.nodes[m].levels; ++x)
      possible_.push_back({first + x - 1, posterior_[first_[m] + x]});
  }
  for (auto one = possible_.begin(); one != possible_.end(); ++one) {
    double *const row = counts.row(one->item);
    const double expected = weight * one->posterior;
    for (auto other = one; other != possible_.end(); ++other)
      row[other->item] += expected * other->posterior;
  }
  count_island_pairs(weight, counts);
}

// Adds the covariances.
void PairPosteriors::count_island_pairs(double weight, PairCounts &counts) const {
  for (std::size_t b = 0; b < missing_.size(); ++b)
    for (std::size_t a = 0; a <= b; ++a) {
      const std::uint32_t u = missing_[a], v = missing_[b];
      if (island_[u] != island_[v])
        continue;
      const std::size_t of_u = first_item(u) - 1, of_v = first_item(v) - 1;
      for (std::size_t y = 1; y < tree_.nodes[v].levels; ++y)
        for (std::size_t x = 1; x < (u == v ? y + 1 : tree_.nodes[u].levels); ++x) {
          const double apart = posterior_[first_[u] + x] * posterior_[first_[v] + y];
          counts.row(std::min(of_u + x, of_v + y))[std::max(of_u + x, of_v + y)] +=
              weight * (joint(a, b, x, y) - apart);
        }
    }
}

} // namespace optbn
