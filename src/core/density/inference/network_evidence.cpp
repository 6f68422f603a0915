#include "core/density/inference/network_evidence.h"

#include "core/density/inference/tree_descent.h"
#include "core/density/inference/tree_messages.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace optbn {

namespace {

// By node: the log of the weights of the cuts on the path, times the weights of the levels there
// by the evidence.
std::vector<double> log_paths(const CutsetNetwork &network, const std::vector<unsigned> &levels,
                              const LevelWeights &evidence) {
  std::vector<double> log_path(network.nodes.size(), 0.0);
  for (std::size_t i = 0; i < network.nodes.size(); ++i) {
    const CutsetNetwork::CutNode &node = network.nodes[i];
    if (node.cut == CutsetNetwork::kLeaf)
      continue;
    for (unsigned level = 0; level < levels[node.cut]; ++level) {
      const std::size_t child = node.first + level;
      log_path[child] =
          log_path[i] + std::log(network.nodes[child].weight) + evidence.logs(node.cut)[level];
    }
  }
  return log_path;
}

// visit(node, tree, log path) for all leaves that are possible.
template <class Visit>
void for_each_leaf(const CutsetNetwork &network, const std::vector<unsigned> &levels,
                   const LevelWeights &evidence, Visit visit) {
  const std::vector<double> log_path = log_paths(network, levels, evidence);
  for (std::size_t i = 0; i < log_path.size(); ++i)
    if (network.nodes[i].cut == CutsetNetwork::kLeaf && log_path[i] != kLogZero)
      visit(i, network.leaves[network.nodes[i].first], log_path[i]);
}

class PosteriorSum {
public:
  PosteriorSum(const CutsetNetwork &network, const std::vector<unsigned> &levels,
               const LevelWeights &evidence)
      : network_(network), levels_(levels), evidence_(evidence),
        mass_(network.nodes.size(), kLogZero), cells_(evidence.cells(), 0.0) {}

  Posterior solve() {
    for_each_leaf(network_, levels_, evidence_,
                  [&](std::size_t node, const TreeDensity &tree, double log_path) {
                    add_leaf(node, tree, log_path);
                  });
    if (largest_ == kLogZero)
      return {};
    add_cuts();
    for (double &cell : cells_)
      cell /= mass_[0];
    return {largest_ + std::log(mass_[0]), std::move(cells_)};
  }

private:
  // Sums are relative to the largest leaf so far.
  void add_leaf(std::size_t node, const TreeDensity &tree, double log_path) {
    const double log_p = mass_[node] = log_path + messages_.collect(tree, evidence_);
    if (log_p > largest_) {
      const double shrink = std::exp(largest_ - log_p);
      for (double &cell : cells_)
        cell *= shrink;
      largest_ = log_p;
    }
    if (log_p != kLogZero)
      descent_.add_marginals(tree, messages_.condition(), std::exp(log_p - largest_), evidence_,
                             cells_.data());
  }

  // From leaves to the root: the masses of nodes, which are those of the levels of the cuts.
  void add_cuts() {
    for (std::size_t i = mass_.size(); i-- > 0;) {
      const CutsetNetwork::CutNode &node = network_.nodes[i];
      if (node.cut == CutsetNetwork::kLeaf) {
        mass_[i] = std::exp(mass_[i] - largest_);
        continue;
      }
      mass_[i] = 0;
      for (unsigned level = 0; level < levels_[node.cut]; ++level) {
        mass_[i] += mass_[node.first + level];
        cells_[evidence_.first(node.cut) + level] += mass_[node.first + level];
      }
    }
  }

  const CutsetNetwork &network_;
  const std::vector<unsigned> &levels_;
  const LevelWeights &evidence_;
  TreeMessages messages_;
  TreeDescent descent_;
  double largest_ = kLogZero;
  std::vector<double> mass_; // by node; logarithms at first, for leaves
  std::vector<double> cells_;
};

} // namespace

std::vector<double> leaf_logs(const CutsetNetwork &network, const std::vector<unsigned> &levels,
                              const LevelWeights &evidence) {
  TreeMessages messages;
  std::vector<double> logs(network.nodes.size(), kLogZero);
  for_each_leaf(network, levels, evidence,
                [&](std::size_t node, const TreeDensity &tree, double log_path) {
                  logs[node] = log_path + messages.collect(tree, evidence);
                });
  return logs;
}

Posterior posterior(const CutsetNetwork &network, const std::vector<unsigned> &levels,
                    const LevelWeights &evidence) {
  return PosteriorSum(network, levels, evidence).solve();
}

void set_cut_levels(const CutsetNetwork &network, const std::vector<unsigned> &levels,
                    std::size_t node, std::uint16_t *row) {
  for (std::size_t i = node; i-- > 0;) { // nodes come before their children
    const CutsetNetwork::CutNode &parent = network.nodes[i];
    if (parent.cut == CutsetNetwork::kLeaf || node < parent.first ||
        node >= parent.first + levels[parent.cut])
      continue;
    row[parent.cut] = static_cast<std::uint16_t>(node - parent.first);
    node = i;
  }
}

Row best_row(const CutsetNetwork &network, const std::vector<unsigned> &levels,
             const LevelWeights &evidence) {
  TreeMessages messages;
  Row best, row(levels.size(), 0);
  double largest = kLogZero;
  for_each_leaf(network, levels, evidence,
                [&](std::size_t node, const TreeDensity &tree, double log_path) {
                  const double log_p = log_path + messages.maximise(tree, evidence, row.data());
                  if (!(log_p > largest))
                    return;
                  set_cut_levels(network, levels, node, row.data());
                  largest = log_p;
                  best = row;
                });
  return best;
}

} // namespace optbn
