#include "core/structure/constraints/lawler_search.h"

#include "core/base/errors.h"
#include "core/base/invariant.h"
#include "core/structure/constraints/arc_pricing.h"
#include "core/structure/constraints/diving.h"
#include "core/structure/constraints/known_networks.h"
#include "core/structure/constraints/subproblem_bound.h"
#include "core/structure/constraints/subproblem_solver.h"
#include "core/structure/domains.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

namespace optbn {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The share of the time that the search for any network at all may take where none is known.
constexpr double kShareOfAnyNetwork = .25;

// A subproblem in the queue: to be searched or, once its best network is known, to be branched on.
struct Waiting {
  Subproblem subproblem;
  double bound;   // no network of the subproblem that meets the constraints scores more
  Network best{}; // of the subproblem, whatever the constraints; empty: not searched
};

enum class Answer {
  network, // the next best
  none,    // all networks have been found, or excluded by the constraints
  stopped  // the search ended before
};

class LawlerSearch {
public:
  // With `any_first`, where little time is left, some network that meets the constraints is sought
  // before the best.
  LawlerSearch(const ParentSets &sets, const NetworkConstraints &constraints,
               const SearchOptions &options, unsigned wanted, bool classes, Watch &watch,
               bool any_first = true)
      : sets_(sets), constraints_(constraints), options_(options), classes_(classes), watch_(watch),
        record_(options.gap, watch), known_(sets, constraints, wanted, classes),
        solver_(sets, constraints, options, known_, record_, watch),
        root_multipliers_(options.warm) {
    require_feasible(sets);
    begin(any_first);
  }

  // Searches subproblems and branches until the next best network is found.
  Answer next() {
    if (next_best_)
      exclude(*std::exchange(next_best_, std::nullopt));
    while (!queue_.empty() && !must_stop()) {
      Waiting waiting = std::move(queue_.extract(queue_.begin()).mapped());
      bound_in_work_ = waiting.bound;
      if (waiting.best.empty())
        search_or_requeue(std::move(waiting));
      else if (branch_unless_next_best(waiting))
        next_best_ = std::move(waiting);
      bound_in_work_ = -kInfinity;
      note();
      if (next_best_) {
        check_next_best();
        known_.offer_neighbours(next_best_->best);
        return Answer::network;
      }
    }
    return queue_.empty() && !stopped_ ? Answer::none : Answer::stopped;
  }

  // The network that next() has found.
  const Network &found() const { return next_best_->best; }

  // Ends the search.
  SearchResult result() {
    SearchResult result;
    result.network = next_best_ ? next_best_->best : known_.best();
    record_.close(result, bound(), next_best_.has_value());
    result.subsets = solver_.subsets();
    result.insertions = solver_.insertions();
    result.nodes = solver_.nodes();
    result.multipliers = root_multipliers_;
    std::vector<Node> all(sets_.size());
    std::iota(all.begin(), all.end(), Node{0});
    result.components = {
        {std::move(all), engine_, result.network.score, result.bound, result.proved}};
    return result;
  }

  double nodes() const { return solver_.nodes(); }
  double subsets() const { return solver_.subsets(); }

private:
  // --- the state of the search ------------------------------------------------------------------

  double bound() const {
    return std::max(queue_.empty() ? -kInfinity : queue_.begin()->first, bound_in_work_);
  }

  bool must_stop() {
    stopped_ = stopped_ || watch_.stopped() || record_.within_gap(known_.best().score, bound());
    return stopped_;
  }

  void note() { record_.note(known_.best().score, bound()); }

  void check_next_best() const {
    OPTBN_INVARIANT(satisfies(constraints_, graph_of(sets_, next_best_->best)),
                    "the next best network meets the constraints");
    OPTBN_INVARIANT(queue_.empty() || queue_.begin()->first <= next_best_->bound,
                    "no subproblem in the queue has a higher bound");
  }

  void push(Waiting waiting) {
    if (waiting.bound >= known_.cutoff() && waiting.bound > -kInfinity &&
        waiting.subproblem.fewest_arcs() <= constraints_.max_arcs)
      queue_.emplace(waiting.bound, std::move(waiting));
  }

  void push_all(std::vector<Subproblem> children, double bound) {
    at_root_ = at_root_ && queue_.size() + children.size() <= 1;
    for (Subproblem &child : children)
      push({std::move(child), bound});
  }

  // --- the beginning ----------------------------------------------------------------------------

  void begin(bool any_first) {
    const std::optional<Subproblem> all = root_subproblem(constraints_, sets_);
    if (!all)
      return;
    const SubproblemBound unpriced(sets_, *all, Multipliers(), 0);
    bound_in_work_ = unpriced(*all);
    if (bound_in_work_ == -kInfinity) // no sets allow a path that is required
      return;
    if (!constraints_.empty())
      dive(*all, options_.start, constraints_, unpriced, solver_, known_, watch_);
    if (any_first && known_.best().empty() && options_.seconds < kInfinity && !find_any_network())
      return;
    push({*all, std::exchange(bound_in_work_, -kInfinity)});
  }

  // A network that meets the constraints, whatever it scores: to be returned where dive() found
  // none and time is limited. Where all networks score the same, the search branches only to meet
  // the constraints. False when no network meets them.
  bool find_any_network() {
    ParentSets alike = sets_;
    for (CandidateSets &candidates : alike.nodes)
      std::fill(candidates.score.begin(), candidates.score.end(), 0.0);
    SearchOptions options = options_;
    options.seconds = kShareOfAnyNetwork * (options_.seconds - record_.seconds());
    const Host host = nested_host(watch_, options.seconds);
    Watch watch(host);
    LawlerSearch lawler(alike, constraints_, options, 1, false, watch, false);
    if (lawler.next() == Answer::none)
      return false;
    const Network any = lawler.result().network;
    if (!any.empty())
      known_.offer({any.choice, score_of(sets_, any.choice)}, graph_of(sets_, any));
    return true;
  }

  // --- searching subproblems --------------------------------------------------------------------

  // The bound by the root's dual may be so much lower that other subproblems come first.
  void search_or_requeue(Waiting waiting) {
    if (at_root_) {
      search_root(std::move(waiting));
      return;
    }
    const double bound = (*subproblem_bound_)(waiting.subproblem) +
                         solver_.arcs_allowance(waiting.subproblem, root_multipliers_.arc_price);
    if (bound < waiting.bound - rounding(waiting.bound)) {
      waiting.bound = bound;
      push(std::move(waiting));
    } else if (search(waiting, known_.cutoff())) {
      push(std::move(waiting));
    }
  }

  // Searches the subproblem that contains all remaining networks, and makes the bound on others
  // from its multipliers.
  void search_root(Waiting root) {
    const auto search_at = [&](double price) { return search_root_at(root, price); };
    const std::optional<Network> best = constraints_.limit_arcs()
                                            ? price_arcs(sets_, constraints_.max_arcs, search_at)
                                            : search_at(0);
    subproblem_bound_.emplace(sets_, root.subproblem, root_multipliers_,
                              root_multipliers_.arc_price);
    if (!best)
      return;
    root.best = *best;
    push(std::move(root));
  }

  std::optional<Network> search_root_at(Waiting &root, double arc_price) {
    root_multipliers_.arc_price = arc_price;
    std::optional<SearchResult> result = search(root, -kInfinity);
    if (!result)
      return std::nullopt;
    bound_in_work_ = root.bound;
    note();
    root_multipliers_ = std::move(result->multipliers);
    root_multipliers_.arc_price = arc_price;
    if (!result->components.empty())
      engine_ = largest_component(*result).engine;
    return root.best;
  }

  // Finds the best network of a subproblem, arcs priced, and a bound from it. None when it has no
  // network.
  std::optional<SearchResult> search(Waiting &waiting, double cutoff) {
    std::optional<Searched> searched =
        solver_.search(waiting.subproblem, root_multipliers_, cutoff);
    if (!searched)
      return std::nullopt;
    waiting.bound = std::min(waiting.bound, searched->bound);
    waiting.best = std::move(searched->best);
    stopped_ = waiting.best.empty() && waiting.bound >= known_.cutoff();
    return std::move(searched->result);
  }

  static const ComponentResult &largest_component(const SearchResult &result) {
    return *std::max_element(result.components.begin(), result.components.end(),
                             [](const ComponentResult &a, const ComponentResult &b) {
                               return a.nodes.size() < b.nodes.size();
                             });
  }

  // --- branching --------------------------------------------------------------------------------

  // True when a subproblem's best network is the next best; otherwise branches.
  bool branch_unless_next_best(Waiting &waiting) {
    const Graph graph = graph_of(sets_, waiting.best);
    std::vector<Subproblem> children;
    if (branch_where_violated(constraints_, waiting.subproblem, graph, *subproblem_bound_,
                              children))
      push_all(std::move(children), waiting.bound);
    else if (waiting.bound > waiting.best.score + rounding(waiting.best.score))
      branch_by_sizes(waiting, graph);
    else if (!returned_.insert(known_.identity(graph)).second)
      exclude(waiting);
    else
      return true;
    return false;
  }

  // The best network with arcs priced has fewer than are allowed. One of a better score has more
  // arcs, so some node has a larger set; without those sets the best network is the best by score
  // too.
  void branch_by_sizes(Waiting &waiting, const Graph &graph) {
    std::vector<Test> no_larger;
    for (Node v = 0; v < sets_.size(); ++v) {
      const std::size_t most = graph[v].size();
      no_larger.push_back({v, [most](const Node *first, const Node *last) {
                             return static_cast<std::size_t>(last - first) <= most;
                           }});
    }
    std::vector<Subproblem> children;
    branch(waiting.subproblem, no_larger, children);
    const double bound = std::exchange(waiting.bound, waiting.best.score);
    push(std::move(waiting));
    push_all(std::move(children), bound);
  }

  void exclude(const Waiting &waiting) {
    const Graph graph = graph_of(sets_, waiting.best);
    std::vector<Subproblem> children;
    if (classes_) {
      branch(waiting.subproblem, MarkovClass(graph), children);
    } else {
      std::vector<Test> same;
      for (Node v = 0; v < sets_.size(); ++v)
        same.push_back(with_exactly(v, graph[v]));
      Subproblem rest = waiting.subproblem;
      branch(rest, same, children);
    }
    push_all(std::move(children), waiting.bound);
  }

  const ParentSets &sets_;
  const NetworkConstraints &constraints_;
  const SearchOptions &options_;
  const bool classes_;
  Watch &watch_;
  AnytimeRecord record_;
  KnownNetworks known_;
  SubproblemSolver solver_;

  std::multimap<double, Waiting, std::greater<double>> queue_; // by bound
  double bound_in_work_ = kInfinity; // of the subproblem in work, outside the queue
  std::optional<Waiting> next_best_; // the network found last; not branched on yet
  std::set<Graph> returned_;         // identities of the networks found
  bool at_root_ = true;              // one subproblem contains all remaining networks
  bool stopped_ = false;             // before the search is complete

  Multipliers root_multipliers_; // of the search of all networks
  std::optional<SubproblemBound> subproblem_bound_;
  ComponentResult::Engine engine_ = ComponentResult::Engine::local;
};

} // namespace

SearchResult solve_under(const ParentSets &sets, const NetworkConstraints &constraints,
                         const SearchOptions &options, Watch &watch) {
  LawlerSearch lawler(sets, constraints, options, 1, false, watch);
  if (lawler.next() == Answer::none)
    throw Infeasible({});
  return lawler.result();
}

Ranking rank_networks(const ParentSets &sets, const NetworkConstraints &constraints,
                      const SearchOptions &options, unsigned k, bool classes, Watch &watch) {
  watch.restart(k);
  LawlerSearch lawler(sets, constraints, options, k, classes, watch);
  Ranking ranking;
  Answer answer = Answer::network;
  while (ranking.networks.size() < k && (answer = lawler.next()) == Answer::network) {
    OPTBN_INVARIANT(ranking.networks.empty() ||
                        about_at_most(lawler.found().score, ranking.networks.back().score),
                    "networks come best first");
    ranking.networks.push_back(lawler.found());
    watch.advance(1);
  }
  ranking.complete = answer != Answer::stopped;
  ranking.nodes = lawler.nodes();
  ranking.subsets = lawler.subsets();
  return ranking;
}

} // namespace optbn
