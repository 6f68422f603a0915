#include "core/density/inference/tree_messages.h"

#include <algorithm>
#include <cmath>

namespace optbn {

namespace {

// Sums below this have lost digits to underflow.
constexpr double kTiny = 0x1p-900;

// log sum_x p[x] exp(belief[x]) without underflow, whatever the range of the terms.
double log_sum_of_products(const double *p, const double *belief, std::size_t levels) {
  double largest = kLogZero, sum = 0;
  for (std::size_t x = 0; x < levels; ++x)
    if (p[x] > 0)
      largest = std::max(largest, std::log(p[x]) + belief[x]);
  if (largest == kLogZero)
    return kLogZero;
  for (std::size_t x = 0; x < levels; ++x)
    if (p[x] > 0)
      sum += std::exp(std::log(p[x]) + belief[x] - largest);
  return largest + std::log(sum);
}

} // namespace

void TreeMessages::begin(const TreeDensity &tree, const LevelWeights &evidence) {
  tree_ = &tree;
  const std::size_t nodes = tree.nodes.size();
  belief_.resize(nodes);
  message_.resize(nodes);
  informed_.assign(nodes, false);
  std::size_t cells = 0;
  for (std::size_t m = 0; m < nodes; ++m) {
    belief_[m] = cells;
    message_[m] = cells + tree.nodes[m].levels;
    cells = message_[m] + tree.blocks(tree.nodes[m]);
  }
  logs_.assign(cells, 0.0);
  for (std::size_t m = 0; m < nodes; ++m) {
    const TreeDensity::TreeNode &node = tree.nodes[m];
    if (node.variable == TreeDensity::kHidden || !evidence.has_evidence(node.variable))
      continue;
    informed_[m] = true;
    std::copy_n(evidence.logs(node.variable), node.levels, logs_.data() + belief_[m]);
  }
}

double TreeMessages::exponentiate(std::size_t m) {
  const std::size_t levels = tree_->nodes[m].levels;
  const double *const belief = logs_.data() + belief_[m];
  const double largest = *std::max_element(belief, belief + levels);
  relative_.resize(std::max(relative_.size(), levels));
  if (largest != kLogZero)
    for (std::size_t x = 0; x < levels; ++x)
      relative_[x] = std::exp(belief[x] - largest);
  return largest;
}

double TreeMessages::collect(const TreeDensity &tree, const LevelWeights &evidence) {
  begin(tree, evidence);
  double log_p = 0;
  for (std::size_t m = tree.nodes.size(); m-- > 0;) {
    if (!informed_[m])
      continue;
    const TreeDensity::TreeNode &node = tree.nodes[m];
    const double largest = exponentiate(m);
    if (largest == kLogZero)
      return kLogZero;
    const double *p = tree.tables.data() + node.table;
    double *const message = logs_.data() + message_[m];
    for (std::size_t y = 0; y < tree_->blocks(node); ++y, p += node.levels) {
      double sum = 0;
      for (std::size_t x = 0; x < node.levels; ++x)
        sum += p[x] * relative_[x];
      message[y] = sum > kTiny ? largest + std::log(sum)
                               : log_sum_of_products(p, logs_.data() + belief_[m], node.levels);
    }
    if (node.parent == TreeDensity::kRoot) {
      log_p += message[0];
      continue;
    }
    informed_[node.parent] = true;
    double *const parent_belief = logs_.data() + belief_[node.parent];
    for (std::size_t y = 0; y < tree_->blocks(node); ++y)
      parent_belief[y] += message[y];
  }
  return log_p;
}

const std::vector<double> &TreeMessages::condition() {
  tables_ = tree_->tables;
  for (std::size_t m = 0; m < tree_->nodes.size(); ++m) {
    if (!informed_[m])
      continue;
    const TreeDensity::TreeNode &node = tree_->nodes[m];
    const double *const belief = logs_.data() + belief_[m];
    double *p = tables_.data() + node.table;
    for (std::size_t y = 0; y < tree_->blocks(node); ++y, p += node.levels) {
      const double message = logs_[message_[m] + y];
      for (std::size_t x = 0; x < node.levels; ++x)
        if (message == kLogZero)
          p[x] = 0;
        else if (p[x] > 0)
          p[x] = std::exp(std::log(p[x]) + belief[x] - message);
    }
  }
  return tables_;
}

double TreeMessages::maximise(const TreeDensity &tree, const LevelWeights &evidence,
                              std::uint16_t *row) {
  begin(tree, evidence);
  best_.resize(logs_.size());
  double log_p = 0;
  for (std::size_t m = tree.nodes.size(); m-- > 0;) {
    const TreeDensity::TreeNode &node = tree.nodes[m];
    const double *const belief = logs_.data() + belief_[m];
    const double *p = tree.tables.data() + node.table;
    for (std::size_t y = 0; y < tree_->blocks(node); ++y, p += node.levels) {
      double largest = kLogZero;
      for (unsigned x = 0; x < node.levels; ++x) {
        const double value = std::log(p[x]) + belief[x];
        if (value > largest) {
          largest = value;
          best_[message_[m] + y] = x;
        }
      }
      if (node.parent == TreeDensity::kRoot)
        log_p += largest;
      else
        logs_[belief_[node.parent] + y] += largest;
    }
  }
  if (log_p == kLogZero)
    return kLogZero;
  for (std::size_t m = 0; m < tree.nodes.size(); ++m) {
    const TreeDensity::TreeNode &node = tree.nodes[m];
    const unsigned parent_level =
        node.parent == TreeDensity::kRoot ? 0 : best_[belief_[node.parent]];
    const unsigned level = best_[message_[m] + parent_level];
    best_[belief_[m]] = level; // the level that was chosen
    if (node.variable != TreeDensity::kHidden)
      row[node.variable] = static_cast<std::uint16_t>(level);
  }
  return log_p;
}

} // namespace optbn
