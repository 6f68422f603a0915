#include "core/structure/constraints/lawler_search.h"

#include "core/base/errors.h"
#include "core/base/invariant.h"
#include "core/structure/constraints/subproblem_bound.h"
#include "core/structure/domains.h"
#include "core/structure/engines/local_search.h"
#include "core/structure/solve.h"

#include <algorithm>
#include <functional>
#include <iterator>
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

// A subproblem in the queue: to be solved or, once its best network is known, to be branched on.
struct Waiting {
  Subproblem subproblem;
  double bound;   // no network of the subproblem that meets the constraints scores more
  Network best{}; // of the subproblem, whatever the constraints; empty: not solved
};

// The networks known to meet the constraints, or the Markov classes, each once.
class KnownNetworks {
public:
  explicit KnownNetworks(bool classes) : classes_(classes) {}

  void add(const Graph &graph, double score) {
    const auto [place, is_new] = score_of_.emplace(identity(graph), score);
    if (!is_new && place->second >= score)
      return;
    if (!is_new)
      scores_.erase(scores_.find(place->second));
    place->second = score;
    scores_.insert(score);
  }

  // The score of the k-th best; minus infinity if there are fewer.
  double score_at(unsigned k) const {
    return scores_.size() < k ? -kInfinity : *std::next(scores_.begin(), k - 1);
  }

  Graph identity(const Graph &graph) const {
    return classes_ ? MarkovClass(graph).signature() : graph;
  }

private:
  bool classes_;
  std::map<Graph, double> score_of_;
  std::multiset<double, std::greater<double>> scores_;
};

class LawlerSearch {
public:
  LawlerSearch(const ParentSets &sets, const NetworkConstraints &constraints,
               const SearchOptions &options, unsigned wanted, bool classes, Watch &watch)
      : sets_(sets), constraints_(constraints), options_(options), wanted_(wanted),
        classes_(classes), watch_(watch), host_(nested_host(watch)), record_(options.gap, watch),
        known_(classes), root_multipliers_(options.warm) {
    require_feasible(sets);
  }

  // Solves subproblems and branches until the next best network is found; null when there is none,
  // or the search stops before.
  const Network *next() {
    if (next_best_)
      exclude(*std::exchange(next_best_, std::nullopt));
    else
      begin();
    while (!queue_.empty() && !must_stop()) {
      Waiting waiting = std::move(queue_.extract(queue_.begin()).mapped());
      current_bound_ = waiting.bound;
      if (waiting.best.empty())
        solve_or_requeue(std::move(waiting));
      else if (branch_unless_next_best(waiting))
        next_best_ = std::move(waiting);
      current_bound_ = -kInfinity;
      note();
      if (next_best_) {
        OPTBN_INVARIANT(satisfies(constraints_, graph_of(sets_, next_best_->best)),
                        "the next best network meets the constraints");
        OPTBN_INVARIANT(queue_.empty() || queue_.begin()->first <= next_best_->bound,
                        "no subproblem in the queue has a higher bound");
        offer_neighbours(next_best_->best);
        return &next_best_->best;
      }
    }
    return nullptr;
  }

  // Have all networks been found, or excluded by the constraints?
  bool exhausted() const { return queue_.empty() && !stopped_; }

  // Ends the search.
  SearchResult result() {
    SearchResult result;
    result.network = next_best_ ? next_best_->best : best_;
    record_.close(result, bound(), next_best_.has_value());
    result.subsets = subsets_;
    result.insertions = insertions_;
    result.nodes = nodes_;
    result.multipliers = root_multipliers_;
    std::vector<Node> all(sets_.size());
    std::iota(all.begin(), all.end(), Node{0});
    result.components = {
        {std::move(all), engine_, result.network.score, result.bound, result.proved}};
    return result;
  }

  double nodes() const { return nodes_; }
  double subsets() const { return subsets_; }

private:
  // --- the state of the search ------------------------------------------------------------------

  double bound() const {
    return std::max(queue_.empty() ? -kInfinity : queue_.begin()->first, current_bound_);
  }

  bool must_stop() {
    stopped_ = stopped_ || watch_.stopped() || record_.within_gap(best_.score, bound());
    return stopped_;
  }

  void note() { record_.note(best_.score, bound()); }

  void offer(const Network &network, const Graph &graph) {
    if (!satisfies(constraints_, graph))
      return;
    known_.add(graph, network.score);
    if (network.score > best_.score)
      best_ = network;
  }

  // Networks that differ at one node: good ones that cost nothing to find.
  void offer_neighbours(const Network &network) {
    if (wanted_ == 1)
      return;
    Graph graph = graph_of(sets_, network);
    for (Node v = 0; v < sets_.size(); ++v) {
      const CandidateSets &candidates = sets_.nodes[v];
      const double others = network.score - candidates.score[network.choice[v]];
      const std::vector<bool> descendants = descendants_of(graph, v);
      const std::vector<Node> own = graph[v];
      for (std::uint32_t i = 0; i < candidates.size() && others + candidates.score[i] > cutoff();
           ++i)
        if (std::none_of(candidates.begin_of(i), candidates.end_of(i),
                         [&](Node u) { return descendants[u]; })) {
          graph[v].assign(candidates.begin_of(i), candidates.end_of(i));
          Network neighbour = network;
          neighbour.choice[v] = i;
          neighbour.score = others + candidates.score[i];
          offer(neighbour, graph);
        }
      graph[v] = own;
    }
  }

  // --- the beginning ----------------------------------------------------------------------------

  void begin() {
    const std::optional<Subproblem> all = root_subproblem(constraints_, sets_);
    if (!all)
      return;
    const SubproblemBound unpriced(sets_, *all, Multipliers(), 0);
    current_bound_ = unpriced(*all);
    if (current_bound_ == -kInfinity) // no sets allow a path that is required
      return;
    if (!constraints_.empty())
      dive(*all, unpriced);
    if (best_.empty() && scored_ && options_.seconds < kInfinity && !find_any_network())
      return;
    push({*all, current_bound_});
    current_bound_ = -kInfinity;
  }

  // Solves the subproblem that contains all remaining networks, and makes the bound on subproblems
  // from its multipliers.
  bool solve_root(Waiting &root) {
    subproblem_bound_.reset();
    const bool any = constraints_.limit_arcs() ? price_arcs(root) : solve_root_at(root, 0);
    subproblem_bound_.emplace(sets_, root.subproblem, root_multipliers_,
                              root_multipliers_.arc_price);
    return any;
  }

  // Solves the root with each arc priced. False when it has no network.
  bool solve_root_at(Waiting &root, double arc_price) {
    root_multipliers_.arc_price = arc_price;
    const bool any = solve_subproblem(root);
    current_bound_ = root.bound;
    note();
    root_multipliers_ = std::move(last_result_.multipliers);
    root_multipliers_.arc_price = arc_price;
    engine_ = last_result_.components.empty() ? engine_ : largest_component(last_result_).engine;
    return any;
  }

  // Finds the price of an arc at which the best network has just as many arcs as are allowed, or
  // their number falls from more to fewer: there the bound is least. Of two networks, one with too
  // many arcs and one without, the price is tried at which both score the same; a better network at
  // that price replaces one of them, until there is none.
  bool price_arcs(Waiting &root) {
    if (!solve_root_at(root, 0))
      return false;
    Network many = root.best;
    if (stopped_ || arcs_of(many) <= constraints_.max_arcs)
      return true;
    double spread = 1; // at such a price no arc pays
    for (const CandidateSets &candidates : sets_.nodes)
      spread += candidates.score.front() - candidates.score.back();
    solve_root_at(root, spread);
    Network few = root.best;
    while (!stopped_) {
      if (arcs_of(few) > constraints_.max_arcs)
        return false;
      const double price = (many.score - few.score) / (arcs_of(many) - arcs_of(few));
      solve_root_at(root, price);
      if (stopped_)
        break;
      const auto priced_score = [&](const Network &network) {
        return network.score - price * arcs_of(network);
      };
      const bool better = priced_score(root.best) > priced_score(few) + rounding(few.score);
      if (better)
        (arcs_of(root.best) > constraints_.max_arcs ? many : few) = root.best;
      root.best = few;
      if (!better)
        break;
    }
    return true;
  }

  double arcs_of(const Network &network) const {
    return static_cast<double>(arc_count(graph_of(sets_, network)));
  }

  // Repairs networks at the least loss until one meets the constraints: to be returned should the
  // search be stopped.
  void dive(Subproblem subproblem, const SubproblemBound &bound) {
    std::vector<Node> order = options_.start;
    for (Network network = heuristic_network(subproblem, order, 1); !network.empty();
         network = heuristic_network(subproblem, order, 0)) {
      const Graph graph = graph_of(sets_, network);
      offer(network, graph);
      order = topological_order(graph);
      std::optional<Subproblem> best;
      double best_score = -kInfinity;
      for (Subproblem &child : repairs(constraints_, subproblem, graph, bound)) {
        if (best && watch_.stopped()) // any repair will do
          break;
        const Network next = heuristic_network(child, order, 0);
        if (next.score > best_score) {
          best = std::move(child);
          best_score = next.score;
        }
      }
      if (!best)
        return;
      subproblem = std::move(*best);
    }
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
    LawlerSearch lawler(alike, constraints_, options, 1, false, watch);
    lawler.scored_ = false;
    if (!lawler.next() && lawler.exhausted())
      return false;
    const Network any = lawler.result().network;
    if (!any.empty())
      offer({any.choice, score_of(any.choice)}, graph_of(sets_, any));
    return true;
  }

  double score_of(const std::vector<std::uint32_t> &choice) const {
    double score = 0;
    for (Node v = 0; v < sets_.size(); ++v)
      score += sets_.nodes[v].score[choice[v]];
    return score;
  }

  Network heuristic_network(const Subproblem &subproblem, const std::vector<Node> &order,
                            unsigned chains) {
    const PricedSubproblem priced(sets_, subproblem, 0);
    LocalSearchOptions effort;
    effort.chains = chains;
    effort.restarts = 0;
    effort.start = order;
    Watch watch(host_);
    const LocalSearchResult found = local_search(whole_problem(priced.sets), effort, watch);
    insertions_ += found.insertions;
    return found.network.empty() ? Network() : in_all_sets(priced, found.network.choice);
  }

  // --- solving ----------------------------------------------------------------------------------

  // Networks that score less are not among those wanted.
  double cutoff() const {
    const double score = known_.score_at(wanted_);
    return score - rounding(score);
  }

  void push(Waiting waiting) {
    if (waiting.bound >= cutoff() && waiting.bound > -kInfinity &&
        waiting.subproblem.fewest_arcs() <= constraints_.max_arcs)
      queue_.emplace(waiting.bound, std::move(waiting));
  }

  // The bound by the root's dual may be so much lower that other subproblems come first.
  void solve_or_requeue(Waiting waiting) {
    if (at_root_) {
      if (solve_root(waiting))
        push(std::move(waiting));
      return;
    }
    const double bound =
        (*subproblem_bound_)(waiting.subproblem) + arcs_allowance(waiting.subproblem);
    if (bound < waiting.bound - rounding(waiting.bound)) {
      waiting.bound = bound;
      push(std::move(waiting));
      return;
    }
    if (solve_subproblem(waiting))
      push(std::move(waiting));
  }

  // Finds the best network of a subproblem, its arcs priced, and a bound from it. False when the
  // subproblem has no network.
  bool solve_subproblem(Waiting &waiting) {
    const PricedSubproblem priced(sets_, waiting.subproblem, root_multipliers_.arc_price);
    if (!blocked_nodes(priced.sets).empty())
      return false;
    SearchOptions options = options_;
    options.gap = 0;
    if (subproblem_bound_) { // otherwise this is the root
      options.cutoff = cutoff() - arcs_allowance(waiting.subproblem);
      options.cutoff -= rounding(options.cutoff); // so that a bound below it is below cutoff()
    }
    options.seconds -= record_.seconds();
    options.warm = root_multipliers_;
    if (!best_.empty())
      options.start = topological_order(graph_of(sets_, best_));
    Watch watch(host_);
    last_result_ = solve(priced.sets, options, watch);
    nodes_ += last_result_.nodes;
    subsets_ += last_result_.subsets;
    insertions_ += last_result_.insertions;
    waiting.best = in_all_sets(priced, last_result_.network.choice);
    const Graph graph = graph_of(sets_, waiting.best);
    offer(waiting.best, graph);
    waiting.bound = std::min(waiting.bound, bound_after(waiting, graph));
    if (!last_result_.proved) {
      waiting.best = Network();
      stopped_ = waiting.bound >= cutoff();
    }
    return true;
  }

  double bound_after(const Waiting &waiting, const Graph &graph) const {
    if (root_multipliers_.arc_price == 0)
      return last_result_.bound;
    const double arcs = static_cast<double>(arc_count(graph));
    return waiting.best.score - root_multipliers_.arc_price * arcs +
           (last_result_.bound - last_result_.network.score) + arcs_allowance(waiting.subproblem);
  }

  // The right-hand side of the limit of arcs times its price; less where the sets have fewer arcs.
  double arcs_allowance(const Subproblem &subproblem) const {
    const double price = root_multipliers_.arc_price;
    return price == 0 ? 0 : price * std::min(constraints_.max_arcs, subproblem.most_arcs());
  }

  Network in_all_sets(const PricedSubproblem &priced,
                      const std::vector<std::uint32_t> &choice) const {
    Network network;
    network.choice.resize(choice.size());
    for (Node v = 0; v < sets_.size(); ++v)
      network.choice[v] = priced.index[v][choice[v]];
    network.score = score_of(network.choice);
    return network;
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

  void push_all(std::vector<Subproblem> children, double bound) {
    at_root_ = at_root_ && queue_.size() + children.size() <= 1;
    for (Subproblem &child : children)
      push({std::move(child), bound});
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
  const unsigned wanted_;
  const bool classes_;
  Watch &watch_;
  const Host host_;
  AnytimeRecord record_;

  std::multimap<double, Waiting, std::greater<double>> queue_; // by bound
  double current_bound_ = kInfinity; // of the subproblem in work, outside the queue
  std::optional<Waiting> next_best_; // the network returned last; not branched on yet
  std::set<Graph> returned_;         // identities of the networks returned
  KnownNetworks known_;
  Network best_;         // of all known
  bool at_root_ = true;  // one subproblem contains all remaining networks
  bool stopped_ = false; // before the search is complete
  bool scored_ = true;   // the networks do not all score the same

  Multipliers root_multipliers_; // of the search of all networks
  std::optional<SubproblemBound> subproblem_bound_;
  SearchResult last_result_; // of solve()
  ComponentResult::Engine engine_ = ComponentResult::Engine::local;
  double nodes_ = 0, subsets_ = 0, insertions_ = 0;
};

} // namespace

SearchResult solve_under(const ParentSets &sets, const NetworkConstraints &constraints,
                         const SearchOptions &options, Watch &watch) {
  LawlerSearch lawler(sets, constraints, options, 1, false, watch);
  if (!lawler.next() && lawler.exhausted())
    throw Infeasible({});
  return lawler.result();
}

Ranking rank_networks(const ParentSets &sets, const NetworkConstraints &constraints,
                      const SearchOptions &options, unsigned k, bool classes, Watch &watch) {
  LawlerSearch lawler(sets, constraints, options, k, classes, watch);
  Ranking ranking;
  watch.restart(k);
  while (ranking.networks.size() < k) {
    const Network *network = lawler.next();
    if (!network)
      break;
    OPTBN_INVARIANT(ranking.networks.empty() ||
                        about_at_most(network->score, ranking.networks.back().score),
                    "networks come best first");
    ranking.networks.push_back(*network);
    watch.advance(1);
  }
  ranking.complete = ranking.networks.size() == k || lawler.exhausted();
  ranking.nodes = lawler.nodes();
  ranking.subsets = lawler.subsets();
  return ranking;
}

} // namespace optbn
