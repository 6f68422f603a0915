#include "core/treewidth/sampling/sampled_search.h"

#include "core/base/parallel.h"
#include "core/base/random.h"
#include "core/treewidth/codes/k_tree_sampling.h"
#include "core/treewidth/informative_score.h"
#include "core/treewidth/sampling/k_tree_a_star.h"
#include "core/treewidth/within/k_tree_dp.h"
#include "core/treewidth/within/sampled_orders.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <utility>

namespace optbn {

namespace {

using Options = SampledSearchOptions;

// What all chains read.
struct Task {
  const ParentSets &candidates;
  const MutualInformation &information;
  const unsigned k;
  const Options &options;
  const SetTrie sets;

  Node nodes() const { return sets.size(); }
  bool one_k_tree() const { return k == 0 || k + 1u == nodes(); }
};

// Draws k-trees: from codes, which may be improved, or by growth.
class KTreeSource {
public:
  KTreeSource(const Task &task, InformativeScorer &scorer, Random &random)
      : task_(task), random_(random), value_(value_by(task.options.guide, scorer)) {
    const Options &options = task.options;
    if (task.one_k_tree())
      return;
    if (options.refine == Options::Refine::a_star)
      growth_ = growth_by(task);
    else if (options.sampling == Options::Sampling::distance)
      sampler_ = std::make_unique<DistancePreferableSampler>(
          task.nodes(), task.k,
          options.bandwidth > 0 ? options.bandwidth
                                : usual_bandwidth(task.nodes(), task.k, random));
  }

  KTree next(Watch &watch) {
    if (task_.one_k_tree())
      return only_k_tree();
    return growth_ ? grown(watch) : decode(improved(drawn(), watch));
  }

private:
  static KTreeValue value_by(Options::Guide guide, InformativeScorer &scorer) {
    if (guide == Options::Guide::pseudo)
      return [&scorer](const KTree &tree) { return scorer(tree).pseudo; };
    return [&scorer](const KTree &tree) { return scorer(tree).value(); };
  }

  static std::unique_ptr<InsertionGain> growth_by(const Task &task) {
    if (task.options.guide == Options::Guide::pseudo)
      return std::make_unique<ScoreGain>(task.sets, task.k);
    return std::make_unique<InformationGain>(task.information, task.k);
  }

  DandelionCode drawn() {
    return sampler_ ? sampler_->next(random_) : random_code(task_.nodes(), task_.k, random_);
  }

  DandelionCode improved(DandelionCode code, Watch &watch) {
    switch (task_.options.refine) {
    case Options::Refine::hill_climb:
      return hill_climb(std::move(code), value_, watch).code;
    case Options::Refine::probabilistic:
      return probabilistic_climb(std::move(code), value_, task_.options.temperature, random_, watch)
          .code;
    default:
      return code;
    }
  }

  // From few random nodes there would soon be no other clique to grow from; many are not related.
  KTree grown(Watch &watch) {
    std::vector<Node> some;
    const unsigned count = 1 + random_.below(task_.k + 1);
    while (some.size() < count) {
      const auto v = static_cast<Node>(random_.below(task_.nodes()));
      if (std::find(some.begin(), some.end(), v) == some.end())
        some.push_back(v);
    }
    const std::vector<Node> clique = related_clique(task_.information, task_.k, some);
    return grow_k_tree(task_.nodes(), clique, *growth_, task_.options.beam, watch).tree;
  }

  // Single nodes, or all nodes in one bag.
  KTree only_k_tree() const {
    KTree tree{task_.nodes(), task_.k, {}, {}, {}};
    for (Node v = 0; v < task_.nodes(); ++v)
      tree.members.push_back(v);
    for (std::size_t i = 0; i < task_.nodes() - task_.k; ++i) {
      tree.parent.push_back(0);
      tree.introduced.push_back(tree.members[i]);
    }
    return tree;
  }

  const Task &task_;
  Random &random_;
  const KTreeValue value_;
  std::unique_ptr<InsertionGain> growth_;
  std::unique_ptr<DistancePreferableSampler> sampler_;
};

class Chain {
public:
  Chain(const Task &task, std::uint64_t seed)
      : random_(seed), scorer_(task.information, task.sets, task.k),
        source_(task, scorer_, random_), orders_(task.candidates, task.sets, task.options.orders) {
    if (task.options.inner == Options::Inner::exact)
      exact_ = std::make_unique<KTreeDp>(task.candidates, task.sets, task.k);
  }

  Chain(const Chain &) = delete; // its members refer to one another
  Chain &operator=(const Chain &) = delete;

  void sample(Watch &watch) {
    KTree tree = source_.next(watch);
    ++samples_;
    if (samples_ == 1)
      tree_ = tree;
    if (!may_improve(tree))
      return;
    Network network = exact_ ? exact_->best(tree, watch) : orders_.best(tree, random_, watch);
    update_best(std::move(tree), std::move(network));
  }

  // The watch has stopped before there was a network: finds one in the first k-tree, by a sampled
  // order at once, or else by the exact search, which takes its time.
  void ensure_network(Watch &stopped) {
    if (samples_ == 0)
      sample(stopped);
    if (network_.empty())
      update_best(KTree(tree_), orders_.best(tree_, random_, stopped));
    const Host unlimited;
    Watch watch(unlimited);
    if (network_.empty() && exact_)
      update_best(KTree(tree_), exact_->best(tree_, watch));
  }

  double samples() const { return samples_; }
  const KTree &tree() const { return tree_; }
  const Network &network() const { return network_; }
  const std::vector<Improvement> &improvements() const { return improvements_; }

private:
  bool may_improve(const KTree &tree) {
    return network_.empty() || scorer_(tree).pseudo > network_.score + rounding(network_.score);
  }

  void update_best(KTree tree, Network network) {
    if (network.empty() || network.score <= network_.score)
      return;
    tree_ = std::move(tree);
    network_ = std::move(network);
    improvements_.push_back({std::chrono::steady_clock::now(), network_.score});
  }

  Random random_;
  InformativeScorer scorer_;
  KTreeSource source_;
  SampledOrders orders_;
  std::unique_ptr<KTreeDp> exact_;
  double samples_ = 0;
  KTree tree_; // of the best network; the first drawn while there is none
  Network network_;
  std::vector<Improvement> improvements_;
};

} // namespace

KTreeAnnealingResult sampled_search(const ParentSets &candidates,
                                    const MutualInformation &information, unsigned k,
                                    const SampledSearchOptions &options, Watch &watch) {
  const Task task{candidates, information, k, options, SetTrie(candidates, k)};
  const double samples = task.one_k_tree() ? 1 : options.samples;
  std::deque<Chain> chains;
  for (unsigned i = 0; i < options.chains; ++i)
    chains.emplace_back(task, watch.host().seed(i));
  parallel_for(watch, chains.size(), [&](std::size_t i, unsigned) {
    Chain &chain = chains[i];
    const double samples_of_chain = std::ceil((samples - static_cast<double>(i)) / options.chains);
    while (chain.samples() < samples_of_chain && chain.network().score < options.target &&
           !watch.stopped()) {
      chain.sample(watch);
      watch.advance(1);
    }
  });
  const auto best =
      std::max_element(chains.begin(), chains.end(), [](const Chain &a, const Chain &b) {
        return a.network().score < b.network().score;
      });
  if (best->network().empty() && watch.stopped())
    best->ensure_network(watch);
  KTreeAnnealingResult result{best->tree(), best->network(), 0, {}};
  for (const Chain &chain : chains) {
    result.steps += chain.samples();
    result.improvements.insert(result.improvements.end(), chain.improvements().begin(),
                               chain.improvements().end());
  }
  result.improvements = in_order(std::move(result.improvements));
  return result;
}

} // namespace optbn
