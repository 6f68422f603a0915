#include "core/structure/solve.h"

#include "core/base/errors.h"
#include "core/base/invariant.h"
#include "core/structure/bounds/dual.h"
#include "core/structure/bounds/pattern_database.h"
#include "core/structure/cp/cp_search.h"
#include "core/structure/domains.h"
#include "core/structure/engines/local_search.h"
#include "core/structure/engines/subset_dp.h"
#include "core/structure/engines/tree_search.h"
#include "core/structure/graph.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace optbn {

namespace {

using Engine = ComponentResult::Engine;

// Dynamic programming is done before a tree search could begin.
constexpr Node kInstantDpNodes = 14;
// Where dynamic programming takes no longer, no network is sought first to return should it be
// stopped.
constexpr double kShortTableSeconds = 0.1;
// Dynamic programming is done before a tree search would have its root bound, however long it
// takes.
constexpr Node kQuickDpNodes = 23;
// "automatic" begins no table that would take longer.
constexpr double kLongestTableSeconds = 600;
// The share of a search's effort, and of its time, that local search before a tree may take. (With
// many sets the bound needs the time more.)
constexpr double kEffortShare = 0.25, kTimeShare = 0.1;

// Sums of costs of so many bits are exact in doubles, which tables hold.
constexpr int kDoubleBits = 52;

// To examine a set in a search tree: as many bits as there are nodes.
double set_seconds(const Problem &problem) { return 2e-9 * std::max(1.0, problem.size() / 32.0); }

double dp_subsets(Node nodes) { return std::ldexp(1.0, nodes); }

double count_sets(const Problem &problem) {
  double sets = 0;
  for (const Domain &domain : problem.domains)
    sets += static_cast<double>(domain.size());
  return sets;
}

// For one node of a search tree: passes over the sets of a fraction of the nodes.
double tree_node_seconds(const Problem &problem) { return 1e-5 + 1e-9 * count_sets(problem); }

// For the root bound of a tree search, without which its tree is too large: rounds of the dual.
double tree_root_seconds(const Problem &problem) { return 1.5e-4 * count_sets(problem); }

// A low estimate for a present-day machine, so that no attempt that would pay is missed.
double dp_seconds(Node nodes) { return 1e-9 * nodes * dp_subsets(nodes); }

struct ComponentSearch {
  Component component;
  bool tabulate = false; // dynamic programming is possible and allowed
  Network best{};
  double bound = 0;
  bool proved = false;
  Engine engine = Engine::local;
  Multipliers root{};
  // Where a proof is written: its steps, and what they prove where the best network is not proved.
  std::vector<ProofLog::Piece> proof{};
  std::int64_t least_cost = 0;

  Node size() const { return component.problem.size(); }
};

class Search {
public:
  Search(const ParentSets &sets, const SearchOptions &options, Watch &watch)
      : sets_(sets), options_(options), watch_(watch), record_(options.gap, watch) {
    require_feasible(sets);
    for (Component &component : split(sets)) {
      ComponentSearch search{std::move(component)};
      search.tabulate = to_be_tabulated(search.size());
      for (const Domain &domain : search.component.problem.domains)
        search.bound += domain.score.front();
      searches_.push_back(std::move(search));
    }
  }

  SearchResult run() {
    for (ComponentSearch &search : searches_)
      start(search);
    note();
    for (ComponentSearch &search : searches_)
      if (!done())
        relax(search);
    for (ComponentSearch &search : searches_)
      if (!done())
        improve(search);
    for (ComponentSearch *search : smallest_first())
      if (!done())
        prove(*search);
    return collect();
  }

private:
  bool to_be_tabulated(Node nodes) const {
    const double bytes = subset_dp_bytes(nodes);
    const bool possible = nodes <= kSubsetDpNodes && bytes <= options_.memory_limit;
    switch (options_.method) {
    case Method::dp:
      if (!possible)
        throw MemoryLimit(bytes, std::min(options_.memory_limit, subset_dp_bytes(kSubsetDpNodes)));
      return true;
    case Method::elsa:
    case Method::elsa_ig:
    case Method::lagrangian:
    case Method::branch_and_cut:
    case Method::local:
      return false;
    case Method::automatic:
      break;
    }
    return possible &&
           dp_seconds(nodes) <= std::min({kLongestTableSeconds, options_.seconds, options_.effort});
  }

  // The network of a first order, which even a search without time can return.
  void start(ComponentSearch &search) {
    LocalSearchOptions only_first;
    only_first.chains = 0;
    search_orders(search, only_first);
  }

  // A bound that costs milliseconds, before anything that may be stopped.
  void relax(ComponentSearch &search) {
    if (search.proved || soon_tabulated(search) || tree_search_requested(search) || has_cutoff() ||
        options_.proof)
      return;
    search.bound = std::min(search.bound, pattern_database_bound(search.component.problem, watch_));
    compare_with_bound(search);
    note();
  }

  // Dynamic programming needs no good network, only one to return should it be stopped; a tree
  // search needs a good one, and finds better ones itself.
  void improve(ComponentSearch &search) {
    if (soon_tabulated(search) || has_cutoff())
      return;
    LocalSearchOptions effort;
    if (search.tabulate && table_first(search)) {
      effort.chains = std::min(1u, options_.chains);
      effort.restarts = 0;
    } else if (options_.method == Method::local) {
      // An equal share for each of the usual chains, of which other processes may run some.
      effort.most_work = options_.effort / (effort.chains * kLookSeconds);
      effort.chains = options_.chains;
      effort.first_climbs = options_.first_climbs;
    } else {
      effort.chains = std::min(2u, options_.chains);
      effort.restarts = 0;
      effort.most_work = std::min(kEffortShare * options_.effort, kTimeShare * options_.seconds) /
                         (effort.chains * kLookSeconds);
    }
    search_orders(search, effort);
  }

  void search_orders(ComponentSearch &search, LocalSearchOptions effort) {
    if (search.proved)
      return;
    effort.start = order_within(search.component);
    LocalSearchResult found = local_search(search.component.problem, effort, watch_);
    insertions_ += found.insertions;
    for (const Improvement &improvement : found.improvements)
      if (improvement.score > search.best.score) {
        search.best.score = improvement.score;
        record_.note(score(), bound(), improvement.when);
      }
    if (found.network.score >= search.best.score)
      search.best = std::move(found.network);
    compare_with_bound(search);
  }

  // Small components by dynamic programming. Beyond, its time doubles with every node while that of
  // a tree search depends on the data: the tree goes first, for as long as the table would take.
  void prove(ComponentSearch &search) {
    if (options_.method == Method::local || search.proved)
      return;
    watch_.log("component", {{"nodes", search.size()},
                             {"sets", count_sets(search.component.problem)},
                             {"score", search.best.score},
                             {"bound", search.bound}});
    const bool table_only = search.tabulate && table_first(search);
    if (!table_only && search.size() <= kTreeNodes)
      search_tree(search);
    if (!search.proved && search.tabulate && !done())
      tabulate(search);
  }

  bool soon_tabulated(const ComponentSearch &search) const {
    return search.tabulate && dp_seconds(search.size()) <= kShortTableSeconds &&
           table_first(search);
  }

  bool table_first(const ComponentSearch &search) const {
    const Node n = search.size();
    if (options_.method == Method::dp || n <= kInstantDpNodes)
      return true;
    if (has_cutoff()) // a tree soon shows that the bound is below it
      return false;
    return n <= kQuickDpNodes ||
           subset_dp_seconds(n) <= tree_root_seconds(search.component.problem);
  }

  void search_tree(ComponentSearch &search) {
    ProofTask task{search.component.problem, search.best};
    task.warm = warm_within(search.component);
    if (options_.gap > 0) // (else a gap of what sums are rounded by would end the search)
      task.gap =
          std::max(0.0, options_.gap - (bound() - score()) + (search.bound - search.best.score));
    task.cutoff = options_.cutoff - rounding(options_.cutoff) - (bound() - search.bound);
    task.memory_limit = options_.memory_limit;
    task.cost_bits = options_.cost_bits;
    task.most_by_orders = options_.most_by_orders;
    if (search.tabulate)
      task.node_limit =
          subset_dp_seconds(search.size()) / tree_node_seconds(search.component.problem);
    task.work_limit = options_.effort / set_seconds(search.component.problem);
    watch_.restart(0); // the amount of work is not known
    task.report = [&](double score, double bound) {
      search.best.score = std::max(search.best.score, score);
      search.bound = std::min(search.bound, bound);
      note();
    };
    std::optional<ProofText> text;
    if (options_.proof)
      task.proof = &text.emplace(ProofText{*options_.proof});
    Proof proof = run_engine(search, task);
    if (text)
      search.proof = std::move(text->pieces);
    search.least_cost = proof.least_cost;
    nodes_ += proof.nodes;
    watch_.log("proof", {{"nodes", proof.nodes},
                         {"score", proof.best.score},
                         {"bound", proof.bound},
                         {"proved", proof.proved}});
    search.best = std::move(proof.best);
    search.bound = std::min(search.bound, proof.bound);
    search.proved = proof.proved;
    search.root = std::move(proof.root);
    if (search.proved)
      search.bound = search.best.score;
    else
      compare_with_bound(search);
    note();
  }

  Proof run_engine(ComponentSearch &search, const ProofTask &task) {
    switch (options_.method) {
    case Method::elsa_ig:
      search.engine = Engine::elsa_ig;
      return cp_search(task, {SplitRule::information_gain, true}, watch_);
    case Method::elsa:
      search.engine = Engine::elsa;
      return cp_search(task, kPlainList, watch_);
    case Method::lagrangian:
      search.engine = Engine::lagrangian;
      return tree_search(task, TreeEngine::orders, watch_);
    case Method::branch_and_cut:
      search.engine = Engine::branch_and_cut;
      return tree_search(task, TreeEngine::branch_and_cut, watch_);
    default:
      Proof proof = tree_search(task, TreeEngine::both, watch_);
      search.engine = proof.branched_on_arcs ? Engine::branch_and_cut : Engine::lagrangian;
      return proof;
    }
  }

  void tabulate(ComponentSearch &search) {
    watch_.restart(dp_subsets(search.size()));
    Network optimum = tabulated_optimum(search.component.problem);
    if (optimum.empty()) // stopped
      return;
    subsets_ += dp_subsets(search.size());
    watch_.log("table", {{"subsets", dp_subsets(search.size())}, {"score", optimum.score}});
    search.best = std::move(optimum);
    search.bound = search.best.score;
    search.proved = true;
    search.engine = Engine::dp;
    if (options_.proof)
      search.proof = {options_.proof->write("t\n")};
    note();
  }

  // For a proof, of scores in whole quanta, whose sums are exact.
  Network tabulated_optimum(const Problem &problem) {
    if (!options_.proof)
      return subset_dp(problem, watch_);
    const CostQuanta quanta(problem, kDoubleBits);
    Problem whole = problem;
    for (Domain &domain : whole.domains) {
      const double best = domain.score.front();
      for (double &score : domain.score)
        score = -static_cast<double>(quanta.cost(best - score));
    }
    Network optimum = subset_dp(whole, watch_);
    optimum.score = 0;
    for (Node v = 0; v < problem.size() && !optimum.empty(); ++v)
      optimum.score += problem.domains[v].score[optimum.choice[v]];
    return optimum;
  }

  // (Not where dynamic programming is requested and there is something to search.)
  void compare_with_bound(ComponentSearch &search) {
    if (search.size() > 1 && (options_.method == Method::dp || options_.proof))
      return;
    OPTBN_INVARIANT(about_at_most(search.best.score, search.bound),
                    "no network scores more than the bound");
    if (search.proved || search.bound > search.best.score + rounding(search.best.score))
      return;
    search.bound = search.best.score;
    search.proved = true;
    search.engine = Engine::bound;
  }

  bool has_cutoff() const { return std::isfinite(options_.cutoff); }

  // A tree search that is requested by name does not use the cheap bound, unless there are too many
  // nodes for it.
  bool tree_search_requested(const ComponentSearch &search) const {
    return search.size() <= kTreeNodes &&
           (options_.method == Method::elsa || options_.method == Method::elsa_ig ||
            options_.method == Method::lagrangian || options_.method == Method::branch_and_cut);
  }

  bool proved() const {
    return std::all_of(searches_.begin(), searches_.end(),
                       [](const ComponentSearch &p) { return p.proved; });
  }

  bool done() {
    return proved() || record_.within_gap(score(), bound()) || bound() < options_.cutoff ||
           watch_.stopped();
  }

  double score() const {
    double total = 0;
    for (const ComponentSearch &search : searches_)
      total += search.best.score;
    return total;
  }

  double bound() const {
    double total = 0;
    for (const ComponentSearch &search : searches_)
      total += search.bound;
    return total;
  }

  std::vector<ComponentSearch *> smallest_first() {
    std::vector<ComponentSearch *> order;
    for (ComponentSearch &search : searches_)
      order.push_back(&search);
    std::stable_sort(
        order.begin(), order.end(),
        [](const ComponentSearch *a, const ComponentSearch *b) { return a->size() < b->size(); });
    return order;
  }

  // Node -> its number in the component; sets_.size() for nodes of other components.
  std::vector<Node> numbers_in(const Component &component) const {
    std::vector<Node> number(sets_.size(), sets_.size());
    for (std::size_t i = 0; i < component.nodes.size(); ++i)
      number[component.nodes[i]] = static_cast<Node>(i);
    return number;
  }

  std::vector<Node> order_within(const Component &component) const {
    const std::vector<Node> number = numbers_in(component);
    std::vector<Node> order;
    for (const Node v : options_.start)
      if (number[v] < sets_.size())
        order.push_back(number[v]);
    return order;
  }

  // The multipliers to begin with whose nodes are all in the component. They come from the caller:
  // malformed ones are left out.
  Multipliers warm_within(const Component &component) const {
    const std::vector<Node> number = numbers_in(component);
    const auto renumbered = [&](std::vector<Node> nodes) {
      for (Node &v : nodes)
        v = number[v];
      return nodes;
    };
    const auto within = [&](const std::vector<Node> &nodes) {
      return std::all_of(nodes.begin(), nodes.end(),
                         [&](Node v) { return v < sets_.size() && number[v] < sets_.size(); });
    };
    Multipliers result;
    for (const Multipliers::Cluster &cluster : options_.warm.clusters)
      if (within(cluster.nodes) && cluster.price > 0 && cluster.k <= cluster.nodes.size())
        result.clusters.push_back({renumbered(cluster.nodes), cluster.k, cluster.price});
    for (const Multipliers::Group &group : options_.warm.groups)
      if (within(group.nodes) && group.nodes.size() <= kLargestGroup &&
          group.coefficient.size() == group.nodes.size() << group.nodes.size())
        result.groups.push_back({renumbered(group.nodes), group.coefficient});
    return result;
  }

  void note() { record_.note(score(), bound()); }

  SearchResult collect() {
    SearchResult result;
    result.network.choice.resize(sets_.size());
    for (const ComponentSearch &search : searches_) {
      for (Node v = 0; v < search.size(); ++v)
        result.network.choice[search.component.nodes[v]] =
            search.component.problem.domains[v].origin[search.best.choice[v]];
      collect_multipliers(search, result.multipliers);
      if (options_.proof)
        result.proof.push_back(proof_part(search));
      result.components.push_back(
          {search.component.nodes, search.engine, search.best.score, search.bound, search.proved});
    }
    result.network.score = 0;
    for (Node v = 0; v < sets_.size(); ++v)
      result.network.score += sets_.nodes[v].score[result.network.choice[v]];
    OPTBN_INVARIANT(about_equal(result.network.score, score()),
                    "the scores of the components add up to the network's");
    OPTBN_INVARIANT(is_acyclic(graph_of(sets_, result.network)), "the network is acyclic");
    record_.close(result, bound(), proved());
    if (!result.proved && result.stop == StopReason::none && std::isfinite(options_.effort) &&
        options_.method != Method::local)
      result.stop = StopReason::effort;
    result.subsets = subsets_;
    result.insertions = insertions_;
    result.nodes = nodes_;
    return result;
  }

  ProofPart proof_part(const ComponentSearch &search) const {
    const Problem &problem = search.component.problem;
    const CostQuanta quanta(problem,
                            search.engine == Engine::dp ? kDoubleBits : options_.cost_bits);
    ProofPart part{search.component.nodes, quanta.bits, search.proved ? 0 : search.least_cost,
                   search.proof};
    for (Node v = 0; v < problem.size() && search.proved; ++v) {
      const std::vector<double> &score = problem.domains[v].score;
      part.target += quanta.cost(score.front() - score[search.best.choice[v]]);
    }
    if (search.engine == Engine::branch_and_cut) // (which ends that near: branch_and_cut.h)
      part.target =
          std::max<std::int64_t>(0, part.target - quanta.cost(rounding(search.best.score)) - 1);
    return part;
  }

  // A component's multipliers, its nodes by their numbers in the whole.
  static void collect_multipliers(const ComponentSearch &search, Multipliers &all) {
    const auto renumbered = [&](std::vector<Node> nodes) {
      for (Node &v : nodes)
        v = search.component.nodes[v];
      return nodes;
    };
    for (const Multipliers::Cluster &cluster : search.root.clusters)
      all.clusters.push_back({renumbered(cluster.nodes), cluster.k, cluster.price});
    for (const Multipliers::Group &group : search.root.groups)
      all.groups.push_back({renumbered(group.nodes), group.coefficient});
  }

  const ParentSets &sets_;
  const SearchOptions &options_;
  Watch &watch_;
  AnytimeRecord record_;
  std::vector<ComponentSearch> searches_;
  double subsets_ = 0, insertions_ = 0, nodes_ = 0;
};

} // namespace

SearchResult solve(const ParentSets &sets, const SearchOptions &options, Watch &watch) {
  return Search(sets, options, watch).run();
}

} // namespace optbn
