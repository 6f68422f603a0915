#include "core/structure/bounds/root_dual.h"

#include "core/base/invariant.h"
#include "core/structure/bounds/closure.h"
#include "core/structure/bounds/cluster_separation.h"
#include "core/structure/bounds/dual_ascent.h"
#include "core/structure/bounds/group_cuts.h"
#include "core/structure/bounds/primal_dual.h"

#include <algorithm>
#include <map>
#include <utility>

namespace optbn {

namespace {

// Sets of each node that are columns from the start, and at least; how many more a round may add.
constexpr std::size_t kFirstSets = 15, kMoreSets = 16;

// How far above its node's least a reduced cost may be, as a fraction of the gap, for its set to be
// added, and not to be dropped again.
constexpr double kGoodWindow = .05, kBadWindow = .2;

// A round adds so many of the most violated clusters, and tries so many groups of each size.
constexpr unsigned kClusters = 100, kGroups = 60;
constexpr double kLeastViolation = .02;

// Rounds that an inequality may stay without a multiplier.
constexpr unsigned kIdleRounds = 2;

// A round pays when it closes this fraction of the gap. After rounds that find few inequalities, or
// after several that do not pay, effort rises: closer to the optimum, further in the search for
// clusters. After so many that do not pay there are no more.
constexpr double kLeastGain = .01;
constexpr unsigned kFew = 10, kMostEffort = 3;
constexpr unsigned kSeveral = 5, kPatience = 8;

// Primal-dual steps in a round, with the least effort; steps of the greedy ascents before and after
// all rounds; the largest group that is cut.
constexpr unsigned kSteps = 1000, kAscents = 2000, kLargestCut = 5;

// A gap that is smaller, as a fraction of the upper bound, is left to the search, which closes it
// at once.
constexpr double kNegligible = 1e-5;

// The primal-dual method may end this near to the optimum, as a fraction of the gap; a quarter of
// that for each degree of effort.
constexpr double kTolerance = .1;

// The work of an entry of the program in a step, in sets examined.
constexpr double kEntryWork = 0.5;

// Weights below this are noise.
constexpr double kLeastWeight = 1e-4;

// An inequality of the program: a cluster, or a group cut if that has nodes.
template <unsigned Words> struct Row {
  Cluster<Words> cluster;
  GroupCut cut;
  double price = 0;      // in the present iterate
  double best_price = 0; // in the round's best dual
  unsigned idle = 0;     // rounds without a multiplier

  double rhs() const { return cut.nodes.empty() ? cluster.k : 1; }

  double coefficient(Node v, const BitSet<Words> &set) const {
    if (cut.nodes.empty())
      return cluster.counts(set);
    const auto place = std::find(cut.nodes.begin(), cut.nodes.end(), v) - cut.nodes.begin();
    return cut.coefficient[static_cast<std::size_t>(place) << cut.nodes.size() |
                           pattern_in(cut.nodes, set)];
  }
};

} // namespace

template <unsigned Words> class RootDual<Words>::Relaxation {
public:
  Relaxation(const CostProblem<Words> &problem, Dual<Words> first, Cost upper, Watch &watch,
             double work_limit)
      : problem_(problem), upper_(upper), watch_(watch), work_limit_(work_limit),
        best_(std::move(first)), bound_(ascend(problem, best_, upper, kAscents, watch)),
        columns_(problem.size()), active_(problem.size()), permanent_(problem.size()),
        bound_at_gain_(bound_) {
    if (finished())
      return;
    for (const Cluster<Words> &cluster : best_.clusters)
      add(cluster);
    for (const GroupInequality &group : best_.groups)
      add(group);
    for (Node v = 0; v < problem.size(); ++v) {
      active_[v].assign(problem.domains[v].size(), false);
      for (std::uint32_t i = 0; i < problem.domains[v].size() && i < kFirstSets; ++i)
        add_column(v, i);
    }
    add_columns_of_a_network();
    add_good_columns(reduced(best_), gap());
  }

  const Dual<Words> &dual() const { return best_; }
  Cost bound() const { return bound_; }
  double work() const { return work_; }

  bool improve(unsigned rounds) {
    for (unsigned i = 0; i < rounds && !finished(); ++i)
      round();
    [[maybe_unused]] const Cost before = bound_;
    bound_ = ascend(problem_, best_, upper_, kAscents, watch_);
    OPTBN_INVARIANT(bound_ >= before, "the bound of the root never falls");
    return !finished();
  }

private:
  // Approaches the optimum, evaluates the dual, and seeks inequalities.
  void round() {
    run_primal_dual();
    evaluate();
    watch_.log("root", {{"round", ++rounds_},
                        {"bound", problem_.score(bound_)},
                        {"gap", problem_.units(gap())},
                        {"rows", static_cast<double>(rows_.size())},
                        {"columns", count_columns()},
                        {"effort", effort_}});
    count_idle_rounds();
    if (!finished())
      separate();
  }

  bool finished() {
    return static_cast<double>(gap()) <= kNegligible * static_cast<double>(upper_) ||
           idle_rounds_ >= kPatience || work_ >= work_limit_ || watch_.stopped();
  }

  struct Column {
    std::uint32_t index; // of the set
    double weight;
  };
  using ReducedCosts = std::vector<std::vector<Cost>>;

  void add(const Cluster<Words> &cluster) {
    Row<Words> row;
    row.cluster = cluster;
    row.price = problem_.units(cluster.price);
    rows_.push_back(std::move(row));
  }

  void add(GroupCut cut) {
    Row<Words> row;
    for (const Node v : cut.nodes)
      row.cluster.nodes.insert(v);
    row.cut = std::move(cut);
    rows_.push_back(std::move(row));
  }

  void add(const GroupInequality &group) {
    const double rhs = problem_.units(group.rhs[0]);
    if (rhs <= 0)
      return;
    GroupCut cut{group.nodes, {}, 0};
    for (const Cost coefficient : group.coefficient)
      cut.coefficient.push_back(problem_.units(coefficient) / rhs);
    add(std::move(cut));
    rows_.back().price = rhs;
  }

  void add_column(Node v, std::uint32_t i) {
    if (active_[v][i])
      return;
    active_[v][i] = true;
    columns_[v].push_back({i, 0});
  }

  // The sets of one network, which are never dropped: with them the program has a solution, and so
  // no unbounded dual.
  void add_columns_of_a_network() {
    const auto add_first_set = [this](unsigned v, const BitSet<Words> &allowed) {
      const std::vector<BitSet<Words>> &sets = problem_.domains[v].set;
      for (std::uint32_t i = 0; i < sets.size(); ++i)
        if (sets[i].inside(allowed)) {
          add_column(static_cast<Node>(v), i);
          permanent_[v] = i;
          return true;
        }
      return false;
    };
    closure(BitSet<Words>(), BitSet<Words>::first(problem_.size()), add_first_set);
  }

  ReducedCosts reduced(const Dual<Words> &dual) const {
    ReducedCosts costs;
    for (Node v = 0; v < problem_.size(); ++v)
      costs.push_back(reduced_costs(problem_, dual, v));
    return costs;
  }

  // Sets within a fraction of the gap of their node's least reduced cost.
  void add_good_columns(const ReducedCosts &costs, Cost gap) {
    std::vector<std::pair<Cost, std::uint32_t>> good;
    const Cost window = static_cast<Cost>(kGoodWindow * static_cast<double>(gap));
    for (Node v = 0; v < problem_.size(); ++v) {
      const Cost most = *std::min_element(costs[v].begin(), costs[v].end()) + window;
      good.clear();
      for (std::uint32_t i = 0; i < costs[v].size(); ++i)
        if (costs[v][i] <= most && !active_[v][i])
          good.push_back({costs[v][i], i});
      const auto last =
          good.begin() + static_cast<std::ptrdiff_t>(std::min(kMoreSets, good.size()));
      std::partial_sort(good.begin(), last, good.end());
      for (auto set = good.begin(); set != last; ++set)
        add_column(v, set->second);
    }
  }

  // Sets without weight that are far from their node's least reduced cost.
  void drop_bad_columns(const ReducedCosts &costs, Cost gap) {
    const Cost window = static_cast<Cost>(kBadWindow * static_cast<double>(gap));
    for (Node v = 0; v < problem_.size(); ++v) {
      if (columns_[v].size() <= kFirstSets)
        continue;
      const std::vector<Cost> &reduced = costs[v];
      std::vector<Cost> of_active;
      for (const Column &column : columns_[v])
        of_active.push_back(reduced[column.index]);
      std::nth_element(of_active.begin(), of_active.begin() + kFirstSets, of_active.end());
      const Cost most = std::max(of_active[kFirstSets],
                                 *std::min_element(reduced.begin(), reduced.end()) + window);
      const auto bad = [&](const Column &column) {
        return column.weight <= 0 && reduced[column.index] > most && column.index != permanent_[v];
      };
      for (const Column &column : columns_[v])
        active_[v][column.index] = !bad(column);
      columns_[v].erase(std::remove_if(columns_[v].begin(), columns_[v].end(), bad),
                        columns_[v].end());
    }
  }

  void run_primal_dual() {
    const SimplexProgram program = assemble();
    PrimalDualIterate iterate;
    for (Node v = 0; v < problem_.size(); ++v)
      for (const Column &column : columns_[v])
        iterate.x.push_back(column.weight);
    for (const Row<Words> &row : rows_)
      iterate.y.push_back(row.price);
    iterate.weight = primal_weight_;
    const double steps =
        primal_dual_hybrid_gradient(iterate, program, kSteps * (1 + effort_), tolerance(), watch_);
    work_ += steps * kEntryWork * static_cast<double>(program.value.size());
    primal_weight_ = iterate.weight;
    std::size_t j = 0;
    for (std::vector<Column> &columns : columns_)
      for (Column &column : columns)
        column.weight = iterate.x[j++];
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      rows_[r].price = iterate.y[r];
      rows_[r].best_price = iterate.best[r];
    }
  }

  double count_columns() const {
    double count = 0;
    for (const std::vector<Column> &columns : columns_)
      count += static_cast<double>(columns.size());
    return count;
  }

  Cost gap() const { return std::max<Cost>(upper_ - bound_, 0); }

  double tolerance() const { return kTolerance * problem_.units(gap()) / (1 << 2 * effort_); }

  SimplexProgram assemble() const {
    SimplexProgram program;
    std::vector<std::vector<std::uint32_t>> rows_of(problem_.size());
    for (std::uint32_t r = 0; r < rows_.size(); ++r) {
      rows_[r].cluster.nodes.for_each([&](unsigned v) { rows_of[v].push_back(r); });
      program.rhs.push_back(rows_[r].rhs());
    }
    for (Node v = 0; v < problem_.size(); ++v) {
      const CostDomain<Words> &domain = problem_.domains[v];
      for (const Column &column : columns_[v]) {
        for (const std::uint32_t r : rows_of[v]) {
          const double value = rows_[r].coefficient(v, domain.set[column.index]);
          if (value != 0)
            program.add_entry(r, value);
        }
        program.end_column(problem_.units(domain.cost[column.index]));
      }
      program.end_block();
    }
    return program;
  }

  // Turns the best multipliers into a dual, and chooses columns by its reduced costs.
  void evaluate() {
    Dual<Words> found = integer_dual();
    const ReducedCosts costs = reduced(found);
    work_ += evaluation_work(found);
    Cost bound = constant_term(found);
    for (const std::vector<Cost> &of_node : costs)
      bound += *std::min_element(of_node.begin(), of_node.end());
    if (bound > bound_) {
      best_ = std::move(found);
      bound_ = bound;
    }
    drop_bad_columns(costs, gap());
    add_good_columns(costs, gap());
  }

  // All sets of every member of a cluster are examined.
  double evaluation_work(const Dual<Words> &dual) const {
    double sets = 0;
    for (const Cluster<Words> &cluster : dual.clusters)
      cluster.nodes.for_each([&](unsigned v) { sets += problem_.domains[v].size(); });
    return sets;
  }

  void count_idle_rounds() {
    ++idle_rounds_;
    if (static_cast<double>(bound_ - bound_at_gain_) >
        kLeastGain * static_cast<double>(upper_ - bound_at_gain_)) {
      bound_at_gain_ = bound_;
      idle_rounds_ = 0;
    }
  }

  // Cuts of one group add up to a single inequality, whose right-hand side is at least the sum of
  // theirs.
  Dual<Words> integer_dual() const {
    Dual<Words> dual;
    std::map<std::vector<Node>, std::size_t> place;
    const double scale = safe_scale();
    for (const Row<Words> &row : rows_) {
      const double price = row.best_price * scale;
      if (problem_.cost(price) <= 0)
        continue;
      if (row.cut.nodes.empty()) {
        dual.clusters.push_back({row.cluster.nodes, row.cluster.k, problem_.cost(price)});
        continue;
      }
      const auto [at, is_new] = place.emplace(row.cut.nodes, dual.groups.size());
      if (is_new)
        dual.groups.push_back(
            {row.cut.nodes, std::vector<Cost>(row.cut.coefficient.size(), 0), {}});
      GroupInequality &group = dual.groups[at->second];
      for (std::size_t j = 0; j < group.coefficient.size(); ++j)
        group.coefficient[j] += problem_.cost(price * row.cut.coefficient[j]);
    }
    for (GroupInequality &group : dual.groups)
      group.compute_rhs();
    return dual;
  }

  // 1, unless the multipliers are so large that whole numbers could overflow.
  double safe_scale() const {
    double all = 0;
    for (const Row<Words> &row : rows_) {
      double most = row.rhs();
      for (const double coefficient : row.cut.coefficient)
        most = std::max(most, std::abs(coefficient));
      all += row.best_price * most * (1 + row.cluster.nodes.size());
    }
    return std::min(1.0, problem_.units(kNoCost) / all);
  }

  void separate() {
    discard_idle();
    const FractionalNetwork<Words> network = fractional_network();
    const std::size_t before = rows_.size();
    add_violated_clusters(network);
    add_violated_groups(network);
    const std::size_t found = rows_.size() - before;
    if (found < kFew || idle_rounds_ >= kSeveral)
      effort_ = std::min(effort_ + 1, kMostEffort);
    else if (found > 2 * kFew && idle_rounds_ == 0 && effort_ > 0)
      --effort_;
  }

  void discard_idle() {
    for (Row<Words> &row : rows_)
      row.idle = row.price > 0 || row.best_price > 0 ? 0 : row.idle + 1;
    rows_.erase(std::remove_if(rows_.begin(), rows_.end(),
                               [](const Row<Words> &row) { return row.idle >= kIdleRounds; }),
                rows_.end());
  }

  FractionalNetwork<Words> fractional_network() const {
    FractionalNetwork<Words> network;
    network.support.resize(problem_.size());
    for (Node v = 0; v < problem_.size(); ++v)
      for (const Column &column : columns_[v])
        if (column.weight > kLeastWeight)
          network.support[v].push_back({problem_.domains[v].set[column.index], column.weight});
    return network;
  }

  void add_violated_clusters(const FractionalNetwork<Words> &network) {
    unsigned added = 0;
    for (const ViolatedCluster<Words> &violated :
         violated_clusters(network, kLeastViolation, effort_, watch_, work_)) {
      if (added == kClusters)
        return;
      if (is_row(violated.cluster))
        continue;
      add(violated.cluster);
      ++added;
    }
  }

  bool is_row(const Cluster<Words> &cluster) const {
    return std::any_of(rows_.begin(), rows_.end(), [&](const Row<Words> &row) {
      return row.cut.nodes.empty() && row.cluster.k == cluster.k &&
             row.cluster.nodes == cluster.nodes;
    });
  }

  // (Of three nodes, clusters imply all valid inequalities.)
  void add_violated_groups(const FractionalNetwork<Words> &network) {
    const unsigned most = std::min<unsigned>(kLargestCut, problem_.size());
    for (unsigned size = 4; size <= most; ++size)
      for (const std::vector<Node> &group : close_groups(network, size, kGroups, random_)) {
        if (watch_.stopped())
          return;
        GroupCut cut = violated_cut(problem_, network, group, kLeastViolation);
        if (!cut.nodes.empty())
          add(std::move(cut));
      }
  }

  const CostProblem<Words> &problem_;
  const Cost upper_;
  Watch &watch_;
  const double work_limit_;
  double work_ = 0; // sets examined, about
  Dual<Words> best_;
  Cost bound_;                               // of the best dual
  std::vector<std::vector<Column>> columns_; // by node: the active sets
  std::vector<std::vector<bool>> active_;
  std::vector<std::uint32_t> permanent_; // a set of each node that is never dropped
  std::vector<Row<Words>> rows_;
  double primal_weight_ = 0;
  unsigned rounds_ = 0, effort_ = 0;
  unsigned idle_rounds_ = 0; // since a round paid,
  Cost bound_at_gain_;       // and the bound then
  Random random_{1};
};

template <unsigned Words>
RootDual<Words>::RootDual(const CostProblem<Words> &problem, Dual<Words> warm, Cost upper,
                          Watch &watch, double work_limit)
    : relaxation_(
          std::make_unique<Relaxation>(problem, std::move(warm), upper, watch, work_limit)) {}

template <unsigned Words> RootDual<Words>::~RootDual() = default;

template <unsigned Words> bool RootDual<Words>::improve(unsigned rounds) {
  return relaxation_->improve(rounds);
}

template <unsigned Words> const Dual<Words> &RootDual<Words>::dual() const {
  return relaxation_->dual();
}

template <unsigned Words> Cost RootDual<Words>::bound() const { return relaxation_->bound(); }

template <unsigned Words> double RootDual<Words>::work() const { return relaxation_->work(); }

#define OPTBN_INSTANTIATE(words) template class RootDual<words>;
OPTBN_FOR_EACH_WIDTH(OPTBN_INSTANTIATE)
#undef OPTBN_INSTANTIATE

} // namespace optbn
