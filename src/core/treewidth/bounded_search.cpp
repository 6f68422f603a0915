#include "core/treewidth/bounded_search.h"

#include "core/base/errors.h"
#include "core/base/invariant.h"
#include "core/graph/tree_width.h"
#include "core/structure/graph.h"
#include "core/structure/solve.h"
#include "core/treewidth/annealing/k_tree_annealing.h"
#include "core/treewidth/annealing/k_tree_growth.h"
#include "core/treewidth/cuts/width_proof.h"
#include "core/treewidth/exact/global_dp.h"
#include "core/treewidth/informative_score.h"
#include "core/treewidth/within/k_tree_dp.h"
#include "core/treewidth/within/sampled_orders.h"

#include <algorithm>
#include <cmath>

namespace optbn {

namespace {

// Limits as fractions of the whole time and in seconds: for the unbounded search, for the forecast
// time of the exact search under "automatic", and for the width of the unbounded network.
constexpr double kUnboundedFraction = 0.3, kUnboundedSeconds = 60;
constexpr double kExactFraction = 0.5, kExactSeconds = 60, kStepsPerSecond = 5e9;
constexpr double kWidthFraction = 0.1, kWidthSeconds = 10;
// Branch and cut on the width: a fraction of the time that is left after a first local search, whose
// network lets it exclude more; where time is not limited, the work of so many seconds, and for each
// step that local search may do.
constexpr double kFirstLocalFraction = 0.15;
constexpr double kCutsFraction = 0.5, kCutsSeconds = 10, kCutsStepSeconds = 1e-5;

// The watch of a part of a job, which may end earlier than the whole.
class PartialWatch {
public:
  PartialWatch(Watch &whole, double seconds)
      : host_(nested_host(whole, seconds, true)), watch_(host_) {}

  Watch &watch() { return watch_; }

private:
  Host host_;
  Watch watch_;
};

class BoundedSearch {
public:
  BoundedSearch(const ParentSets &sets, unsigned k, const BoundedOptions &options, Watch &watch)
      : sets_(sets), k_(k), options_(options), watch_(watch), record_(options.gap, watch) {}

  BoundedResult run() {
    begin();
    if (options_.method == BoundedMethod::within)
      search_within();
    else if (options_.method == BoundedMethod::sample)
      sample();
    else
      search();
    if (result_.network.empty())
      throw_failure();
    record_.close(result_, result_.bound, result_.proved);
    if (!result_.proved && result_.stop == StopReason::none && std::isfinite(options_.effort) &&
        options_.method == BoundedMethod::automatic)
      result_.stop = StopReason::effort;
    return std::move(result_);
  }

private:
  // From the results of an earlier search.
  void begin() {
    result_.bound = options_.bound;
    first_tree_ = options_.start;
    if (!options_.known.empty())
      update_incumbent(options_.start, options_.known, BoundedResult::Engine::earlier);
    update_proof();
  }

  void search() {
    if (!done() && !options_.unbounded_solved)
      search_unbounded();
    if (options_.method == BoundedMethod::exact)
      search_exactly(watch_);
    else if (exact_is_affordable())
      try_exactly();
    if (options_.method == BoundedMethod::exact)
      return;
    const bool by_cuts = width_proof_exists(sets_.size(), k_);
    if (!done() && by_cuts && std::isfinite(options_.seconds))
      search_locally(kFirstLocalFraction * options_.seconds);
    if (!done() && by_cuts)
      search_by_cuts();
    if (!done())
      search_locally(seconds_left());
  }

  void search_unbounded() {
    PartialWatch part(watch_, std::min(kUnboundedSeconds, kUnboundedFraction * options_.seconds));
    SearchOptions options;
    options.memory_limit = options_.memory_limit;
    options.seconds = std::min(kUnboundedSeconds, kUnboundedFraction * options_.seconds);
    options.effort = kUnboundedFraction * options_.effort;
    SearchResult found = solve(sets_, options, part.watch());
    result_.unbounded = found.bound;
    result_.unbounded_proved = found.proved;
    result_.bound = std::min(result_.bound, found.bound);
    result_.nodes = found.nodes;
    result_.subsets = found.subsets;
    multipliers_ = std::move(found.multipliers);
    const Graph network = graph_of(sets_, found.network);
    KTree tree = k_tree_around(network);
    const bool narrow = covers(tree, network);
    if (first_tree_.bags() == 0)
      first_tree_ = tree;
    if (narrow && found.proved)
      prove(found.bound, BoundedResult::Engine::unbounded);
    if (narrow)
      update_incumbent(std::move(tree), std::move(found.network), BoundedResult::Engine::unbounded);
    update_proof();
  }

  // A k-tree that contains as much as it can of a network's moral graph.
  KTree k_tree_around(const Graph &network) {
    const UndirectedGraph graph = moral_graph(network);
    PartialWatch part(watch_, std::min(kWidthSeconds, kWidthFraction * options_.seconds));
    Random random(watch_.host().seed(0));
    const TreeWidth width = tree_width(graph, options_.memory_limit, random, part.watch());
    const SetTrie trie(sets_, k_);
    return KTreeGrower(trie, k_).around(graph, width.order, random);
  }

  bool exact_is_affordable() const {
    return options_.method == BoundedMethod::automatic && !done() &&
           sets_.size() <= kGlobalDpNodes && k_ <= kLargestDpWidth &&
           global_dp_bytes(sets_.size(), k_, watch_.host().threads) <= options_.memory_limit &&
           global_dp_steps(sets_.size(), k_) <= kStepsPerSecond * exact_seconds();
  }

  double seconds_left() const { return options_.seconds - record_.seconds(); }

  double exact_seconds() const {
    return std::min(kExactSeconds, kExactFraction * options_.seconds);
  }

  // The work that depends on the scores becomes known during the search only: if it takes too much
  // time or memory, local search is next.
  void try_exactly() {
    PartialWatch part(watch_, exact_seconds());
    try {
      search_exactly(part.watch());
    } catch (const MemoryLimit &) {
    }
  }

  void search_exactly(Watch &watch) {
    if (done())
      return;
    if (sets_.size() > kGlobalDpNodes || k_ > kLargestDpWidth)
      throw MemoryLimit(global_dp_bytes(sets_.size(), k_, 1),
                        global_dp_bytes(kGlobalDpNodes, k_, 1));
    GlobalDpOptions options;
    options.memory_limit = options_.memory_limit;
    options.bound = result_.bound;
    options.start = first_tree_;
    GlobalDpResult found = global_dp(sets_, k_, options, watch);
    result_.subtrees = found.subtrees;
    if (found.proved && found.network.empty())
      throw Infeasible(std::vector<Node>());
    if (found.proved)
      prove(found.network.score, BoundedResult::Engine::exact);
    if (!found.tree.members.empty())
      first_tree_ = found.tree; // where local search begins, if that follows
    update_incumbent(std::move(found.tree), std::move(found.network), BoundedResult::Engine::exact);
    update_proof();
  }

  // For k above kLargestSearchWidth among narrower networks, which respect the bound as well.
  void search_locally(double seconds) {
    const unsigned k = std::min(k_, kLargestSearchWidth);
    KTreeAnnealingOptions options;
    options.target = target();
    if (first_tree_.k == k)
      options.start = first_tree_;
    options.iterations = options_.iterations - result_.steps;
    options.seconds = seconds;
    add_result(k_tree_annealing(sets_, k, options, watch_), BoundedResult::Engine::local);
  }

  // Begins with the network of an earlier search, or the best one within the first k-tree.
  void search_by_cuts() {
    if (result_.network.empty() && first_tree_.bags() > 0 && first_tree_.k == k_)
      update_incumbent(first_tree_,
                       KTreeDp(sets_, SetTrie(sets_, k_), k_).best(first_tree_, watch_),
                       BoundedResult::Engine::unbounded);
    if (result_.network.empty())
      return;
    WidthProofOptions options;
    options.start = result_.network;
    options.warm = multipliers_;
    options.bound = result_.bound;
    options.gap = options_.gap;
    options.memory_limit = options_.memory_limit;
    if (std::isinf(options_.seconds))
      options.seconds = std::min(kCutsSeconds, kCutsStepSeconds * options_.iterations);
    PartialWatch part(watch_, kCutsFraction * seconds_left());
    WidthProof proof = prove_width(sets_, k_, options, part.watch());
    if (proof.best.score > result_.network.score) {
      const Graph network = graph_of(sets_, proof.best);
      KTree tree = k_tree_around(network);
      if (covers(tree, network)) { // perhaps not where there is no time left
        first_tree_ = tree;
        update_incumbent(std::move(tree), std::move(proof.best), BoundedResult::Engine::cuts);
      }
    }
    result_.bound = std::min(result_.bound, proof.bound);
    if (proof.proved)
      result_.engine = BoundedResult::Engine::cuts;
    update_proof();
  }

  void sample() {
    double best_sets = 0;
    for (const CandidateSets &candidates : sets_.nodes)
      best_sets += candidates.score.front();
    result_.bound = std::min(result_.bound, best_sets);
    SampledSearchOptions options = options_.sampling;
    options.samples = options_.iterations;
    options.target = target();
    watch_.restart(options.samples);
    add_result(sampled_search(sets_, options_.information, k_, options, watch_),
               BoundedResult::Engine::sample);
  }

  // Where the dynamic program is stopped early or not chosen, random orders find a network.
  void search_within() {
    const KTree &tree = options_.start;
    const SetTrie trie(sets_, k_);
    const MutualInformation none{sets_.size(),
                                 std::vector<double>(std::size_t{sets_.size()} * sets_.size())};
    const double pseudo = InformativeScorer(none, trie, k_)(tree).pseudo;
    result_.bound = std::min(result_.bound, pseudo);
    const bool exactly = options_.sampling.inner == SampledSearchOptions::Inner::exact;
    Network network;
    if (exactly) {
      if (k_tree_dp_bytes(sets_.size(), k_) > options_.memory_limit)
        throw MemoryLimit(k_tree_dp_bytes(sets_.size(), k_), options_.memory_limit);
      network = KTreeDp(sets_, trie, k_).best(tree, watch_);
      if (!network.empty())
        prove(network.score, BoundedResult::Engine::within);
    }
    if (network.empty() && (!exactly || watch_.stopped())) {
      Random random(watch_.host().seed(0));
      network = SampledOrders(sets_, trie, options_.sampling.orders).best(tree, random, watch_);
    }
    update_incumbent(tree, std::move(network), BoundedResult::Engine::within);
    update_proof();
  }

  double target() const { return result_.bound - std::max(options_.gap, rounding(result_.bound)); }

  void add_result(KTreeAnnealingResult found, BoundedResult::Engine engine) {
    result_.steps += found.steps;
    for (const Improvement &better : found.improvements)
      if (better.score > result_.network.score)
        record_.note(better.score, result_.bound, better.when);
    update_incumbent(std::move(found.tree), std::move(found.network), engine);
    update_proof();
  }

  void update_incumbent(KTree tree, Network network, BoundedResult::Engine engine) {
    if (network.empty() || network.score <= result_.network.score)
      return;
    result_.tree = std::move(tree);
    result_.network = std::move(network);
    result_.engine = engine;
  }

  // No network scores more than `best`, the incumbent included.
  void prove(double best, BoundedResult::Engine engine) {
    result_.bound = best;
    result_.engine = engine;
  }

  // Updates what follows from the score and the bound.
  void update_proof() {
    if (result_.network.empty())
      return;
    OPTBN_INVARIANT(about_at_most(result_.network.score, result_.bound),
                    "no network scores more than the bound");
    OPTBN_INVARIANT(covers(result_.tree, graph_of(sets_, result_.network)),
                    "the network is within its k-tree");
    result_.bound = std::max(result_.bound, result_.network.score);
    result_.proved = result_.bound - result_.network.score <= rounding(result_.bound);
    record_.note(result_.network.score, result_.bound);
  }

  bool done() const {
    return result_.proved || record_.within_gap(result_.network.score, result_.bound);
  }

  [[noreturn]] void throw_failure() const {
    switch (watch_.reason()) {
    case StopReason::interrupt:
      throw Interrupted();
    case StopReason::time_limit:
      throw TimeLimitReached();
    case StopReason::none:
    case StopReason::gap:
    case StopReason::effort:
      break;
    }
    throw Infeasible(std::vector<Node>());
  }

  const ParentSets &sets_;
  const unsigned k_;
  const BoundedOptions &options_;
  Watch &watch_;
  AnytimeRecord record_;
  Multipliers multipliers_; // of the unbounded search
  KTree first_tree_;        // where the searches over k-trees begin
  BoundedResult result_;
};

} // namespace

BoundedResult bounded_search(const ParentSets &sets, unsigned k, const BoundedOptions &options,
                             Watch &watch) {
  return BoundedSearch(sets, k, options, watch).run();
}

} // namespace optbn
