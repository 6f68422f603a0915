#include "core/treewidth/bounded_search.h"

#include "core/base/errors.h"
#include "core/dag/graph.h"
#include "core/dag/solve.h"
#include "core/graph/tree_width.h"
#include "core/treewidth/global_dp.h"
#include "core/treewidth/k_tree_dp.h"
#include "core/treewidth/k_tree_growth.h"
#include "core/treewidth/tree_search.h"

#include <algorithm>
#include <chrono>

namespace optbn {

namespace {

using Clock = std::chrono::steady_clock;

// What the first part may take, of the whole and at most; and the width of its network.
constexpr double kFirstShare = 0.3, kFirstSeconds = 60;
// What the exact search may be forecast to take, of the whole and at most, for "automatic".
constexpr double kExactShare = 0.5, kExactSeconds = 60, kStepsASecond = 5e9;
constexpr double kWidthShare = 0.1, kWidthSeconds = 10;

// The watch of a part of a job, which may end earlier than the whole.
class PartialWatch {
public:
  PartialWatch(Watch &whole, double seconds) : host_(whole.host()), watch_(host_) {
    const auto end = Clock::now() + std::chrono::duration<double>(std::min(seconds, 1e9));
    const std::function<StopReason()> ask = whole.host().should_stop;
    host_.should_stop = [ask, end] {
      const StopReason reason = ask();
      return reason == StopReason::none && Clock::now() > end ? StopReason::time_limit : reason;
    };
  }

  Watch &watch() { return watch_; }

private:
  Host host_;
  Watch watch_;
};

class BoundedSearch {
public:
  BoundedSearch(const ParentSets &sets, unsigned k, const BoundedOptions &options, Watch &watch)
      : sets_(sets), k_(k), options_(options), watch_(watch) {}

  BoundedResult run() {
    if (options_.method == BoundedMethod::sample) {
      sample();
    } else {
      leave_width_aside();
      if (options_.method == BoundedMethod::exact)
        search_exactly(watch_);
      else if (is_soon_exact())
        try_exactly();
      if (!done() && options_.method != BoundedMethod::exact)
        search_locally();
    }
    result_.stop = result_.proved ? StopReason::none : watch_.reason();
    return std::move(result_);
  }

private:
  void leave_width_aside() {
    PartialWatch part(watch_, std::min(kFirstSeconds, kFirstShare * options_.seconds));
    SearchOptions options;
    options.memory_limit = options_.memory_limit;
    options.seconds = std::min(kFirstSeconds, kFirstShare * options_.seconds);
    SearchResult found = solve(sets_, options, part.watch());
    result_.bound = found.bound;
    result_.nodes = found.nodes;
    result_.subsets = found.subsets;
    build_around(graph_of(sets_, found.network));
    if (!covers(first_tree_, graph_of(sets_, found.network)))
      return;
    result_.tree = first_tree_;
    result_.network = std::move(found.network);
    result_.proved = found.proved;
    record(Clock::now(), result_.network.score);
  }

  // The k-tree that holds as much as it can of a network's moral graph.
  void build_around(const Graph &network) {
    const UndirectedGraph graph = moral_graph(network);
    PartialWatch part(watch_, std::min(kWidthSeconds, kWidthShare * options_.seconds));
    Random random(watch_.host().seed(0));
    const TreeWidth width = tree_width(graph, options_.memory_limit, random, part.watch());
    const SetTrie trie(sets_, k_);
    first_tree_ = KTreeGrower(trie, k_).around(graph, width.order, random);
  }

  bool is_soon_exact() const {
    return options_.method == BoundedMethod::automatic && !done() &&
           sets_.size() <= kGlobalDpNodes && k_ <= kLargestDpWidth &&
           global_dp_bytes(sets_.size(), k_, watch_.host().threads) <= options_.memory_limit &&
           global_dp_steps(sets_.size(), k_) <= kStepsASecond * exact_seconds();
  }

  double exact_seconds() const { return std::min(kExactSeconds, kExactShare * options_.seconds); }

  // What the scores leave to do is known on the way only: with too much of it, local search is
  // next.
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
    options.ceiling = result_.bound;
    options.start.push_back(first_tree_);
    GlobalDpResult found = global_dp(sets_, k_, options, watch);
    result_.branches = found.branches;
    if (found.proved)
      result_.bound = found.network.score;
    if (!found.tree.members.empty())
      first_tree_ = found.tree; // where local search begins, if this was not the end
    take({std::move(found.tree), std::move(found.network), 0, {}}, BoundedResult::Engine::exact);
  }

  // Beyond kLargestLocalWidth among the narrower networks, which keep to the width as well.
  void search_locally() {
    const unsigned k = std::min(k_, kLargestLocalWidth);
    TreeSearchOptions options;
    options.target = target();
    if (k == k_)
      options.start.push_back(first_tree_);
    options.iterations = options_.iterations;
    TreeSearchResult found = tree_search(sets_, k, options, watch_);
    if (found.network.empty() && result_.network.empty() && k < k_)
      throw MemoryLimit(k_tree_dp_bytes(sets_.size(), k_), k_tree_dp_bytes(sets_.size(), k));
    take(std::move(found), BoundedResult::Engine::local);
  }

  void sample() {
    result_.bound = 0;
    for (const CandidateSets &candidates : sets_.nodes)
      result_.bound += candidates.score.front();
    SampledSearchOptions options = options_.sampling;
    options.samples = options_.iterations;
    options.target = target();
    watch_.restart(options.samples);
    take(sampled_search(sets_, options_.information, k_, options, watch_),
         BoundedResult::Engine::sample);
  }

  double target() const { return result_.bound - std::max(options_.gap, rounding(result_.bound)); }

  void take(TreeSearchResult found, BoundedResult::Engine engine) {
    result_.steps += found.steps;
    for (const TreeSearchResult::Improvement &better : found.improvements)
      record(better.when, better.score);
    if (found.network.empty() && result_.network.empty())
      throw Infeasible(std::vector<Node>());
    if (found.network.score > result_.network.score) {
      result_.network = std::move(found.network);
      result_.tree = std::move(found.tree);
      result_.engine = engine;
    }
    result_.bound = std::max(result_.bound, result_.network.score);
    result_.proved = result_.bound - result_.network.score <= rounding(result_.bound);
    record(Clock::now(), result_.network.score);
  }

  bool done() const {
    return result_.proved || (!result_.network.empty() && options_.gap > 0 &&
                              result_.bound - result_.network.score <= options_.gap);
  }

  void record(Clock::time_point when, double score) {
    std::vector<TracePoint> &trace = result_.trace;
    if (trace.empty() || score > trace.back().score)
      trace.push_back({std::chrono::duration<double>(when - begun_).count(), score,
                       std::max(result_.bound, score)});
  }

  const Clock::time_point begun_ = Clock::now();
  const ParentSets &sets_;
  const unsigned k_;
  const BoundedOptions &options_;
  Watch &watch_;
  KTree first_tree_;
  BoundedResult result_;
};

} // namespace

BoundedResult bounded_search(const ParentSets &sets, unsigned k, const BoundedOptions &options,
                             Watch &watch) {
  return BoundedSearch(sets, k, options, watch).run();
}

} // namespace optbn
