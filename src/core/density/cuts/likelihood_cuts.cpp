// The cut of largest likelihood (Di Mauro, Vergari & Esposito 2015, algorithms 2 and 3):
//
//   l_i = sum over the parts s of a cut on i of N_s log(N_s / N) + log-likelihood of the tree of s
#include "core/base/log_sum.h"
#include "core/density/cuts/cut_rules.h"

#include "core/base/pace.h"
#include "core/base/parallel.h"
#include "core/density/cuts/cut_screen.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace optbn {

namespace {

// Slices that take less work than starting threads are cut by one thread.
constexpr double kWorthThreads = 2e6;

} // namespace

// The workspace of one thread that tries cuts.
class LikelihoodCuts::Trial {
public:
  Trial(const Smoother &smoother, Watch &watch)
      : items_(smoother.items()), watch_(watch), learner_(smoother, &watch), part_(items_.size()),
        rest_(items_.size()) {}

  // l_i of the cut on v; the trees of its parts, level by level. The largest part is not counted:
  // it is the remainder.
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
      slice.part(v, level).count(part_, &watch_);
      sum += learn(part_, counts.total, parts[level]);
      rest_.subtract(*left, part_);
      left = &rest_;
    }
    return sum + learn(*left, counts.total, parts[largest]);
  }

  // Memory for counts, which the caller may use until the next trial.
  PairCounts &scratch_counts() { return part_; }

private:
  double learn(const PairCounts &part, double total, SliceTree &tree) {
    tree.log_likelihood = learner_.learn(part, within_, tree.tree);
    return part.total * std::log(part.total / total) + tree.log_likelihood;
  }

  const Items &items_;
  Watch &watch_;
  TreeLearner learner_;
  PairCounts part_, rest_;
  std::vector<Node> within_; // the scope of the parts
};

LikelihoodCuts::LikelihoodCuts(const Smoother &smoother, const CutsetSettings &settings,
                               double rows, Watch &watch)
    : smoother_(smoother), settings_(settings), rows_(rows), watch_(watch),
      trials_(std::max(1u, watch.host().threads)) {}

LikelihoodCuts::~LikelihoodCuts() = default;

LikelihoodCuts::Trial &LikelihoodCuts::trial(unsigned worker) {
  if (!trials_[worker])
    trials_[worker] = std::make_unique<Trial>(smoother_, watch_);
  return *trials_[worker];
}

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
                                           const std::vector<Node> &candidates) {
  CutScreen screen(slice, counts, tree, smoother_, trial(0).scratch_counts());
  std::vector<std::pair<double, Node>> ranked;
  Pace pace(&watch_);
  for (const Node v : candidates) {
    ranked.emplace_back(-screen.likelihood(v), v);
    pace.advance(screen.steps());
  }
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
  std::vector<double> likelihood(candidates.size(), kLogZero);
  std::vector<std::vector<SliceTree>> trees(candidates.size());
  const auto try_cut = [&](std::size_t i, unsigned worker) {
    likelihood[i] = trial(worker)(slice, counts, scope, candidates[i], trees[i]);
  };
  const double pairs = 0.5 * static_cast<double>(items.size() * items.size());
  if (watch_.on_owner_thread() && pairs * static_cast<double>(candidates.size()) > kWorthThreads)
    parallel_for(watch_, candidates.size(), try_cut);
  else
    for (std::size_t i = 0; i < candidates.size() && !watch_.stopped(); ++i)
      try_cut(i, 0);
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
