#include "core/treewidth/tree_search.h"

#include "core/base/parallel.h"
#include "core/base/random.h"
#include "core/treewidth/k_tree_dp.h"
#include "core/treewidth/k_tree_growth.h"
#include "core/treewidth/tree_gains.h"

#include <algorithm>
#include <cmath>

namespace optbn {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kNever = -std::numeric_limits<double>::infinity();
constexpr double kBytesAChain = 2e8;

// Grown k-trees from which the first, and every fresh one, is the best.
constexpr unsigned kBuilds = 20;
// Steps without a gain, times the number of nodes, before a chain starts again.
constexpr double kPatience = 100;
// Chance that it then starts afresh rather than from its best.
constexpr double kFresh = 0.7;

// A random connected part of the bags stays, the others' nodes go missing.
KTree part_of(const KTree &tree, std::size_t kept_bags, Random &random,
              std::vector<Node> &missing) {
  std::vector<std::vector<std::uint32_t>> joined(tree.bags());
  for (std::uint32_t i = 1; i < tree.bags(); ++i) {
    joined[i].push_back(tree.parent[i]);
    joined[tree.parent[i]].push_back(i);
  }
  std::vector<bool> seen(tree.bags(), false), kept(tree.bags(), false);
  std::vector<std::uint32_t> border = {random.below(static_cast<std::uint32_t>(tree.bags()))};
  seen[border[0]] = true;
  while (kept_bags-- > 0) {
    std::uint32_t &next = border[random.below(static_cast<std::uint32_t>(border.size()))];
    const std::uint32_t bag = next;
    next = border.back();
    border.pop_back();
    kept[bag] = true;
    for (const std::uint32_t other : joined[bag])
      if (!seen[other]) {
        seen[other] = true;
        border.push_back(other);
      }
  }
  // Bags keep their order, so that the topmost of them comes first and is the new root.
  KTree part{tree.nodes, tree.k, {}, {}, {}};
  std::vector<std::uint32_t> number(tree.bags(), 0);
  std::vector<bool> there(tree.nodes, false);
  for (std::uint32_t i = 0; i < tree.bags(); ++i) {
    if (!kept[i])
      continue;
    number[i] = static_cast<std::uint32_t>(part.bags());
    const bool root = part.bags() == 0;
    part.parent.push_back(root ? 0 : number[tree.parent[i]]);
    part.introduced.push_back(root ? *tree.bag(i) : tree.introduced[i]);
    part.members.insert(part.members.end(), tree.bag(i), tree.bag_end(i));
    std::for_each(tree.bag(i), tree.bag_end(i), [&](Node v) { there[v] = true; });
  }
  missing.clear();
  for (Node v = 0; v < tree.nodes; ++v)
    if (!there[v])
      missing.push_back(v);
  return part;
}

class Chain {
public:
  Chain(const SetTrie &sets, unsigned k, std::uint64_t seed)
      : random_(seed), grower_(sets, k), gains_(sets, k, kBytesAChain), bags_(sets.size() - k) {}

  void begin_with(const KTree &tree) {
    current_ = tree;
    gain_ = gains_.gain(current_);
    since_ = 0;
    note_best();
  }

  void begin_afresh(Watch &watch) {
    KTree best;
    double most = kNever;
    for (unsigned build = 0; build < kBuilds && (build == 0 || !watch.stopped()); ++build) {
      KTree tree = grower_.grow({}, random_);
      const double gain = gains_.gain(tree);
      if (gain > most) {
        most = gain;
        best = std::move(tree);
      }
    }
    begin_with(best);
  }

  void step(Watch &watch) {
    ++steps_;
    if (++since_ > kPatience * static_cast<double>(best_tree_.nodes)) {
      ++restarts_;
      if (random_.uniform() < kFresh)
        begin_afresh(watch);
      else
        begin_with(best_tree_);
    }
    const std::size_t removed = how_many();
    KTree tree = part_of(current_, bags_ - removed, random_, missing_);
    grower_.complete(tree, missing_, random_style(), random_);
    if (gains_.ceiling(tree) < gain_)
      return;
    const double gain = gains_.gain(tree);
    if (gain < gain_ - 1e-9)
      return;
    if (gain > gain_ + 1e-9)
      since_ = 0;
    current_ = std::move(tree);
    gain_ = gain;
    note_best();
  }

  bool begun() const { return best_tree_.bags() > 0; }

  // Has starting again stopped paying? With one bag there is nothing to try.
  bool exhausted(unsigned restarts) const { return bags_ < 2 || restarts_ > restarts; }

  double steps() const { return steps_; }
  double best() const { return best_; }
  const KTree &best_tree() const { return best_tree_; }
  struct Gain {
    Clock::time_point when;
    double gain;
  };
  const std::vector<Gain> &improvements() const { return improvements_; }

private:
  void note_best() {
    if (gain_ <= best_ + 1e-9)
      return;
    best_ = gain_;
    best_tree_ = current_;
    restarts_ = 0;
    improvements_.push_back({Clock::now(), best_});
  }

  std::size_t how_many() {
    constexpr double kParts[] = {0.25, 0.5, 0.9};
    const double most =
        random_.below(2) ? 4 : kParts[random_.below(3)] * static_cast<double>(bags_);
    const auto bound = static_cast<std::uint32_t>(std::max(1.0, most));
    return std::min<std::size_t>(1 + random_.below(bound), bags_ - 1);
  }

  KTreeGrower::Style random_style() {
    constexpr double kNoise[] = {0, 0.5, 1, 2};
    return {random_.below(2) == 0, kNoise[random_.below(4)]};
  }

  Random random_;
  KTreeGrower grower_;
  TreeGains gains_;
  const std::size_t bags_;
  KTree current_, best_tree_;
  double gain_ = kNever, best_ = kNever;
  double steps_ = 0, since_ = 0;
  unsigned restarts_ = 0;
  std::vector<Node> missing_;
  std::vector<Gain> improvements_;
};

} // namespace

TreeSearchResult tree_search(const ParentSets &candidates, unsigned k,
                             const TreeSearchOptions &options, Watch &watch) {
  const SetTrie sets(candidates, k);
  std::vector<Chain> chains;
  for (unsigned i = 0; i < options.chains; ++i)
    chains.emplace_back(sets, k, watch.host().seed(i));
  const double target = options.target - sets.zero_sum();
  const auto begin = [&](std::size_t i) {
    if (i < options.start.size())
      chains[i].begin_with(options.start[i]);
    else
      chains[i].begin_afresh(watch);
  };
  parallel_for(watch, chains.size(), [&](std::size_t i, unsigned) {
    Chain &chain = chains[i];
    begin(i);
    while (!chain.exhausted(options.restarts) && chain.steps() < options.iterations &&
           chain.best() < target && !watch.stopped())
      chain.step(watch);
  });
  if (!chains[0].begun()) // stopped beforehand
    begin(0);
  TreeSearchResult result;
  const Chain *best = &chains[0];
  for (const Chain &chain : chains) {
    result.steps += chain.steps();
    if (chain.best() > best->best())
      best = &chain;
  }
  result.tree = best->best_tree();
  Host still; // the last step is not to be cut short
  Watch last(still);
  result.network = KTreeDp(candidates, sets, k).best(result.tree, last);
  for (const Chain::Gain &gain : best->improvements())
    result.improvements.push_back({gain.when, gain.gain + sets.zero_sum()});
  return result;
}

} // namespace optbn
