#include "core/density/cuts/cutset_learning.h"

#include "core/base/invariant.h"
#include "core/density/cuts/cut_rules.h"

#include <numeric>
#include <optional>
#include <utility>

namespace optbn {

namespace {

class CutsetLearner {
public:
  CutsetLearner(const Training &training, const CutsetSettings &settings,
                const CutsetNetwork *start, Random &random, Watch &watch, WhenStopped when_stopped)
      : training_(training), settings_(settings), start_(start), random_(random), watch_(watch),
        when_stopped_(when_stopped), items_(training.smoother.items()), counts_(items_.size()),
        learner_(training.smoother, &watch) {
    if (settings.rule == CutRule::likelihood)
      cuts_.emplace(training.smoother, settings, training.all_rows.total(), watch);
    open_.push_back(
        {0, start == nullptr ? kNew : 0, training.all_rows, items_.all_variables(), {}});
    network_.nodes.emplace_back();
  }

  CutsetNetwork learn() {
    while (!open_.empty()) {
      OpenLeaf leaf = std::move(open_.back());
      open_.pop_back();
      if (!apply_start(leaf) && !expand(leaf))
        close_with_known_tree(leaf);
    }
    return std::move(network_);
  }

private:
  static constexpr std::uint32_t kNew = 0xffffffff;

  // A leaf that may still be cut.
  struct OpenLeaf {
    std::uint32_t node;       // in the network
    std::uint32_t start_node; // in the network to start from, or kNew
    Slice slice;
    std::vector<Node> scope;
    std::optional<SliceTree> tree; // if it is learned already
    unsigned depth = 0;
  };

  // Applies the cut of the network to start from; false if that has none there, or if it would
  // leave a part without rows, since that network may have been learned from other rows.
  bool apply_start(const OpenLeaf &leaf) {
    if (leaf.start_node == kNew || start_->nodes[leaf.start_node].cut == CutsetNetwork::kLeaf)
      return false;
    const CutsetNetwork::CutNode &from = start_->nodes[leaf.start_node];
    leaf.slice.count_alone(counts_);
    if (!all_above(part_sizes(counts_, items_, from.cut), 0))
      return false;
    cut(leaf, from.cut, {}, from.first);
    return true;
  }

  // Cuts the leaf, or learns its tree; false if there is no time.
  bool expand(OpenLeaf &leaf) {
    if (when_stopped_ == WhenStopped::abandon) {
      throw_if_stopped(watch_);
      cut_or_learn(leaf);
      return true;
    }
    if (watch_.stopped())
      return false;
    try {
      cut_or_learn(leaf);
      return true;
    } catch (const Interrupted &) {
      return false;
    }
  }

  void cut_or_learn(OpenLeaf &leaf) {
    const bool may_cut = leaf.depth < settings_.max_depth &&
                         leaf.slice.total() > settings_.min_rows &&
                         leaf.scope.size() > settings_.min_features;
    if (may_cut && settings_.rule == CutRule::random) {
      leaf.slice.count_alone(counts_);
      const Node v = random_cut(counts_, leaf.scope, items_, random_);
      if (v != kNoCut)
        return cut(leaf, v, {}, kNew);
    }
    leaf.slice.count(counts_, &watch_);
    if (may_cut && settings_.rule == CutRule::entropy) {
      const Node v =
          entropy_cut(counts_, leaf.scope, training_.smoother, settings_.min_entropy, watch_);
      if (v != kNoCut)
        return cut(leaf, v, {}, kNew);
    }
    SliceTree learned;
    if (!leaf.tree)
      learned.log_likelihood = learner_.learn(counts_, leaf.scope, learned.tree);
    const SliceTree &tree = leaf.tree ? *leaf.tree : learned;
    if (may_cut && settings_.rule == CutRule::likelihood) {
      std::vector<SliceTree> parts;
      const Node v = cuts_->best(leaf.slice, counts_, leaf.scope, tree, parts);
      if (v != kNoCut)
        return cut(leaf, v, std::move(parts), kNew);
    }
    close(leaf, tree.tree);
  }

  // For lack of time, gives a leaf a known tree, with tables from its own rows: its tree as a part
  // of a cut, that of the network to start from, or that of all rows.
  void close_with_known_tree(const OpenLeaf &leaf) {
    SpanningTree tree;
    if (leaf.tree)
      tree = leaf.tree->tree;
    else if (leaf.start_node != kNew && start_->nodes[leaf.start_node].cut == CutsetNetwork::kLeaf)
      tree = spanning_tree_of(start_->leaves[start_->nodes[leaf.start_node].first]);
    else
      tree = within(tree_of_all_rows(), leaf.scope);
    leaf.slice.count_some(edge_pairs(tree, items_), counts_);
    close(leaf, tree);
  }

  SpanningTree spanning_tree_of(const TreeDensity &density) const {
    SpanningTree tree;
    tree.parent.assign(items_.variables(), SpanningTree::kNone);
    for (const TreeDensity::TreeNode &node : density.nodes) {
      tree.order.push_back(node.variable);
      if (node.parent != TreeDensity::kRoot)
        tree.parent[node.variable] = density.nodes[node.parent].variable;
    }
    return tree;
  }

  const SpanningTree &tree_of_all_rows() {
    if (tree_of_all_rows_.order.empty()) // even without time: counting took more
      TreeLearner(training_.smoother)
          .learn(training_.counts, items_.all_variables(), tree_of_all_rows_);
    return tree_of_all_rows_;
  }

  // Makes the node a leaf with the tree; counts_ are those of the leaf.
  void close(const OpenLeaf &leaf, const SpanningTree &tree) {
    OPTBN_INVARIANT(tree.order.size() == leaf.scope.size(),
                    "the tree of a leaf is over the variables that are not cut on the path to it");
    network_.nodes[leaf.node].first = static_cast<std::uint32_t>(network_.leaves.size());
    network_.leaves.push_back(learner_.density(counts_, tree));
    watch_.advance(static_cast<std::uint64_t>(leaf.slice.total()));
  }

  // Makes the node a cut on v; `trees` has a tree for every part, or none. counts_ are those of the
  // leaf.
  void cut(const OpenLeaf &leaf, Node v, std::vector<SliceTree> trees, std::uint32_t start_node) {
    const std::vector<double> sizes = part_sizes(counts_, items_, v);
    OPTBN_INVARIANT(std::accumulate(sizes.begin(), sizes.end(), 0.0) == leaf.slice.total(),
                    "the parts of a cut add up to the whole");
    const auto first = static_cast<std::uint32_t>(network_.nodes.size());
    network_.nodes[leaf.node].cut = v;
    network_.nodes[leaf.node].first = first;
    for (const double size : sizes) {
      network_.nodes.emplace_back();
      network_.nodes.back().weight = size / counts_.total;
    }
    OPTBN_INVARIANT(have_weight_one(first), "the weights of the parts of a cut sum to 1");
    for (auto level = static_cast<unsigned>(sizes.size()); level-- > 0;) {
      open_.push_back({first + level,
                       start_node == kNew ? kNew : start_node + level,
                       leaf.slice.part(v, level),
                       without(leaf.scope, v),
                       {},
                       leaf.depth + 1});
      OPTBN_INVARIANT(open_.back().slice.total() == sizes[level],
                      "a part has the rows with the level");
      if (!trees.empty())
        open_.back().tree = std::move(trees[level]);
    }
  }

  // Do the nodes from this one to the last have weights that sum to 1?
  bool have_weight_one(std::uint32_t first) const {
    double sum = 0;
    for (std::size_t i = first; i < network_.nodes.size(); ++i)
      sum += network_.nodes[i].weight;
    return about_equal(sum, 1);
  }

  const Training &training_;
  const CutsetSettings &settings_;
  const CutsetNetwork *const start_; // or null
  Random &random_;
  Watch &watch_;
  const WhenStopped when_stopped_;
  const Items &items_;
  PairCounts counts_; // of the current leaf
  TreeLearner learner_;
  std::optional<LikelihoodCuts> cuts_; // of the likelihood rule
  SpanningTree tree_of_all_rows_;      // once it is needed
  std::vector<OpenLeaf> open_;         // a stack
  CutsetNetwork network_;
};

} // namespace

CutsetNetwork learn_cutset(const Training &training, const CutsetSettings &settings,
                           const CutsetNetwork *start, Random &random, Watch &watch,
                           WhenStopped when_stopped) {
  return CutsetLearner(training, settings, start, random, watch, when_stopped).learn();
}

CutsetNetwork learn_cutset(const TrainingRows &rows, const std::vector<double> &weights,
                           const CutsetSettings &settings, const CutsetNetwork *start,
                           Random &random, Watch &watch) {
  const Training training(rows, weights, settings.smoothing, watch);
  return learn_cutset(training, settings, start, random, watch);
}

} // namespace optbn
