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

// Sets of each node at hand from the start, and at least; how many more a round may take in.
constexpr std::size_t kFirstSets = 15, kMoreSets = 16;

// How far above its node's least a reduced cost may be, in parts of the gap, for its set to be
// taken in, and to be let go again.
constexpr double kGoodWindow = .05, kBadWindow = .2;

// A round takes the most violated clusters, and tries so many groups of each size.
constexpr unsigned kClusters = 100, kGroups = 60;
constexpr double kLeastViolation = .02;

// Rounds that an inequality may stay without a multiplier.
constexpr unsigned kIdleRounds = 2;

// A round pays when it closes this part of the gap. Rounds that find few inequalities, or several
// that do not pay, call for more effort: closer to the optimum, further in the search for clusters.
// In the end they are given up.
constexpr double kLeastGain = .01;
constexpr unsigned kFew = 10, kMostEffort = 3;
constexpr unsigned kSeveral = 5, kPatience = 8;

// Steps of the walk in a round, with the least effort; greedy ascents before and after all rounds;
// the largest group of nodes whose acyclic choices are looked at as a whole.
constexpr unsigned kSteps = 1000, kAscents = 2000, kLargestCut = 5;

// A gap that is smaller, in parts of the upper end, is left to the search, which has nothing to do.
constexpr double kNegligible = 1e-5;

// A walk may end this near to the optimum, in parts of the gap; a quarter as near for each degree
// of effort.
constexpr double kTolerance = .1;

// What an entry of the program costs in a step, in sets looked at.
constexpr double kEntryWork = 0.5;

// Weights below this are noise.
constexpr double kLeastWeight = 1e-4;

// An inequality at hand: a cluster, or a group cut if that has nodes.
template <unsigned Words> struct Row {
  Cluster<Words> cluster;
  GroupCut cut;
  double price = 0;      // where the walk stands
  double best_price = 0; // in the round's best dual
  unsigned idle = 0;     // rounds without a multiplier

  double promise() const { return cut.nodes.empty() ? cluster.k : 1; }

  double entry(Node v, const BitSet<Words> &set) const {
    if (cut.nodes.empty())
      return cluster.charges(set);
    const auto place = std::find(cut.nodes.begin(), cut.nodes.end(), v) - cut.nodes.begin();
    return cut
        .charge[static_cast<std::size_t>(place) << cut.nodes.size() | pattern_in(cut.nodes, set)];
  }
};

} // namespace

template <unsigned Words> class RootDual<Words>::Relaxation {
public:
  Relaxation(const CostProblem<Words> &problem, Dual<Words> first, Cost upper, Watch &watch,
             double work_limit)
      : problem_(problem), upper_(upper), watch_(watch), work_limit_(work_limit),
        best_(std::move(first)), bound_(ascend(problem, best_, upper, kAscents, watch)),
        columns_(problem.size()), at_hand_(problem.size()), kept_(problem.size()), mark_(bound_) {
    if (finished())
      return;
    for (const Cluster<Words> &cluster : best_.clusters)
      add(cluster);
    for (const GroupInequality &group : best_.groups)
      add(group);
    for (Node v = 0; v < problem.size(); ++v) {
      at_hand_[v].assign(problem.domains[v].size(), false);
      for (std::uint32_t i = 0; i < problem.domains[v].size() && i < kFirstSets; ++i)
        take(v, i);
    }
    take_network();
    take_good_sets(reduced(best_), gap());
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
  // Walks, evaluates, and looks for inequalities.
  void round() {
    walk();
    evaluate();
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
    const double promise = problem_.units(group.promise[0]);
    if (promise <= 0)
      return;
    GroupCut cut{group.nodes, {}, 0};
    for (const Cost charge : group.charge)
      cut.charge.push_back(problem_.units(charge) / promise);
    add(std::move(cut));
    rows_.back().price = promise;
  }

  void take(Node v, std::uint32_t i) {
    if (at_hand_[v][i])
      return;
    at_hand_[v][i] = true;
    columns_[v].push_back({i, 0});
  }

  // The sets of one network, kept throughout: with them the program has a solution, and no dual of
  // it is unbounded.
  void take_network() {
    const auto enter = [this](unsigned v, const BitSet<Words> &allowed) {
      const std::vector<BitSet<Words>> &sets = problem_.domains[v].set;
      for (std::uint32_t i = 0; i < sets.size(); ++i)
        if (sets[i].inside(allowed)) {
          take(static_cast<Node>(v), i);
          kept_[v] = i;
          return true;
        }
      return false;
    };
    closure(BitSet<Words>(), BitSet<Words>::first(problem_.size()), enter);
  }

  ReducedCosts reduced(const Dual<Words> &dual) const {
    ReducedCosts costs;
    for (Node v = 0; v < problem_.size(); ++v)
      costs.push_back(reduced_costs(problem_, dual, v));
    return costs;
  }

  // Those that come within a fraction of the gap to their node's least reduced cost.
  void take_good_sets(const ReducedCosts &costs, Cost gap) {
    std::vector<std::pair<Cost, std::uint32_t>> good;
    const Cost window = static_cast<Cost>(kGoodWindow * static_cast<double>(gap));
    for (Node v = 0; v < problem_.size(); ++v) {
      const Cost most = *std::min_element(costs[v].begin(), costs[v].end()) + window;
      good.clear();
      for (std::uint32_t i = 0; i < costs[v].size(); ++i)
        if (costs[v][i] <= most && !at_hand_[v][i])
          good.push_back({costs[v][i], i});
      const auto last =
          good.begin() + static_cast<std::ptrdiff_t>(std::min(kMoreSets, good.size()));
      std::partial_sort(good.begin(), last, good.end());
      for (auto set = good.begin(); set != last; ++set)
        take(v, set->second);
    }
  }

  // Lets go of sets without weight that come nowhere near their node's least reduced cost.
  void drop_bad_sets(const ReducedCosts &costs, Cost gap) {
    const Cost window = static_cast<Cost>(kBadWindow * static_cast<double>(gap));
    for (Node v = 0; v < problem_.size(); ++v) {
      if (columns_[v].size() <= kFirstSets)
        continue;
      const std::vector<Cost> &reduced = costs[v];
      std::vector<Cost> at_hand;
      for (const Column &column : columns_[v])
        at_hand.push_back(reduced[column.index]);
      std::nth_element(at_hand.begin(), at_hand.begin() + kFirstSets, at_hand.end());
      const Cost most =
          std::max(at_hand[kFirstSets], *std::min_element(reduced.begin(), reduced.end()) + window);
      const auto bad = [&](const Column &column) {
        return column.weight <= 0 && reduced[column.index] > most && column.index != kept_[v];
      };
      for (const Column &column : columns_[v])
        at_hand_[v][column.index] = !bad(column);
      columns_[v].erase(std::remove_if(columns_[v].begin(), columns_[v].end(), bad),
                        columns_[v].end());
    }
  }

  void walk() {
    const SimplexProgram program = assemble();
    SaddlePoint point;
    for (Node v = 0; v < problem_.size(); ++v)
      for (const Column &column : columns_[v])
        point.x.push_back(column.weight);
    for (const Row<Words> &row : rows_)
      point.y.push_back(row.price);
    point.weight = walk_weight_;
    const double steps =
        optbn::improve(point, program, kSteps * (1 + effort_), tolerance(), watch_);
    work_ += steps * kEntryWork * static_cast<double>(program.value.size());
    walk_weight_ = point.weight;
    std::size_t j = 0;
    for (std::vector<Column> &columns : columns_)
      for (Column &column : columns)
        column.weight = point.x[j++];
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      rows_[r].price = point.y[r];
      rows_[r].best_price = point.best[r];
    }
  }

  Cost gap() const { return std::max<Cost>(upper_ - bound_, 0); }

  double tolerance() const { return kTolerance * problem_.units(gap()) / (1 << 2 * effort_); }

  SimplexProgram assemble() const {
    SimplexProgram program;
    std::vector<std::vector<std::uint32_t>> rows_of(problem_.size());
    for (std::uint32_t r = 0; r < rows_.size(); ++r) {
      rows_[r].cluster.nodes.for_each([&](unsigned v) { rows_of[v].push_back(r); });
      program.rhs.push_back(rows_[r].promise());
    }
    for (Node v = 0; v < problem_.size(); ++v) {
      const CostDomain<Words> &domain = problem_.domains[v];
      for (const Column &column : columns_[v]) {
        for (const std::uint32_t r : rows_of[v]) {
          const double value = rows_[r].entry(v, domain.set[column.index]);
          if (value != 0)
            program.add_entry(r, value);
        }
        program.end_column(problem_.units(domain.cost[column.index]));
      }
      program.end_block();
    }
    return program;
  }

  // Turns the walk's best multipliers into a dual, and chooses sets by its reduced costs.
  void evaluate() {
    Dual<Words> found = in_whole_numbers();
    const ReducedCosts costs = reduced(found);
    work_ += evaluation_work(found);
    Cost bound = promised(found);
    for (const std::vector<Cost> &of_node : costs)
      bound += *std::min_element(of_node.begin(), of_node.end());
    if (bound > bound_) {
      best_ = std::move(found);
      bound_ = bound;
    }
    drop_bad_sets(costs, gap());
    take_good_sets(costs, gap());
  }

  // Every member of a cluster looks at all its sets.
  double evaluation_work(const Dual<Words> &dual) const {
    double sets = 0;
    for (const Cluster<Words> &cluster : dual.clusters)
      cluster.nodes.for_each([&](unsigned v) { sets += problem_.domains[v].size(); });
    return sets;
  }

  void count_idle_rounds() {
    ++idle_rounds_;
    if (static_cast<double>(bound_ - mark_) > kLeastGain * static_cast<double>(upper_ - mark_)) {
      mark_ = bound_;
      idle_rounds_ = 0;
    }
  }

  // Cuts of one group add up to a single charge, whose promise is at least the sum of theirs.
  Dual<Words> in_whole_numbers() const {
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
      const auto [at, fresh] = place.emplace(row.cut.nodes, dual.groups.size());
      if (fresh)
        dual.groups.push_back({row.cut.nodes, std::vector<Cost>(row.cut.charge.size(), 0), {}});
      GroupInequality &group = dual.groups[at->second];
      for (std::size_t j = 0; j < group.charge.size(); ++j)
        group.charge[j] += problem_.cost(price * row.cut.charge[j]);
    }
    for (GroupInequality &group : dual.groups)
      group.settle();
    return dual;
  }

  // 1, unless the multipliers are so large that whole numbers could overflow.
  double safe_scale() const {
    double all = 0;
    for (const Row<Words> &row : rows_) {
      double most = row.promise();
      for (const double charge : row.cut.charge)
        most = std::max(most, std::abs(charge));
      all += row.best_price * most * (1 + row.cluster.nodes.size());
    }
    return std::min(1.0, problem_.units(kNoCost) / all);
  }

  void separate() {
    discard_idle();
    const FractionalNetwork<Words> network = fractional_network();
    const std::size_t before = rows_.size();
    cut_clusters(network);
    cut_groups(network);
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
    network.shares.resize(problem_.size());
    for (Node v = 0; v < problem_.size(); ++v)
      for (const Column &column : columns_[v])
        if (column.weight > kLeastWeight)
          network.shares[v].push_back({problem_.domains[v].set[column.index], column.weight});
    return network;
  }

  void cut_clusters(const FractionalNetwork<Words> &network) {
    unsigned added = 0;
    for (const ViolatedCluster<Words> &violated :
         violated_clusters(network, kLeastViolation, effort_, watch_, work_)) {
      if (added == kClusters)
        return;
      if (known(violated.cluster))
        continue;
      add(violated.cluster);
      ++added;
    }
  }

  bool known(const Cluster<Words> &cluster) const {
    return std::any_of(rows_.begin(), rows_.end(), [&](const Row<Words> &row) {
      return row.cut.nodes.empty() && row.cluster.k == cluster.k &&
             row.cluster.nodes == cluster.nodes;
    });
  }

  // (Of three nodes, clusters say all there is to say.)
  void cut_groups(const FractionalNetwork<Words> &network) {
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
  double work_ = 0; // sets looked at, about
  Dual<Words> best_;
  Cost bound_;                               // of the best dual
  std::vector<std::vector<Column>> columns_; // by node: the sets at hand
  std::vector<std::vector<bool>> at_hand_;
  std::vector<std::uint32_t> kept_; // a set of each node that is never dropped
  std::vector<Row<Words>> rows_;
  double walk_weight_ = 0;
  unsigned effort_ = 0;
  unsigned idle_rounds_ = 0; // since a round paid,
  Cost mark_;                // and the bound then
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
