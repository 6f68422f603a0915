#include "core/structure/bounds/relaxation.h"

#include "core/structure/bounds/closure.h"

#include <algorithm>
#include <map>
#include <utility>

namespace optbn {

namespace {

// A round adds so many of the most violated clusters, and tries so many groups of each size; the
// largest group that is cut.
constexpr unsigned kClusters = 100, kGroups = 60, kLargestCut = 5;
constexpr double kLeastViolation = .02;

// Rounds that an inequality may stay without a multiplier.
constexpr unsigned kIdleRounds = 2;

// The work of an entry of the program in a step, in sets examined.
constexpr double kEntryWork = 0.5;

// Weights below this are noise.
constexpr double kLeastWeight = 1e-4;

} // namespace

template <unsigned Words>
Relaxation<Words>::Relaxation(std::shared_ptr<const CostProblem<Words>> problem,
                              const LimitSource<Words> *limits)
    : problem_(std::move(problem)), limits_(limits), columns_(problem_->size()),
      active_(problem_->size()), permanent_(problem_->size()) {
  for (Node v = 0; v < problem_->size(); ++v)
    active_[v].assign(problem_->domains[v].size(), false);
}

template <unsigned Words> std::size_t Relaxation<Words>::column_count() const {
  std::size_t count = 0;
  for (const std::vector<Column> &columns : columns_)
    count += columns.size();
  return count;
}

// --- columns -------------------------------------------------------------------------------------

template <unsigned Words> void Relaxation<Words>::add_column(Node v, std::uint32_t i) {
  if (active_[v][i])
    return;
  active_[v][i] = true;
  columns_[v].push_back({i});
}

template <unsigned Words> void Relaxation<Words>::add_cheapest_columns(std::size_t of_each) {
  for (Node v = 0; v < problem_->size(); ++v)
    for (std::uint32_t i = 0; i < problem_->domains[v].size() && i < of_each; ++i)
      add_column(v, i);
}

template <unsigned Words> bool Relaxation<Words>::add_columns_of_a_network() {
  const auto add_first_set = [this](unsigned v, const BitSet<Words> &allowed) {
    const std::vector<BitSet<Words>> &sets = problem_->domains[v].set;
    for (std::uint32_t i = 0; i < sets.size(); ++i)
      if (sets[i].inside(allowed)) {
        add_column(static_cast<Node>(v), i);
        permanent_[v] = i;
        return true;
      }
    return false;
  };
  const BitSet<Words> all = BitSet<Words>::first(problem_->size());
  return closure(BitSet<Words>(), all, add_first_set) == all;
}

template <unsigned Words>
void Relaxation<Words>::add_good_columns(const ReducedCosts &costs, Cost window, std::size_t most) {
  std::vector<std::pair<Cost, std::uint32_t>> good;
  for (Node v = 0; v < problem_->size(); ++v) {
    const Cost limit = *std::min_element(costs[v].begin(), costs[v].end()) + window;
    good.clear();
    for (std::uint32_t i = 0; i < costs[v].size(); ++i)
      if (costs[v][i] <= limit && !active_[v][i])
        good.push_back({costs[v][i], i});
    const auto last = good.begin() + static_cast<std::ptrdiff_t>(std::min(most, good.size()));
    std::partial_sort(good.begin(), last, good.end());
    for (auto set = good.begin(); set != last; ++set)
      add_column(v, set->second);
  }
}

template <unsigned Words>
void Relaxation<Words>::drop_bad_columns(const ReducedCosts &costs, Cost window,
                                         std::size_t least) {
  for (Node v = 0; v < problem_->size(); ++v) {
    if (columns_[v].size() <= least)
      continue;
    const std::vector<Cost> &reduced = costs[v];
    std::vector<Cost> of_active;
    for (const Column &column : columns_[v])
      of_active.push_back(reduced[column.index]);
    std::nth_element(of_active.begin(), of_active.begin() + static_cast<std::ptrdiff_t>(least),
                     of_active.end());
    const Cost most =
        std::max(of_active[least], *std::min_element(reduced.begin(), reduced.end()) + window);
    const auto bad = [&](const Column &column) {
      return column.weight <= 0 && !column.basic && reduced[column.index] > most &&
             column.index != permanent_[v];
    };
    for (const Column &column : columns_[v])
      active_[v][column.index] = !bad(column);
    columns_[v].erase(std::remove_if(columns_[v].begin(), columns_[v].end(), bad),
                      columns_[v].end());
  }
}

// --- rows ----------------------------------------------------------------------------------------

template <unsigned Words>
double Relaxation<Words>::Inequality::coefficient(Node v, const BitSet<Words> &set) const {
  if (is_limit())
    return -static_cast<double>(limit.weight_of(v, set));
  if (cut.nodes.empty())
    return cluster.counts(set);
  const auto place = std::find(cut.nodes.begin(), cut.nodes.end(), v) - cut.nodes.begin();
  return cut.coefficient[static_cast<std::size_t>(place) << cut.nodes.size() |
                         pattern_in(cut.nodes, set)];
}

template <unsigned Words> void Relaxation<Words>::add(const Cluster<Words> &cluster, double price) {
  Row row;
  row.inequality = std::make_shared<const Inequality>(Inequality{cluster, {}, {}});
  row.price = price;
  rows_.push_back(std::move(row));
}

template <unsigned Words> void Relaxation<Words>::add(GroupCut cut, double price) {
  Cluster<Words> members;
  for (const Node v : cut.nodes)
    members.nodes.insert(v);
  Row row;
  row.inequality = std::make_shared<const Inequality>(Inequality{members, std::move(cut), {}});
  row.price = price;
  rows_.push_back(std::move(row));
}

template <unsigned Words> void Relaxation<Words>::add(Limit<Words> limit, double price) {
  Cluster<Words> members;
  for (const auto &requirement : limit.requirements)
    members.nodes.insert(requirement.node);
  Row row;
  row.inequality = std::make_shared<const Inequality>(Inequality{members, {}, std::move(limit)});
  row.price = price;
  rows_.push_back(std::move(row));
}

template <unsigned Words> void Relaxation<Words>::add_rows(const Dual<Words> &dual) {
  for (const Cluster<Words> &cluster : dual.clusters)
    add(cluster, problem_->units(cluster.price));
  for (const GroupInequality &group : dual.groups) {
    const double rhs = problem_->units(group.rhs[0]);
    if (rhs <= 0)
      continue;
    GroupCut cut{group.nodes, {}, 0};
    for (const Cost coefficient : group.coefficient)
      cut.coefficient.push_back(problem_->units(coefficient) / rhs);
    add(std::move(cut), rhs);
  }
  for (const Limit<Words> &limit : dual.limits)
    add(limit, problem_->units(limit.price));
}

template <unsigned Words> std::size_t Relaxation<Words>::separate(unsigned effort, Watch &watch) {
  discard_idle();
  const FractionalNetwork<Words> network = weights();
  const std::size_t before = rows_.size();
  add_violated_clusters(network, effort, watch);
  add_violated_groups(network, watch);
  if (limits_)
    add_violated_limits(network, watch);
  return rows_.size() - before;
}

// (A row whose surplus is not basic is part of the basis.)
template <unsigned Words> void Relaxation<Words>::discard_idle() {
  for (Row &row : rows_)
    row.idle = row.price > 0 || row.best_price > 0 ? 0 : row.idle + 1;
  rows_.erase(std::remove_if(rows_.begin(), rows_.end(),
                             [](const Row &row) { return row.idle >= kIdleRounds && row.basic; }),
              rows_.end());
}

template <unsigned Words> FractionalNetwork<Words> Relaxation<Words>::weights() const {
  FractionalNetwork<Words> network;
  network.support.resize(problem_->size());
  for (Node v = 0; v < problem_->size(); ++v)
    for (const Column &column : columns_[v])
      if (column.weight > kLeastWeight)
        network.support[v].push_back({problem_->domains[v].set[column.index], column.weight});
  return network;
}

template <unsigned Words>
void Relaxation<Words>::add_violated_clusters(const FractionalNetwork<Words> &network,
                                              unsigned effort, Watch &watch) {
  unsigned added = 0;
  for (const ViolatedCluster<Words> &violated :
       violated_clusters(network, kLeastViolation, effort, watch, work_)) {
    if (added == kClusters)
      return;
    if (is_row(violated.cluster))
      continue;
    add(violated.cluster, 0);
    ++added;
  }
}

template <unsigned Words> bool Relaxation<Words>::is_row(const Cluster<Words> &cluster) const {
  return std::any_of(rows_.begin(), rows_.end(), [&](const Row &row) {
    const Inequality &inequality = *row.inequality;
    return inequality.is_cluster() && inequality.cluster.k == cluster.k &&
           inequality.cluster.nodes == cluster.nodes;
  });
}

// (Of three nodes, clusters imply all valid inequalities.)
template <unsigned Words>
void Relaxation<Words>::add_violated_groups(const FractionalNetwork<Words> &network, Watch &watch) {
  const unsigned most = std::min<unsigned>(kLargestCut, problem_->size());
  for (unsigned size = 4; size <= most; ++size)
    for (const std::vector<Node> &group : close_groups(network, size, kGroups, random_)) {
      if (watch.stopped())
        return;
      GroupCut cut = violated_cut(*problem_, network, group, kLeastViolation);
      if (!cut.nodes.empty())
        add(std::move(cut), 0);
    }
}

template <unsigned Words>
void Relaxation<Words>::add_violated_limits(const FractionalNetwork<Words> &network, Watch &watch) {
  for (Limit<Words> &limit : limits_->violated(network, random_, work_, watch)) {
    const auto same = [&](const Row &row) { return row.inequality->limit == limit; };
    if (std::none_of(rows_.begin(), rows_.end(), same))
      add(std::move(limit), 0);
  }
}

// --- optimising ----------------------------------------------------------------------------------

template <unsigned Words> SimplexProgram Relaxation<Words>::assemble() const {
  SimplexProgram program;
  std::vector<std::vector<std::uint32_t>> rows_of(problem_->size());
  for (std::uint32_t r = 0; r < rows_.size(); ++r) {
    rows_[r].inequality->cluster.nodes.for_each([&](unsigned v) { rows_of[v].push_back(r); });
    program.rhs.push_back(rows_[r].inequality->rhs());
  }
  for (Node v = 0; v < problem_->size(); ++v) {
    const CostDomain<Words> &domain = problem_->domains[v];
    for (const Column &column : columns_[v]) {
      for (const std::uint32_t r : rows_of[v]) {
        const double value = rows_[r].inequality->coefficient(v, domain.set[column.index]);
        if (value != 0)
          program.add_entry(r, value);
      }
      program.end_column(problem_->units(domain.cost[column.index]));
    }
    program.end_block();
  }
  return program;
}

template <unsigned Words>
void Relaxation<Words>::approach(unsigned steps, double tolerance, Watch &watch) {
  const SimplexProgram program = assemble();
  PrimalDualIterate iterate;
  for (Node v = 0; v < problem_->size(); ++v)
    for (const Column &column : columns_[v])
      iterate.x.push_back(column.weight);
  for (const Row &row : rows_)
    iterate.y.push_back(row.price);
  iterate.weight = primal_weight_;
  const double taken = primal_dual_hybrid_gradient(iterate, program, steps, tolerance, watch);
  work_ += taken * kEntryWork * static_cast<double>(program.value.size());
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

template <unsigned Words> DualSimplex Relaxation<Words>::simplex() const {
  std::vector<std::uint32_t> basis;
  std::uint32_t j = 0;
  for (const std::vector<Column> &columns : columns_)
    for (const Column &column : columns) {
      if (column.basic)
        basis.push_back(j);
      ++j;
    }
  for (const Row &row : rows_) {
    if (row.basic)
      basis.push_back(j);
    ++j;
  }
  return DualSimplex(assemble(), basis);
}

template <unsigned Words> void Relaxation<Words>::take(const DualSimplex &simplex) {
  const std::vector<double> weights = simplex.weights(), prices = simplex.prices();
  std::uint32_t j = 0;
  for (std::vector<Column> &columns : columns_)
    for (Column &column : columns) {
      column.weight = weights[j];
      column.basic = simplex.is_basic(j);
      ++j;
    }
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    rows_[r].price = rows_[r].best_price = prices[r];
    rows_[r].basic = simplex.is_basic(j++);
  }
}

// Cuts of one group add up to a single inequality, whose right-hand side is at least the sum of
// theirs.
template <unsigned Words> Dual<Words> Relaxation<Words>::dual() const {
  Dual<Words> dual;
  std::map<std::vector<Node>, std::size_t> place;
  const double scale = safe_scale();
  for (const Row &row : rows_) {
    const auto &[cluster, cut, limit] = *row.inequality;
    const double price = row.best_price * scale;
    if (problem_->cost(price) <= 0)
      continue;
    if (row.inequality->is_limit()) {
      dual.limits.push_back(limit);
      dual.limits.back().price = problem_->cost(price);
      continue;
    }
    if (cut.nodes.empty()) {
      dual.clusters.push_back({cluster.nodes, cluster.k, problem_->cost(price)});
      continue;
    }
    const auto [at, is_new] = place.emplace(cut.nodes, dual.groups.size());
    if (is_new)
      dual.groups.push_back({cut.nodes, std::vector<Cost>(cut.coefficient.size(), 0), {}});
    GroupInequality &group = dual.groups[at->second];
    for (std::size_t j = 0; j < group.coefficient.size(); ++j)
      group.coefficient[j] += problem_->cost(price * cut.coefficient[j]);
  }
  for (GroupInequality &group : dual.groups)
    group.compute_rhs();
  return dual;
}

// 1, unless the multipliers are so large that whole numbers could overflow.
template <unsigned Words> double Relaxation<Words>::safe_scale() const {
  double all = 0;
  for (const Row &row : rows_) {
    double most = std::abs(row.inequality->rhs());
    for (const double coefficient : row.inequality->cut.coefficient)
      most = std::max(most, std::abs(coefficient));
    for (const auto &requirement : row.inequality->limit.requirements)
      most = std::max(most, 1.0 * requirement.weight * row.inequality->limit.requirements.size());
    all += row.best_price * most * (1 + row.inequality->cluster.nodes.size());
  }
  return std::min(1.0, problem_->units(kNoCost) / all);
}

template <unsigned Words>
typename Relaxation<Words>::ReducedCosts Relaxation<Words>::reduced(const Dual<Words> &dual) const {
  ReducedCosts costs;
  for (Node v = 0; v < problem_->size(); ++v)
    costs.push_back(reduced_costs(*problem_, dual, v));
  return costs;
}

template <unsigned Words> double Relaxation<Words>::evaluation_work(const Dual<Words> &dual) const {
  double sets = 0;
  for (const Cluster<Words> &cluster : dual.clusters)
    cluster.nodes.for_each(
        [&](unsigned v) { sets += static_cast<double>(problem_->domains[v].size()); });
  return sets;
}

template <unsigned Words>
Cost Relaxation<Words>::bound(const Dual<Words> &dual, const ReducedCosts &costs) const {
  Cost bound = constant_term(dual);
  for (const std::vector<Cost> &of_node : costs)
    bound += *std::min_element(of_node.begin(), of_node.end());
  return bound;
}

// --- restriction ---------------------------------------------------------------------------------

template <unsigned Words> bool Relaxation<Words>::restrict_to(const Marks &marked) {
  auto rest = std::make_shared<CostProblem<Words>>();
  rest->bits = problem_->bits;
  rest->ideal = problem_->ideal;
  rest->domains.resize(problem_->size());
  std::vector<std::uint32_t> number;
  for (Node v = 0; v < problem_->size(); ++v) {
    const CostDomain<Words> &from = problem_->domains[v];
    CostDomain<Words> &to = rest->domains[v];
    number.assign(from.size(), 0);
    for (std::uint32_t i = 0; i < from.size(); ++i)
      if (marked[v][i]) {
        number[i] = static_cast<std::uint32_t>(to.size());
        to.cost.push_back(from.cost[i]);
        to.set.push_back(from.set[i]);
        to.index.push_back(from.index[i]);
      }
    std::vector<Column> columns;
    active_[v].assign(to.size(), false);
    for (Column &column : columns_[v])
      if (marked[v][column.index]) {
        column.index = number[column.index];
        active_[v][column.index] = true;
        columns.push_back(column);
      }
    columns_[v].swap(columns);
  }
  problem_ = std::move(rest);
  return add_columns_of_a_network();
}

template <unsigned Words> typename Relaxation<Words>::Marks Relaxation<Words>::basic_sets() const {
  Marks basic(problem_->size());
  for (Node v = 0; v < problem_->size(); ++v) {
    basic[v].assign(problem_->domains[v].size(), false);
    for (const Column &column : columns_[v])
      basic[v][column.index] = column.basic;
  }
  return basic;
}

#define OPTBN_INSTANTIATE(words) template class Relaxation<words>;
OPTBN_FOR_EACH_WIDTH(OPTBN_INSTANTIATE)
#undef OPTBN_INSTANTIATE

} // namespace optbn
