// Reduced-error pruning of cutset networks (Rahman, Kothalkar & Gogate 2014).
#include "core/density/cuts/cutset_learning.h"

#include "core/density/counts/slice.h"
#include "core/density/cuts/cut_rules.h"
#include "core/density/learn/spanning_tree.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>

namespace optbn {

namespace {

class Pruning {
public:
  Pruning(const CutsetNetwork &network, const Training &training, const TrainingRows &validation,
          Watch &watch)
      : network_(network), training_(training), items_(training.smoother.items()),
        validation_(validation), watch_(watch), counts_(items_.size()),
        learner_(training.smoother, &watch), replacement_(network.nodes.size()) {}

  CutsetNetwork pruned() {
    std::vector<std::uint32_t> rows(validation_.rows());
    std::iota(rows.begin(), rows.end(), 0u);
    prune_below(0, training_.all_rows, items_.all_variables(), rows);
    CutsetNetwork result;
    result.nodes.push_back(network_.nodes[0]);
    copy(0, 0, result);
    return result;
  }

private:
  // Prunes at a node and below; returns the log-likelihood of the validation rows that reach it.
  double prune_below(std::uint32_t node, const Slice &slice, const std::vector<Node> &scope,
                     const std::vector<std::uint32_t> &rows) {
    const CutsetNetwork::CutNode &here = network_.nodes[node];
    if (here.cut == CutsetNetwork::kLeaf)
      return log_likelihood(network_.leaves[here.first], rows);
    const std::vector<Node> below = without(scope, here.cut);
    double with_cut = 0;
    for (unsigned level = 0; level < items_.levels(here.cut); ++level) {
      std::vector<std::uint32_t> part;
      std::copy_if(rows.begin(), rows.end(), std::back_inserter(part), [&](std::uint32_t row) {
        return validation_.cells().columns[here.cut][row] == level;
      });
      const double of_child =
          prune_below(here.first + level, slice.part(here.cut, level), below, part);
      const double weight = weight_of(part);
      if (weight > 0)
        with_cut += of_child + weight * std::log(network_.nodes[here.first + level].weight);
    }
    std::optional<TreeDensity> tree = learned(slice, scope);
    if (!tree)
      return with_cut;
    const double of_tree = log_likelihood(*tree, rows);
    if (exceeds(with_cut, of_tree))
      return with_cut;
    replacement_[node] = std::move(tree);
    return of_tree;
  }

  // The tree of a slice; none if there is no time.
  std::optional<TreeDensity> learned(const Slice &slice, const std::vector<Node> &scope) {
    if (watch_.stopped())
      return std::nullopt;
    try {
      SpanningTree tree;
      slice.count(counts_, &watch_);
      learner_.learn(counts_, scope, tree);
      return learner_.density(counts_, tree);
    } catch (const Interrupted &) {
      return std::nullopt;
    }
  }

  double weight_of(const std::vector<std::uint32_t> &rows) const {
    double sum = 0;
    for (const std::uint32_t row : rows)
      sum += validation_.weight(row);
    return sum;
  }

  double log_likelihood(const TreeDensity &tree, const std::vector<std::uint32_t> &rows) const {
    const auto &columns = validation_.cells().columns;
    double sum = 0;
    for (const TreeDensity::TreeNode &node : tree.nodes) {
      const auto log_table = logarithms(tree, node);
      const bool root = node.parent == TreeDensity::kRoot;
      const auto &parents = columns[root ? node.variable : tree.nodes[node.parent].variable];
      const auto &levels = columns[node.variable];
      for (const std::uint32_t row : rows) {
        const std::size_t block = root ? 0 : parents[row];
        const double weight = validation_.weight(row);
        if (weight > 0)
          sum += weight * log_table[block * node.levels + levels[row]];
      }
    }
    return sum;
  }

  static std::vector<double> logarithms(const TreeDensity &tree,
                                        const TreeDensity::TreeNode &node) {
    const unsigned blocks = node.parent == TreeDensity::kRoot ? 1 : tree.nodes[node.parent].levels;
    const auto begin = tree.tables.begin() + static_cast<std::ptrdiff_t>(node.table);
    std::vector<double> result(begin, begin + blocks * node.levels);
    for (double &x : result)
      x = std::log(x);
    return result;
  }

  // Copies a node of the network to a node of the result, with all below it.
  void copy(std::uint32_t from, std::uint32_t to, CutsetNetwork &result) {
    const CutsetNetwork::CutNode &source = network_.nodes[from];
    result.nodes[to].weight = source.weight;
    if (source.cut == CutsetNetwork::kLeaf || replacement_[from]) {
      result.nodes[to].cut = CutsetNetwork::kLeaf;
      result.nodes[to].first = static_cast<std::uint32_t>(result.leaves.size());
      result.leaves.push_back(replacement_[from] ? *replacement_[from]
                                                 : network_.leaves[source.first]);
      return;
    }
    const auto first = static_cast<std::uint32_t>(result.nodes.size());
    result.nodes[to].cut = source.cut;
    result.nodes[to].first = first;
    result.nodes.resize(first + items_.levels(source.cut));
    for (unsigned level = 0; level < items_.levels(source.cut); ++level)
      copy(source.first + level, first + level, result);
  }

  const CutsetNetwork &network_;
  const Training &training_;
  const Items &items_;
  const TrainingRows &validation_;
  Watch &watch_;
  PairCounts counts_; // of the current slice
  TreeLearner learner_;
  std::vector<std::optional<TreeDensity>> replacement_; // by node: the tree that replaces it
};

} // namespace

CutsetNetwork prune(const CutsetNetwork &network, const Training &training,
                    const TrainingRows &validation, Watch &watch) {
  return Pruning(network, training, validation, watch).pruned();
}

} // namespace optbn
