#include "core/density/inference/tree_messages.h"

#include <algorithm>
#include <cmath>

namespace optbn {

namespace {

// Sums below this have lost digits to underflow.
constexpr double kTiny = 0x1p-900;

// log sum_x p[x] exp(belief[x]), whatever the range of the terms.
double careful_sum(const double *p, const double *belief, std::size_t levels) {
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
  const std::size_t members = tree.members.size();
  belief_.resize(members);
  message_.resize(members);
  informed_.assign(members, false);
  std::size_t cells = 0;
  for (std::size_t m = 0; m < members; ++m) {
    belief_[m] = cells;
    message_[m] = cells + tree.members[m].levels;
    cells = message_[m] + tree.blocks(tree.members[m]);
  }
  logs_.assign(cells, 0.0);
  for (std::size_t m = 0; m < members; ++m) {
    const TreeDensity::Member &member = tree.members[m];
    if (member.variable == TreeDensity::kHidden || !evidence.has_evidence(member.variable))
      continue;
    informed_[m] = true;
    std::copy_n(evidence.logs(member.variable), member.levels, logs_.data() + belief_[m]);
  }
}

double TreeMessages::weigh(std::size_t m) {
  const std::size_t levels = tree_->members[m].levels;
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
  for (std::size_t m = tree.members.size(); m-- > 0;) {
    if (!informed_[m])
      continue;
    const TreeDensity::Member &member = tree.members[m];
    const double largest = weigh(m);
    if (largest == kLogZero)
      return kLogZero;
    const double *p = tree.tables.data() + member.table;
    double *const message = logs_.data() + message_[m];
    for (std::size_t y = 0; y < tree_->blocks(member); ++y, p += member.levels) {
      double sum = 0;
      for (std::size_t x = 0; x < member.levels; ++x)
        sum += p[x] * relative_[x];
      message[y] = sum > kTiny ? largest + std::log(sum)
                               : careful_sum(p, logs_.data() + belief_[m], member.levels);
    }
    if (member.parent == TreeDensity::kRoot) {
      log_p += message[0];
      continue;
    }
    informed_[member.parent] = true;
    double *const above = logs_.data() + belief_[member.parent];
    for (std::size_t y = 0; y < tree_->blocks(member); ++y)
      above[y] += message[y];
  }
  return log_p;
}

const std::vector<double> &TreeMessages::condition() {
  tables_ = tree_->tables;
  for (std::size_t m = 0; m < tree_->members.size(); ++m) {
    if (!informed_[m])
      continue;
    const TreeDensity::Member &member = tree_->members[m];
    const double *const belief = logs_.data() + belief_[m];
    double *p = tables_.data() + member.table;
    for (std::size_t y = 0; y < tree_->blocks(member); ++y, p += member.levels) {
      const double message = logs_[message_[m] + y];
      for (std::size_t x = 0; x < member.levels; ++x)
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
  for (std::size_t m = tree.members.size(); m-- > 0;) {
    const TreeDensity::Member &member = tree.members[m];
    const double *const belief = logs_.data() + belief_[m];
    const double *p = tree.tables.data() + member.table;
    for (std::size_t y = 0; y < tree_->blocks(member); ++y, p += member.levels) {
      double largest = kLogZero;
      for (unsigned x = 0; x < member.levels; ++x) {
        const double value = std::log(p[x]) + belief[x];
        if (value > largest) {
          largest = value;
          best_[message_[m] + y] = x;
        }
      }
      if (member.parent == TreeDensity::kRoot)
        log_p += largest;
      else
        logs_[belief_[member.parent] + y] += largest;
    }
  }
  if (log_p == kLogZero)
    return kLogZero;
  for (std::size_t m = 0; m < tree.members.size(); ++m) {
    const TreeDensity::Member &member = tree.members[m];
    const unsigned above = member.parent == TreeDensity::kRoot ? 0 : best_[belief_[member.parent]];
    const unsigned level = best_[message_[m] + above];
    best_[belief_[m]] = level; // the one that was chosen
    if (member.variable != TreeDensity::kHidden)
      row[member.variable] = static_cast<std::uint16_t>(level);
  }
  return log_p;
}

} // namespace optbn
