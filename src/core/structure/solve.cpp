#include "core/structure/solve.h"

#include "core/base/errors.h"
#include "core/base/invariant.h"
#include "core/structure/bounds/dual.h"
#include "core/structure/bounds/relaxation.h"
#include "core/structure/cp/cp_search.h"
#include "core/structure/domains.h"
#include "core/structure/engines/local_search.h"
#include "core/structure/engines/order_search.h"
#include "core/structure/engines/subset_dp.h"
#include "core/structure/graph.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace optbn {

namespace {

using Engine = PartResult::Engine;

// Dynamic programming is done before a tree search could begin.
constexpr Node kInstantDpNodes = 14;
// Nothing to return is sought, should dynamic programming be cut short, if it takes no longer.
constexpr double kSoonSeconds = 0.1;
// Dynamic programming is done before a tree search would have its root bound, whatever that takes.
constexpr Node kQuickDpNodes = 23;
// "automatic" begins no table that would take longer.
constexpr double kPatienceSeconds = 600;
// Of the effort of a search, what local search before a tree may take.
constexpr double kLocalShare = 0.25;

// Of a set looked at in a search tree: as many bits as there are nodes.
double set_seconds(const Problem &problem) { return 2e-9 * std::max(1.0, problem.size() / 32.0); }

double dp_subsets(Node nodes) { return std::ldexp(1.0, nodes); }

double count_sets(const Problem &problem) {
  double sets = 0;
  for (const Domain &domain : problem.domains)
    sets += static_cast<double>(domain.size());
  return sets;
}

// Of one node of a tree search: passes over the sets of a fraction of the nodes.
double tree_node_seconds(const Problem &problem) { return 1e-5 + 1e-9 * count_sets(problem); }

// Of what a tree search takes before it has a tree worth walking: rounds of its root bound.
double tree_root_seconds(const Problem &problem) { return 1.5e-4 * count_sets(problem); }

// A low estimate for a present-day machine, so that no worthwhile attempt is missed.
double dp_seconds(Node nodes) { return 1e-9 * nodes * dp_subsets(nodes); }

struct Piece {
  Part part;
  bool tabulate = false; // dynamic programming is possible and allowed
  Network best{};
  double bound = 0;
  bool proved = false;
  Engine engine = Engine::local;
  Multipliers root{};

  Node size() const { return part.problem.size(); }
};

class Search {
public:
  Search(const ParentSets &sets, const SearchOptions &options, Watch &watch)
      : sets_(sets), options_(options), watch_(watch), record_(options.gap, watch) {
    require_feasible(sets);
    for (Part &part : split(sets)) {
      Piece piece{std::move(part)};
      piece.tabulate = to_be_tabulated(piece.size());
      for (const Domain &domain : piece.part.problem.domains)
        piece.bound += domain.score.front();
      pieces_.push_back(std::move(piece));
    }
  }

  SearchResult run() {
    for (Piece &piece : pieces_)
      start(piece);
    note();
    for (Piece &piece : pieces_)
      if (!done())
        relax(piece);
    for (Piece &piece : pieces_)
      if (!done())
        improve(piece);
    for (Piece *piece : smallest_first())
      if (!done())
        prove(*piece);
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
    case Method::lagrangian:
    case Method::local:
      return false;
    case Method::automatic:
      break;
    }
    return possible &&
           dp_seconds(nodes) <= std::min({kPatienceSeconds, options_.seconds, options_.effort});
  }

  // The network of a first order, which even a search without time can return.
  void start(Piece &piece) {
    LocalSearchOptions only_first;
    only_first.chains = 0;
    search_orders(piece, only_first);
  }

  // A bound that costs milliseconds, before anything that may be cut short.
  void relax(Piece &piece) {
    if (piece.proved || soon_tabulated(piece) || by_tree_alone() || has_floor())
      return;
    piece.bound = std::min(piece.bound, group_bound(piece.part.problem, watch_));
    compare_with_bound(piece);
    note();
  }

  // Dynamic programming needs no good network, only something to return should it be cut short; a
  // tree search needs a good one, and finds better ones itself.
  void improve(Piece &piece) {
    if (soon_tabulated(piece) || has_floor())
      return;
    LocalSearchOptions effort;
    if (piece.tabulate && table_first(piece)) {
      effort.chains = std::min(1u, options_.chains);
      effort.restarts = 0;
    } else if (options_.method == Method::local) {
      effort.chains = options_.chains;
      effort.first_climbs = options_.first_climbs;
    } else {
      effort.chains = std::min(2u, options_.chains);
      effort.restarts = 0;
      effort.most_work = kLocalShare * options_.effort / (effort.chains * kLookSeconds);
    }
    search_orders(piece, effort);
  }

  void search_orders(Piece &piece, LocalSearchOptions effort) {
    if (piece.proved)
      return;
    effort.start = order_within(piece.part);
    LocalSearchResult found = local_search(piece.part.problem, effort, watch_);
    insertions_ += found.insertions;
    for (const Improvement &improvement : found.improvements)
      if (improvement.score > piece.best.score) {
        piece.best.score = improvement.score;
        record_.note(score(), bound(), improvement.when);
      }
    if (found.network.score >= piece.best.score)
      piece.best = std::move(found.network);
    compare_with_bound(piece);
  }

  // Small parts by dynamic programming. Beyond, its time doubles with every node while that of a
  // tree search depends on the data: the tree goes first, for as long as the table would take.
  void prove(Piece &piece) {
    if (options_.method == Method::local)
      return;
    const bool table_only = piece.tabulate && table_first(piece);
    if (!piece.proved && !table_only && piece.size() <= kTreeNodes)
      search_tree(piece);
    if (!piece.proved && piece.tabulate && !done())
      tabulate(piece);
  }

  bool soon_tabulated(const Piece &piece) const {
    return piece.tabulate && dp_seconds(piece.size()) <= kSoonSeconds && table_first(piece);
  }

  bool table_first(const Piece &piece) const {
    const Node n = piece.size();
    if (options_.method == Method::dp || n <= kInstantDpNodes)
      return true;
    if (has_floor()) // a tree knows soon what is below
      return false;
    return n <= kQuickDpNodes || dp_seconds(n) <= tree_root_seconds(piece.part.problem);
  }

  void search_tree(Piece &piece) {
    ProofTask task{piece.part.problem, piece.best};
    task.warm = warm_within(piece.part);
    task.gap = std::max(0.0, options_.gap - (bound() - score()) + (piece.bound - piece.best.score));
    task.floor = options_.floor - rounding(options_.floor) - (bound() - piece.bound);
    task.memory_limit = options_.memory_limit;
    if (piece.tabulate)
      task.node_limit = dp_seconds(piece.size()) / tree_node_seconds(piece.part.problem);
    task.work_limit = options_.effort / set_seconds(piece.part.problem);
    watch_.restart(0); // nobody knows how much there is to do
    task.report = [&](double score, double bound) {
      piece.best.score = std::max(piece.best.score, score);
      piece.bound = std::min(piece.bound, bound);
      note();
    };
    const bool elsa = options_.method == Method::elsa;
    Proof proof = elsa ? cp_search(task, CpOptions(), watch_) : order_search(task, watch_);
    nodes_ += proof.nodes;
    piece.engine = elsa ? Engine::elsa : Engine::lagrangian;
    piece.best = std::move(proof.best);
    piece.bound = std::min(piece.bound, proof.bound);
    piece.proved = proof.proved;
    piece.root = std::move(proof.root);
    if (piece.proved)
      piece.bound = piece.best.score;
    else
      compare_with_bound(piece);
    note();
  }

  void tabulate(Piece &piece) {
    watch_.restart(dp_subsets(piece.size()));
    Network optimum = subset_dp(piece.part.problem, watch_);
    if (optimum.empty()) // stopped
      return;
    subsets_ += dp_subsets(piece.size());
    piece.best = std::move(optimum);
    piece.bound = piece.best.score;
    piece.proved = true;
    piece.engine = Engine::dp;
    note();
  }

  // (Not where dynamic programming is demanded and there is something to search.)
  void compare_with_bound(Piece &piece) {
    if (options_.method == Method::dp && piece.size() > 1)
      return;
    OPTBN_INVARIANT(about_at_most(piece.best.score, piece.bound),
                    "no network scores more than the bound");
    if (piece.proved || piece.bound > piece.best.score + rounding(piece.best.score))
      return;
    piece.bound = piece.best.score;
    piece.proved = true;
    piece.engine = Engine::bound;
  }

  bool has_floor() const { return std::isfinite(options_.floor); }

  // A method that was asked for by name does its work itself.
  bool by_tree_alone() const {
    return options_.method == Method::elsa || options_.method == Method::lagrangian;
  }

  bool proved() const {
    return std::all_of(pieces_.begin(), pieces_.end(), [](const Piece &p) { return p.proved; });
  }

  bool done() {
    return proved() || record_.within_gap(score(), bound()) || bound() < options_.floor ||
           watch_.stopped();
  }

  double score() const {
    double total = 0;
    for (const Piece &piece : pieces_)
      total += piece.best.score;
    return total;
  }

  double bound() const {
    double total = 0;
    for (const Piece &piece : pieces_)
      total += piece.bound;
    return total;
  }

  std::vector<Piece *> smallest_first() {
    std::vector<Piece *> order;
    for (Piece &piece : pieces_)
      order.push_back(&piece);
    std::stable_sort(order.begin(), order.end(),
                     [](const Piece *a, const Piece *b) { return a->size() < b->size(); });
    return order;
  }

  // Node -> its number in the part; sets_.size() for nodes of other parts.
  std::vector<Node> numbers_in(const Part &part) const {
    std::vector<Node> number(sets_.size(), sets_.size());
    for (std::size_t i = 0; i < part.nodes.size(); ++i)
      number[part.nodes[i]] = static_cast<Node>(i);
    return number;
  }

  std::vector<Node> order_within(const Part &part) const {
    const std::vector<Node> number = numbers_in(part);
    std::vector<Node> order;
    for (const Node v : options_.start)
      if (number[v] < sets_.size())
        order.push_back(number[v]);
    return order;
  }

  // The multipliers to begin with that concern nodes of the part alone. They come from outside:
  // what is malformed is left out.
  Multipliers warm_within(const Part &part) const {
    const std::vector<Node> number = numbers_in(part);
    const auto renamed = [&](std::vector<Node> nodes) {
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
        result.clusters.push_back({renamed(cluster.nodes), cluster.k, cluster.price});
    for (const Multipliers::Group &group : options_.warm.groups)
      if (within(group.nodes) && group.nodes.size() <= kLargestGroup &&
          group.charge.size() == group.nodes.size() << group.nodes.size())
        result.groups.push_back({renamed(group.nodes), group.charge});
    return result;
  }

  void note() { record_.note(score(), bound()); }

  SearchResult collect() {
    SearchResult result;
    result.network.choice.resize(sets_.size());
    for (const Piece &piece : pieces_) {
      for (Node v = 0; v < piece.size(); ++v)
        result.network.choice[piece.part.nodes[v]] =
            piece.part.problem.domains[v].origin[piece.best.choice[v]];
      collect_multipliers(piece, result.multipliers);
      result.parts.push_back(
          {piece.part.nodes, piece.engine, piece.best.score, piece.bound, piece.proved});
    }
    result.network.score = 0;
    for (Node v = 0; v < sets_.size(); ++v)
      result.network.score += sets_.nodes[v].score[result.network.choice[v]];
    OPTBN_INVARIANT(about_equal(result.network.score, score()),
                    "the scores of the parts add up to the network's");
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

  // A part's multipliers, its nodes by their numbers in the whole.
  static void collect_multipliers(const Piece &piece, Multipliers &all) {
    const auto rename = [&](std::vector<Node> nodes) {
      for (Node &v : nodes)
        v = piece.part.nodes[v];
      return nodes;
    };
    for (const Multipliers::Cluster &cluster : piece.root.clusters)
      all.clusters.push_back({rename(cluster.nodes), cluster.k, cluster.price});
    for (const Multipliers::Group &group : piece.root.groups)
      all.groups.push_back({rename(group.nodes), group.charge});
  }

  const ParentSets &sets_;
  const SearchOptions &options_;
  Watch &watch_;
  AnytimeRecord record_;
  std::vector<Piece> pieces_;
  double subsets_ = 0, insertions_ = 0, nodes_ = 0;
};

} // namespace

SearchResult solve(const ParentSets &sets, const SearchOptions &options, Watch &watch) {
  return Search(sets, options, watch).run();
}

} // namespace optbn
