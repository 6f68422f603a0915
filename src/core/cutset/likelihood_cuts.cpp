// The cut of largest likelihood (Di Mauro, Vergari & Esposito 2015, algorithms 2 and 3):
//
//   l_i = sum over the parts s of a cut on i of N_s log(N_s / N) + log-likelihood of the tree of s
#include "core/cutset/cut_rules.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace optbn {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

// Slices that are quicker to cut than threads to start are cut by one.
constexpr double kWorthThreads = 2e6;

} // namespace

// What one thread needs to try cuts.
class LikelihoodCuts::Trial {
public:
  explicit Trial(const Smoother &smoother)
      : items_(smoother.items()), learner_(smoother), part_(items_.size()), rest_(items_.size()) {}

  // l_i of the cut on v; the trees of its parts, level by level. The largest part is not counted:
  // it is what the others leave.
  double operator()(const Slice &slice, const PairCounts &counts, const std::vector<Node> &scope,
                    Node v, std::vector<SliceTree> &parts) {
    within_ = without(scope, v);
    parts.resize(items_.levels(v));
    const std::vector<double> sizes = part_sizes(counts, items_, v);
    const auto largest =
        static_cast<unsigned>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
    const PairCounts *left = &counts;
    double sum = 0;
    for (unsigned level = 0; level < sizes.size(); ++level) {
      if (level == largest)
        continue;
      slice.part(v, level).count(part_);
      sum += learn(part_, counts.total, parts[level]);
      rest_.subtract(*left, part_);
      left = &rest_;
    }
    return sum + learn(*left, counts.total, parts[largest]);
  }

private:
  double learn(const PairCounts &part, double total, SliceTree &tree) {
    tree.log_likelihood = learner_.learn(part, within_, tree.tree);
    return part.total * std::log(part.total / total) + tree.log_likelihood;
  }

  const Items &items_;
  TreeLearner learner_;
  PairCounts part_, rest_;
  std::vector<Node> within_; // the scope of the parts
};

// The likelihood of the best cuts, near enough to tell them: the parts have the slice's own tree,
// with tables of theirs, in place of trees of their own. From counts of its edges alone.
class LikelihoodCuts::Screen {
public:
  Screen(const Slice &slice, const PairCounts &counts, const SpanningTree &tree,
         const std::vector<Node> &candidates, const Smoother &smoother)
      : items_(smoother.items()), counts_(counts), tree_(tree), learner_(smoother),
        part_(items_.size()), place_(items_.variables()) {
    std::vector<std::size_t> with;
    for (const Node v : candidates) {
      place_[v] = with.size();
      for (std::size_t item = items_.first(v); item < items_.first(v + 1u); ++item)
        with.push_back(item);
    }
    for (const Node v : tree.order)
      if (tree.parent[v] != SpanningTree::kNone)
        for (std::size_t a = items_.first(v); a < items_.first(v + 1u); ++a)
          for (std::size_t b = items_.first(tree.parent[v]); b < items_.first(tree.parent[v] + 1u);
               ++b)
            pairs_.push_back({a, b});
    triples_ = slice.count_triples(with, pairs_);
  }

  double likelihood(Node v) {
    const SpanningTree below = tree_without(v);
    const std::vector<double> sizes = part_sizes(counts_, items_, v);
    double sum = 0;
    for (unsigned level = 0; level < sizes.size(); ++level) {
      set_part(v, level, sizes[level]);
      sum += sizes[level] * std::log(sizes[level] / counts_.total) +
             learner_.log_likelihood(part_, below);
    }
    return sum;
  }

private:
  // The tree falls apart where v was: given v, its neighbours tell little about one another.
  SpanningTree tree_without(Node v) const {
    SpanningTree below = tree_;
    below.order.erase(std::find(below.order.begin(), below.order.end(), v));
    std::replace(below.parent.begin(), below.parent.end(), v, SpanningTree::kNone);
    below.parent[v] = SpanningTree::kNone;
    return below;
  }

  // Counts of the part, of items and of the edges of the tree only.
  void set_part(Node v, unsigned level, double size) {
    part_.total = size;
    const std::size_t begin = items_.first(v), end = items_.first(v + 1u);
    for (std::size_t item = 0; item < items_.size(); ++item) {
      double &alone = part_.row(item)[item];
      alone = level > 0 ? counts_.row(begin + level - 1)[item] : counts_.alone(item);
      for (std::size_t other = begin; level == 0 && other < end; ++other)
        alone -= counts_.row(other)[item];
    }
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
      const auto [one, other] = pairs_[pair];
      double &together = part_.row(other)[one];
      together = level > 0 ? triples_[place_[v] + level - 1][pair] : counts_.row(other)[one];
      for (std::size_t with = 0; level == 0 && with < end - begin; ++with)
        together -= triples_[place_[v] + with][pair];
    }
  }

  const Items &items_;
  const PairCounts &counts_;
  const SpanningTree &tree_;
  TreeLearner learner_;
  PairCounts part_;
  std::vector<ItemPair> pairs_;
  std::vector<std::size_t> place_;           // by candidate: where its items begin in
  std::vector<std::vector<double>> triples_; // by item of a candidate, and pair
};

LikelihoodCuts::LikelihoodCuts(const Smoother &smoother, const CutsetSettings &settings,
                               double rows, Watch &watch)
    : smoother_(smoother), settings_(settings), rows_(rows), watch_(watch) {
  for (unsigned i = 0; i < std::max(1u, watch.host().threads); ++i)
    trials_.push_back(std::make_unique<Trial>(smoother));
}

LikelihoodCuts::~LikelihoodCuts() = default;

double LikelihoodCuts::penalty(double total) const {
  switch (settings_.penalty) {
  case CutPenalty::slice:
    return std::log(total) / 2;
  case CutPenalty::share:
    return total / rows_ * std::log(rows_) / 2;
  case CutPenalty::whole:
    break;
  }
  return std::log(rows_) / 2;
}

// The most promising of the candidates, ascending.
std::vector<Node> LikelihoodCuts::screened(const Slice &slice, const PairCounts &counts,
                                           const SpanningTree &tree,
                                           const std::vector<Node> &candidates) const {
  Screen screen(slice, counts, tree, candidates, smoother_);
  std::vector<std::pair<double, Node>> ranked;
  for (const Node v : candidates)
    ranked.emplace_back(-screen.likelihood(v), v);
  std::partial_sort(ranked.begin(), ranked.begin() + settings_.screen, ranked.end());
  std::vector<Node> best;
  for (unsigned i = 0; i < settings_.screen; ++i)
    best.push_back(ranked[i].second);
  std::sort(best.begin(), best.end());
  return best;
}

Node LikelihoodCuts::best(const Slice &slice, const PairCounts &counts,
                          const std::vector<Node> &scope, const SliceTree &whole,
                          std::vector<SliceTree> &parts) {
  const Items &items = smoother_.items();
  std::vector<Node> candidates;
  for (const Node v : scope)
    if (all_above(part_sizes(counts, items, v),
                  settings_.min_child_rows ? settings_.min_rows : 0.0))
      candidates.push_back(v);
  if (settings_.screen > 0 && candidates.size() > settings_.screen)
    candidates = screened(slice, counts, whole.tree, candidates);
  std::vector<double> likelihood(candidates.size(), kNever);
  std::vector<std::vector<SliceTree>> trees(candidates.size());
  const auto attempt = [&](std::size_t i, unsigned worker) {
    likelihood[i] = (*trials_[worker])(slice, counts, scope, candidates[i], trees[i]);
  };
  const double pairs = 0.5 * static_cast<double>(items.size() * items.size());
  if (watch_.owned() && pairs * static_cast<double>(candidates.size()) > kWorthThreads)
    parallel_for(watch_, candidates.size(), attempt);
  else
    for (std::size_t i = 0; i < candidates.size() && !watch_.stopped(); ++i)
      attempt(i, 0);
  if (candidates.empty() || watch_.stopped())
    return kNoCut;
  std::size_t chosen = 0;
  for (std::size_t i = 1; i < candidates.size(); ++i)
    if (exceeds(likelihood[i], likelihood[chosen]))
      chosen = i;
  if (likelihood[chosen] - whole.log_likelihood <= penalty(counts.total))
    return kNoCut;
  parts = std::move(trees[chosen]);
  return candidates[chosen];
}

} // namespace optbn
