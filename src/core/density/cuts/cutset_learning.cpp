#include "core/density/cuts/cutset_learning.h"

#include "core/base/invariant.h"
#include "core/density/cuts/cut_rules.h"

#include <numeric>
#include <optional>
#include <utility>

namespace optbn {

namespace {

class Growth {
public:
  Growth(const Training &training, const CutsetSettings &settings, const CutsetNetwork *start,
         Random &random, Watch &watch, WhenStopped when_stopped)
      : training_(training), settings_(settings), start_(start), random_(random), watch_(watch),
        when_stopped_(when_stopped), items_(training.smoother.items()), counts_(items_.size()),
        learner_(training.smoother, &watch) {
    if (settings.rule == CutRule::likelihood)
      cuts_.emplace(training.smoother, settings, training.whole.total(), watch);
    open_.push_back({0, start == nullptr ? kGrown : 0, training.whole, items_.all_variables(), {}});
    grown_.places.emplace_back();
  }

  CutsetNetwork network() {
    while (!open_.empty()) {
      Leaf leaf = std::move(open_.back());
      open_.pop_back();
      if (!follow(leaf) && !grow(leaf))
        settle(leaf);
    }
    return std::move(grown_);
  }

private:
  static constexpr std::uint32_t kGrown = 0xffffffff;

  // A place that is still to be cut, or not.
  struct Leaf {
    std::uint32_t place;  // in the network
    std::uint32_t origin; // in the network to start from, or kGrown
    Slice slice;
    std::vector<Node> scope;
    std::optional<SliceTree> tree; // where it is learned already
    unsigned depth = 0;
  };

  // Cuts as the network to start from does. Not where that does not cut, nor where it would leave
  // a part without rows: it may have been learned from others.
  bool follow(const Leaf &leaf) {
    if (leaf.origin == kGrown || start_->places[leaf.origin].cut == CutsetNetwork::kLeaf)
      return false;
    const CutsetNetwork::Place &from = start_->places[leaf.origin];
    leaf.slice.count_alone(counts_);
    if (!all_above(part_sizes(counts_, items_, from.cut), 0))
      return false;
    cut(leaf, from.cut, {}, from.first);
    return true;
  }

  // Cuts the leaf, or learns its tree; false where there is no time.
  bool grow(Leaf &leaf) {
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

  void cut_or_learn(Leaf &leaf) {
    const bool may_cut = leaf.depth < settings_.max_depth &&
                         leaf.slice.total() > settings_.min_rows &&
                         leaf.scope.size() > settings_.min_features;
    if (may_cut && settings_.rule == CutRule::random) {
      leaf.slice.count_alone(counts_);
      const Node v = random_cut(counts_, leaf.scope, items_, random_);
      if (v != kNoCut)
        return cut(leaf, v, {}, kGrown);
    }
    leaf.slice.count(counts_, &watch_);
    if (may_cut && settings_.rule == CutRule::entropy) {
      const Node v =
          entropy_cut(counts_, leaf.scope, training_.smoother, settings_.min_entropy, watch_);
      if (v != kNoCut)
        return cut(leaf, v, {}, kGrown);
    }
    SliceTree learned;
    if (!leaf.tree)
      learned.log_likelihood = learner_.learn(counts_, leaf.scope, learned.tree);
    const SliceTree &tree = leaf.tree ? *leaf.tree : learned;
    if (may_cut && settings_.rule == CutRule::likelihood) {
      std::vector<SliceTree> parts;
      const Node v = cuts_->best(leaf.slice, counts_, leaf.scope, tree, parts);
      if (v != kNoCut)
        return cut(leaf, v, std::move(parts), kGrown);
    }
    close(leaf, tree.tree);
  }

  // A leaf for which there is no time takes a tree that is known, with tables of its own rows: its
  // tree as a part of a cut, that of the network to start from, or that of all rows.
  void settle(const Leaf &leaf) {
    SpanningTree tree;
    if (leaf.tree)
      tree = leaf.tree->tree;
    else if (leaf.origin != kGrown && start_->places[leaf.origin].cut == CutsetNetwork::kLeaf)
      tree = structure(start_->leaves[start_->places[leaf.origin].first]);
    else
      tree = within(tree_of_all_rows(), leaf.scope);
    leaf.slice.count_some(edge_pairs(tree, items_), counts_);
    close(leaf, tree);
  }

  SpanningTree structure(const TreeDensity &density) const {
    SpanningTree tree;
    tree.parent.assign(items_.variables(), SpanningTree::kNone);
    for (const TreeDensity::Member &member : density.members) {
      tree.order.push_back(member.variable);
      if (member.parent != TreeDensity::kRoot)
        tree.parent[member.variable] = density.members[member.parent].variable;
    }
    return tree;
  }

  const SpanningTree &tree_of_all_rows() {
    if (all_rows_.order.empty()) // whatever the watch says: this is little beside counting them
      TreeLearner(training_.smoother).learn(training_.counts, items_.all_variables(), all_rows_);
    return all_rows_;
  }

  // The place becomes a leaf with the tree; counts_ are those of the leaf.
  void close(const Leaf &leaf, const SpanningTree &tree) {
    OPTBN_INVARIANT(tree.order.size() == leaf.scope.size(),
                    "the tree of a leaf is over the variables that are not cut on the way to it");
    grown_.places[leaf.place].first = static_cast<std::uint32_t>(grown_.leaves.size());
    grown_.leaves.push_back(learner_.density(counts_, tree));
    watch_.advance(static_cast<std::uint64_t>(leaf.slice.total()));
  }

  // The place becomes a cut on v; there are trees of all its parts, or none. counts_ are those of
  // the leaf.
  void cut(const Leaf &leaf, Node v, std::vector<SliceTree> trees, std::uint32_t origin) {
    const std::vector<double> sizes = part_sizes(counts_, items_, v);
    OPTBN_INVARIANT(std::accumulate(sizes.begin(), sizes.end(), 0.0) == leaf.slice.total(),
                    "the parts of a cut add up to the whole");
    const auto first = static_cast<std::uint32_t>(grown_.places.size());
    grown_.places[leaf.place].cut = v;
    grown_.places[leaf.place].first = first;
    for (const double size : sizes) {
      grown_.places.emplace_back();
      grown_.places.back().weight = size / counts_.total;
    }
    OPTBN_INVARIANT(weigh_one(first), "the parts of a cut weigh 1 together");
    for (auto level = static_cast<unsigned>(sizes.size()); level-- > 0;) {
      open_.push_back({first + level,
                       origin == kGrown ? kGrown : origin + level,
                       leaf.slice.part(v, level),
                       without(leaf.scope, v),
                       {},
                       leaf.depth + 1});
      OPTBN_INVARIANT(open_.back().slice.total() == sizes[level],
                      "a part has the rows that the level occurs in");
      if (!trees.empty())
        open_.back().tree = std::move(trees[level]);
    }
  }

  // The places from this one to the last.
  bool weigh_one(std::uint32_t first) const {
    double sum = 0;
    for (std::size_t i = first; i < grown_.places.size(); ++i)
      sum += grown_.places[i].weight;
    return about_equal(sum, 1);
  }

  const Training &training_;
  const CutsetSettings &settings_;
  const CutsetNetwork *const start_; // or null
  Random &random_;
  Watch &watch_;
  const WhenStopped when_stopped_;
  const Items &items_;
  PairCounts counts_; // of the leaf at hand
  TreeLearner learner_;
  std::optional<LikelihoodCuts> cuts_; // of the likelihood rule
  SpanningTree all_rows_;              // the tree of all rows, once it is asked for
  std::vector<Leaf> open_;             // the one to look at next last
  CutsetNetwork grown_;
};

} // namespace

CutsetNetwork learn_cutset(const Training &training, const CutsetSettings &settings,
                           const CutsetNetwork *start, Random &random, Watch &watch,
                           WhenStopped when_stopped) {
  return Growth(training, settings, start, random, watch, when_stopped).network();
}

CutsetNetwork learn_cutset(const TrainingRows &rows, const std::vector<double> &weights,
                           const CutsetSettings &settings, const CutsetNetwork *start,
                           Random &random, Watch &watch) {
  const Training training(rows, weights, settings.smoothing, watch);
  return learn_cutset(training, settings, start, random, watch);
}

} // namespace optbn
