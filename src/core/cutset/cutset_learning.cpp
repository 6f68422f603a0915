#include "core/cutset/cutset_learning.h"

#include "core/cutset/cut_rules.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace optbn {

namespace {

std::vector<Node> all_variables(const TrainingRows &rows) {
  std::vector<Node> all(rows.variables());
  std::iota(all.begin(), all.end(), Node{0});
  return all;
}

// The rows of the whole set, and what to smooth with.
struct Training {
  Training(const TrainingRows &rows, const std::vector<double> &weights, const Smoothing &smoothing)
      : whole(rows, weights), counts(whole.counted()), smoother(smoothing, rows.items(), counts) {}

  const Slice whole;
  const PairCounts counts;
  const Smoother smoother;
};

class Growth {
public:
  Growth(const TrainingRows &rows, const std::vector<double> &weights,
         const CutsetSettings &settings, Random &random, Watch &watch)
      : settings_(settings), random_(random), watch_(watch), items_(rows.items()),
        training_(rows, weights, settings.smoothing), counts_(items_.size()),
        learner_(training_.smoother),
        cuts_(training_.smoother, settings_, training_.whole.total(), watch) {
    open_.push_back({0, 0, training_.whole, all_variables(rows), {}});
    grown_.places.emplace_back();
  }

  CutsetNetwork network(const CutsetNetwork *start) {
    while (!open_.empty()) {
      Leaf leaf = std::move(open_.back());
      open_.pop_back();
      if (start == nullptr || !follow(leaf, *start))
        grow(leaf);
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
    SliceTree tree; // empty: not learned yet
    unsigned depth = 0;
  };

  // Cuts as the network to start from does. Not where that does not cut, nor where it would leave
  // a part without rows: it may have been learned from others.
  bool follow(const Leaf &leaf, const CutsetNetwork &start) {
    if (leaf.origin == kGrown || start.places[leaf.origin].cut == CutsetNetwork::kLeaf)
      return false;
    const CutsetNetwork::Place &from = start.places[leaf.origin];
    leaf.slice.count_alone(counts_);
    if (!all_above(part_sizes(counts_, items_, from.cut), 0))
      return false;
    cut(leaf, from.cut, {}, from.first);
    return true;
  }

  void grow(Leaf &leaf) {
    const bool may_cut = !watch_.stopped() && leaf.depth < settings_.max_depth &&
                         leaf.slice.total() > settings_.min_rows &&
                         leaf.scope.size() > settings_.min_features;
    if (may_cut && settings_.rule == CutRule::random) {
      leaf.slice.count_alone(counts_);
      const Node v = random_cut(counts_, leaf.scope, items_, random_);
      if (v != kNoCut)
        return cut(leaf, v, {}, kGrown);
    }
    const bool learned = !leaf.tree.tree.order.empty();
    leaf.slice.count(counts_);
    if (may_cut && settings_.rule == CutRule::entropy) {
      const Node v = entropy_cut(counts_, leaf.scope, training_.smoother, settings_.min_entropy);
      if (v != kNoCut)
        return cut(leaf, v, {}, kGrown);
    }
    if (!learned)
      leaf.tree.log_likelihood = learner_.learn(counts_, leaf.scope, leaf.tree.tree);
    if (may_cut && settings_.rule == CutRule::likelihood) {
      std::vector<SliceTree> parts;
      const Node v = cuts_.best(leaf.slice, counts_, leaf.scope, leaf.tree, parts);
      if (v != kNoCut)
        return cut(leaf, v, std::move(parts), kGrown);
    }
    grown_.places[leaf.place].first = static_cast<std::uint32_t>(grown_.leaves.size());
    grown_.leaves.push_back(learner_.density(counts_, leaf.tree.tree));
    watch_.advance(static_cast<std::uint64_t>(leaf.slice.total()));
  }

  // The place becomes a cut on v; the children's trees may be known. counts_ are those of the leaf.
  void cut(const Leaf &leaf, Node v, std::vector<SliceTree> trees, std::uint32_t origin) {
    const std::vector<double> sizes = part_sizes(counts_, items_, v);
    const auto first = static_cast<std::uint32_t>(grown_.places.size());
    grown_.places[leaf.place].cut = v;
    grown_.places[leaf.place].first = first;
    trees.resize(sizes.size());
    for (const double size : sizes) {
      grown_.places.emplace_back();
      grown_.places.back().weight = size / counts_.total;
    }
    for (auto level = static_cast<unsigned>(sizes.size()); level-- > 0;)
      open_.push_back({first + level, origin == kGrown ? kGrown : origin + level,
                       leaf.slice.part(v, level), without(leaf.scope, v), std::move(trees[level]),
                       leaf.depth + 1});
  }

  const CutsetSettings &settings_;
  Random &random_;
  Watch &watch_;
  const Items &items_;
  const Training training_;
  PairCounts counts_; // of the leaf at hand
  TreeLearner learner_;
  LikelihoodCuts cuts_;
  std::vector<Leaf> open_; // the one to look at next last
  CutsetNetwork grown_;
};

} // namespace

CutsetNetwork learn_cutset(const TrainingRows &rows, const std::vector<double> &weights,
                           const CutsetSettings &settings, const CutsetNetwork *start,
                           Random &random, Watch &watch) {
  return Growth(rows, weights, settings, random, watch).network(start);
}

} // namespace optbn
