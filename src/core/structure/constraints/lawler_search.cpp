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

// Of the time that there is, so much goes to any network at all where none is at hand.
constexpr double kShareWithoutScores = .25;

// A subproblem that waits: to be searched or, once its best network is known, to be cut.
struct Open {
  Subproblem subproblem;
  double bound;   // no network of the subproblem that meets the constraints scores more
  Network best{}; // of the subproblem, whatever the constraints; empty: not searched
};

// The networks known to meet the constraints, or the Markov classes, each once.
class Known {
public:
  explicit Known(bool classes) : classes_(classes) {}

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
        classes_(classes), watch_(watch), host_(host_of_part(watch)), record_(options.gap, watch),
        known_(classes), root_(options.warm) {
    require_feasible(sets);
  }

  // Searches and cuts until the next best network is found; null when there is none, or the search
  // ends before.
  const Network *next() {
    if (found_)
      leave_out(*std::exchange(found_, std::nullopt));
    else
      begin();
    while (!open_.empty() && !ended()) {
      Open open = std::move(open_.extract(open_.begin()).mapped());
      in_hand_ = open.bound;
      if (open.best.empty())
        search(std::move(open));
      else if (branch_if_no_answer(open))
        found_ = std::move(open);
      in_hand_ = -kInfinity;
      note();
      if (found_) {
        OPTBN_INVARIANT(satisfies(constraints_, graph_of(sets_, found_->best)),
                        "an answer meets the constraints");
        OPTBN_INVARIANT(open_.empty() || open_.begin()->first <= found_->bound,
                        "no subproblem that waits has a higher bound than the answer's");
        offer_neighbours(found_->best);
        return &found_->best;
      }
    }
    return nullptr;
  }

  // Whatever the constraints forbid: is that all there is?
  bool exhausted() const { return open_.empty() && !ended_; }

  // Ends the search.
  SearchResult result() {
    SearchResult result;
    result.network = found_ ? found_->best : best_;
    record_.close(result, bound(), found_.has_value());
    result.subsets = subsets_;
    result.insertions = insertions_;
    result.nodes = nodes_;
    result.multipliers = root_;
    std::vector<Node> all(sets_.size());
    std::iota(all.begin(), all.end(), Node{0});
    result.components = {
        {std::move(all), engine_, result.network.score, result.bound, result.proved}};
    return result;
  }

  double nodes() const { return nodes_; }
  double subsets() const { return subsets_; }

private:
  // --- where the search stands ------------------------------------------------------------------

  double bound() const {
    return std::max(open_.empty() ? -kInfinity : open_.begin()->first, in_hand_);
  }

  bool ended() {
    ended_ = ended_ || watch_.stopped() || record_.within_gap(best_.score, bound());
    return ended_;
  }

  void note() { record_.note(best_.score, bound()); }

  void offer(const Network &network, const Graph &graph) {
    if (!satisfies(constraints_, graph))
      return;
    known_.add(graph, network.score);
    if (network.score > best_.score)
      best_ = network;
  }

  // Networks that differ at one node: good rivals that cost nothing to find.
  void offer_neighbours(const Network &network) {
    if (wanted_ == 1)
      return;
    Graph graph = graph_of(sets_, network);
    for (Node v = 0; v < sets_.size(); ++v) {
      const CandidateSets &candidates = sets_.nodes[v];
      const double others = network.score - candidates.score[network.choice[v]];
      const std::vector<bool> below = descendants_of(graph, v);
      const std::vector<Node> own = graph[v];
      for (std::uint32_t i = 0;
           i < candidates.size() && others + candidates.score[i] > least_interesting(); ++i)
        if (std::none_of(candidates.begin_of(i), candidates.end_of(i),
                         [&](Node u) { return below[u]; })) {
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
    in_hand_ = unpriced(*all);
    if (in_hand_ == -kInfinity) // no sets allow a path that is required
      return;
    if (!constraints_.empty())
      dive(*all, unpriced);
    if (best_.empty() && scored_ && options_.seconds < kInfinity && !look_without_scores())
      return;
    open({*all, in_hand_});
    in_hand_ = -kInfinity;
  }

  // Searches the subproblem that holds all that is left, and prices what subproblems are judged by.
  bool survey(Open &root) {
    subproblem_bound_.reset();
    const bool any = constraints_.limit_arcs() ? price_arcs(root) : search_all(root, 0);
    subproblem_bound_.emplace(sets_, root.subproblem, root_, root_.arc_price);
    return any;
  }

  // Searches the root with each arc priced. False when it holds no network.
  bool search_all(Open &root, double arc_price) {
    root_.arc_price = arc_price;
    const bool any = settle(root);
    in_hand_ = root.bound;
    note();
    root_ = std::move(last_.multipliers);
    root_.arc_price = arc_price;
    engine_ = last_.components.empty() ? engine_ : largest_component(last_).engine;
    return any;
  }

  // Finds the price of an arc at which the best network has just the arcs that are allowed, or
  // jumps over their number: there the bound is least. Of two networks, one with too many arcs and
  // one without, the price at which both are worth the same is tried; what is better there replaces
  // one of them, until nothing is.
  bool price_arcs(Open &root) {
    if (!search_all(root, 0))
      return false;
    Network many = root.best;
    if (ended_ || arcs_of(many) <= constraints_.max_arcs)
      return true;
    double spread = 1; // at such a price no arc is worth it
    for (const CandidateSets &candidates : sets_.nodes)
      spread += candidates.score.front() - candidates.score.back();
    search_all(root, spread);
    Network few = root.best;
    while (!ended_) {
      if (arcs_of(few) > constraints_.max_arcs)
        return false;
      const double price = (many.score - few.score) / (arcs_of(many) - arcs_of(few));
      search_all(root, price);
      if (ended_)
        break;
      const auto worth = [&](const Network &network) {
        return network.score - price * arcs_of(network);
      };
      const bool better = worth(root.best) > worth(few) + rounding(few.score);
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

  // By steps of least loss to a network that meets the constraints: something to return should the
  // search be cut short.
  void dive(Subproblem subproblem, const SubproblemBound &bound) {
    std::vector<Node> order = options_.start;
    for (Network network = quick_network(subproblem, order, 1); !network.empty();
         network = quick_network(subproblem, order, 0)) {
      const Graph graph = graph_of(sets_, network);
      offer(network, graph);
      order = topological_order(graph);
      std::optional<Subproblem> best;
      double best_score = -kInfinity;
      for (Subproblem &child : repairs(constraints_, subproblem, graph, bound)) {
        if (best && watch_.stopped()) // any way will do
          break;
        const Network next = quick_network(child, order, 0);
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

  // A network that meets the constraints, whatever it scores: something to return where to dive
  // found none and time is limited. Where all networks score the same, subproblems are cut only to
  // meet the constraints. False when no network meets them.
  bool look_without_scores() {
    ParentSets alike = sets_;
    for (CandidateSets &candidates : alike.nodes)
      std::fill(candidates.score.begin(), candidates.score.end(), 0.0);
    SearchOptions options = options_;
    options.seconds = kShareWithoutScores * (options_.seconds - record_.seconds());
    const Host host = host_of_part(watch_, options.seconds);
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

  Network quick_network(const Subproblem &subproblem, const std::vector<Node> &order,
                        unsigned chains) {
    const PricedSubproblem priced(sets_, subproblem, 0);
    LocalSearchOptions effort;
    effort.chains = chains;
    effort.restarts = 0;
    effort.start = order;
    Watch watch(host_);
    const LocalSearchResult found = local_search(whole_problem(priced.sets), effort, watch);
    insertions_ += found.insertions;
    return found.network.empty() ? Network() : in_all(priced, found.network.choice);
  }

  // --- searching --------------------------------------------------------------------------------

  // Networks that score less are not among the answers.
  double least_interesting() const {
    const double score = known_.score_at(wanted_);
    return score - rounding(score);
  }

  void open(Open subproblem) {
    if (subproblem.bound >= least_interesting() && subproblem.bound > -kInfinity &&
        subproblem.subproblem.fewest_arcs() <= constraints_.max_arcs)
      open_.emplace(subproblem.bound, std::move(subproblem));
  }

  // With the bound of the root's dual it may turn out that others come first.
  void search(Open subproblem) {
    if (whole_) {
      if (survey(subproblem))
        open(std::move(subproblem));
      return;
    }
    const double bound =
        (*subproblem_bound_)(subproblem.subproblem) + arcs_allowance(subproblem.subproblem);
    if (bound < subproblem.bound - rounding(subproblem.bound)) {
      subproblem.bound = bound;
      open(std::move(subproblem));
      return;
    }
    if (settle(subproblem))
      open(std::move(subproblem));
  }

  // Finds the best network of a subproblem, its arcs priced, and what that says of the bound. False
  // when the subproblem holds no network.
  bool settle(Open &open) {
    const PricedSubproblem priced(sets_, open.subproblem, root_.arc_price);
    if (!blocked_nodes(priced.sets).empty())
      return false;
    SearchOptions options = options_;
    options.gap = 0;
    if (subproblem_bound_) { // otherwise this is the survey
      options.floor = least_interesting() - arcs_allowance(open.subproblem);
      options.floor -= rounding(options.floor); // so that a bound below it is below the least
    }
    options.seconds -= record_.seconds();
    options.warm = root_;
    if (!best_.empty())
      options.start = topological_order(graph_of(sets_, best_));
    Watch watch(host_);
    last_ = solve(priced.sets, options, watch);
    nodes_ += last_.nodes;
    subsets_ += last_.subsets;
    insertions_ += last_.insertions;
    open.best = in_all(priced, last_.network.choice);
    const Graph graph = graph_of(sets_, open.best);
    offer(open.best, graph);
    open.bound = std::min(open.bound, bound_after(open, graph));
    if (!last_.proved) {
      open.best = Network();
      ended_ = open.bound >= least_interesting();
    }
    return true;
  }

  double bound_after(const Open &open, const Graph &graph) const {
    if (root_.arc_price == 0)
      return last_.bound;
    const double arcs = static_cast<double>(arc_count(graph));
    return open.best.score - root_.arc_price * arcs + (last_.bound - last_.network.score) +
           arcs_allowance(open.subproblem);
  }

  // What the price of arcs gives back: that of as many as are allowed.
  double arcs_allowance(const Subproblem &subproblem) const {
    const double price = root_.arc_price;
    return price == 0 ? 0 : price * std::min(constraints_.max_arcs, subproblem.most_arcs());
  }

  Network in_all(const PricedSubproblem &priced, const std::vector<std::uint32_t> &choice) const {
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

  // --- cutting ----------------------------------------------------------------------------------

  // True when a subproblem's best network is the next answer; otherwise cuts the subproblem.
  bool branch_if_no_answer(Open &open) {
    const Graph graph = graph_of(sets_, open.best);
    std::vector<Subproblem> children;
    if (branch_where_violated(constraints_, open.subproblem, graph, *subproblem_bound_, children))
      open_all(std::move(children), open.bound);
    else if (open.bound > open.best.score + rounding(open.best.score))
      branch_by_sizes(open, graph);
    else if (!answers_.insert(known_.identity(graph)).second)
      leave_out(open);
    else
      return true;
    return false;
  }

  void open_all(std::vector<Subproblem> children, double bound) {
    whole_ = whole_ && children.size() <= 1;
    for (Subproblem &child : children)
      open({std::move(child), bound});
  }

  // The best network with arcs priced has fewer than are allowed. One that is better in truth has
  // more arcs, hence somewhere a larger set; without those sets it is the best.
  void branch_by_sizes(Open &open, const Graph &graph) {
    std::vector<Test> no_larger;
    for (Node v = 0; v < sets_.size(); ++v) {
      const std::size_t most = graph[v].size();
      no_larger.push_back({v, [most](const Node *first, const Node *last) {
                             return static_cast<std::size_t>(last - first) <= most;
                           }});
    }
    std::vector<Subproblem> children;
    branch(open.subproblem, no_larger, children);
    open_all(std::move(children), open.bound);
    open.bound = open.best.score;
    this->open(std::move(open));
  }

  void leave_out(const Open &open) {
    const Graph graph = graph_of(sets_, open.best);
    std::vector<Subproblem> children;
    if (classes_) {
      branch(open.subproblem, MarkovClass(graph), children);
    } else {
      std::vector<Test> same;
      for (Node v = 0; v < sets_.size(); ++v)
        same.push_back(takes_just(v, graph[v]));
      Subproblem rest = open.subproblem;
      branch(rest, same, children);
    }
    open_all(std::move(children), open.bound);
  }

  const ParentSets &sets_;
  const NetworkConstraints &constraints_;
  const SearchOptions &options_;
  const unsigned wanted_;
  const bool classes_;
  Watch &watch_;
  const Host host_;
  AnytimeRecord record_;

  std::multimap<double, Open, std::greater<double>> open_; // by bound
  double in_hand_ = kInfinity; // the bound of the subproblem that is being searched or cut
  std::optional<Open> found_;  // the last answer, its subproblem not cut yet
  std::set<Graph> answers_;    // their identities
  Known known_;
  Network best_;       // of all known
  bool whole_ = true;  // one subproblem holds all that is left
  bool ended_ = false; // before its time
  bool scored_ = true; // the networks do not all score the same

  Multipliers root_; // of the search of all networks
  std::optional<SubproblemBound> subproblem_bound_;
  SearchResult last_; // of solve()
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
                    "answers come best first");
    ranking.networks.push_back(*network);
    watch.advance(1);
  }
  ranking.complete = ranking.networks.size() == k || lawler.exhausted();
  ranking.nodes = lawler.nodes();
  ranking.subsets = lawler.subsets();
  return ranking;
}

} // namespace optbn
