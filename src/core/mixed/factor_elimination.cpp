#include "core/mixed/factor_elimination.h"

#include "core/base/log_sum.h"
#include "core/graph/greedy_order.h"
#include "core/graph/tree_decomposition.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace optbn {

namespace {

// The graph in which the nodes of each factor, and those that are kept, are joined with each other.
UndirectedGraph graph_of(const std::vector<std::vector<Node>> &cliques, Node nodes) {
  UndirectedGraph graph;
  graph.neighbours.resize(nodes);
  for (const std::vector<Node> &clique : cliques)
    for (const Node v : clique)
      for (const Node w : clique)
        if (v != w)
          graph.neighbours[v].push_back(w);
  for (std::vector<Node> &around : graph.neighbours) {
    std::sort(around.begin(), around.end());
    around.erase(std::unique(around.begin(), around.end()), around.end());
  }
  return graph;
}

double log_cells(const UndirectedGraph &graph, const std::vector<Node> &order,
                 const std::vector<double> &log_levels) {
  EliminationGraph left(graph, log_levels);
  double sum = kLogZero;
  for (const Node v : order) {
    sum = log_add(sum, left.log_cells(v));
    left.eliminate(v);
  }
  return sum;
}

// An order of all nodes of the factors but those that are kept.
std::vector<Node> good_order(const std::vector<LogFactor> &factors,
                             const std::vector<unsigned> &levels, const std::vector<Node> &kept,
                             Watch &watch) {
  std::map<Node, Node> number; // among the nodes of factors
  std::vector<Node> nodes;
  std::vector<double> log_levels;
  std::vector<std::vector<Node>> cliques;
  const auto add = [&](const std::vector<Node> &members) {
    cliques.emplace_back();
    for (const Node v : members) {
      const auto [at, is_new] = number.emplace(v, static_cast<Node>(nodes.size()));
      if (is_new) {
        nodes.push_back(v);
        log_levels.push_back(std::log(levels[v]));
      }
      cliques.back().push_back(at->second);
    }
  };
  for (const LogFactor &factor : factors)
    add(factor.nodes);
  add(kept);
  const UndirectedGraph graph = graph_of(cliques, static_cast<Node>(nodes.size()));
  std::vector<Node> best;
  double fewest = 0;
  for (const GreedyRule rule : {GreedyRule::fill, GreedyRule::cells}) {
    Random random(0);
    std::vector<Node> order =
        greedy_order(EliminationGraph(graph, log_levels), rule, 0, random, watch);
    order.erase(std::remove_if(order.begin(), order.end(),
                               [&](Node v) {
                                 return std::find(kept.begin(), kept.end(), nodes[v]) != kept.end();
                               }),
                order.end());
    const double cells = log_cells(graph, order, log_levels);
    if (best.empty() || cells < fewest) {
      fewest = cells;
      best = std::move(order);
    }
  }
  for (Node &v : best)
    v = nodes[v];
  return best;
}

} // namespace

FactorElimination::FactorElimination(std::vector<LogFactor> factors,
                                     const std::vector<unsigned> &levels,
                                     const std::vector<Node> &kept, double memory_limit,
                                     Watch &watch)
    : factors_(std::move(factors)), levels_(levels) {
  const std::vector<Node> order = good_order(factors_, levels, kept, watch);
  buckets_.resize(order.size() + 1);
  buckets_.back().members = kept;
  place_factors(order);
  if (bytes() > memory_limit)
    throw MemoryLimit(bytes(), memory_limit);
}

// Factors and messages go to the bucket of that of their nodes which is eliminated first.
void FactorElimination::place_factors(const std::vector<Node> &order) {
  const std::size_t root = order.size();
  std::map<Node, std::size_t> rank;
  for (std::size_t i = 0; i < order.size(); ++i)
    rank[order[i]] = i;
  const auto bucket_of = [&](const std::vector<Node> &nodes) {
    std::size_t first = root;
    for (const Node v : nodes)
      if (const auto at = rank.find(v); at != rank.end())
        first = std::min(first, at->second);
    return first;
  };
  for (std::size_t f = 0; f < factors_.size(); ++f)
    buckets_[bucket_of(factors_[f].nodes)].factors.push_back(f);
  for (std::size_t i = 0; i < root; ++i) {
    Bucket &bucket = buckets_[i];
    std::vector<Node> others;
    for (const std::size_t f : bucket.factors)
      others.insert(others.end(), factors_[f].nodes.begin(), factors_[f].nodes.end());
    for (const std::size_t child : bucket.children)
      others.insert(others.end(), buckets_[child].members.begin() + 1,
                    buckets_[child].members.end());
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    others.erase(std::remove(others.begin(), others.end(), order[i]), others.end());
    bucket.members = {order[i]};
    bucket.members.insert(bucket.members.end(), others.begin(), others.end());
    bucket.first_levels = levels_[order[i]];
    buckets_[bucket_of(others)].children.push_back(i);
  }
}

// Tables and messages, and as much again for the way back.
double FactorElimination::bytes() const {
  double cells = 0;
  for (const Bucket &bucket : buckets_)
    cells += 2 * cells_of(bucket.members, levels_) * (1 + 1.0 / bucket.first_levels);
  return cells * sizeof(double);
}

std::vector<Node> FactorElimination::separator(const Bucket &bucket) const {
  return {bucket.members.begin() + 1, bucket.members.end()};
}

void FactorElimination::fill(Bucket &bucket, Watch &watch) const {
  CellWalk walk(bucket.members, levels_);
  std::vector<const double *> logs;
  for (const std::size_t f : bucket.factors) {
    walk.follow(factors_[f].nodes, levels_);
    logs.push_back(factors_[f].logs.data());
  }
  for (const std::size_t child : bucket.children) {
    walk.follow(separator(buckets_[child]), levels_);
    logs.push_back(buckets_[child].message.data());
  }
  bucket.table.resize(walk.cells());
  for (std::size_t c = 0; c < walk.cells(); ++c, walk.next()) {
    double sum = 0;
    for (std::size_t k = 0; k < logs.size(); ++k)
      sum += logs[k][walk.at(k)];
    bucket.table[c] = sum;
    if (c % kCellsPerPoll == kCellsPerPoll - 1)
      throw_if_stopped(watch);
  }
}

double FactorElimination::collect(Reduction reduction, Watch &watch) {
  const auto reduced = [&](const double *logs, std::size_t size) {
    return reduction == Reduction::sum ? log_sum_exp(logs, size)
                                       : *std::max_element(logs, logs + size);
  };
  for (std::size_t i = 0; i + 1 < buckets_.size(); ++i) {
    Bucket &bucket = buckets_[i];
    fill(bucket, watch);
    bucket.message.resize(bucket.table.size() / bucket.first_levels);
    for (std::size_t s = 0; s < bucket.message.size(); ++s)
      bucket.message[s] =
          reduced(bucket.table.data() + s * bucket.first_levels, bucket.first_levels);
    throw_if_stopped(watch);
  }
  fill(buckets_.back(), watch);
  return total_ = reduced(buckets_.back().table.data(), buckets_.back().table.size());
}

std::vector<double> FactorElimination::joint() const {
  std::vector<double> probability;
  for (const double log : buckets_.back().table)
    probability.push_back(std::exp(log - total_));
  return probability;
}

std::vector<std::vector<double>> FactorElimination::marginals() const {
  std::vector<std::vector<double>> of_node(levels_.size()), belief(buckets_.size());
  belief.back() = joint();
  for (std::size_t i = buckets_.size(); i-- > 0;) {
    const Bucket &bucket = buckets_[i];
    CellWalk walk(bucket.members, levels_);
    for (const std::size_t child : bucket.children)
      walk.follow(separator(buckets_[child]), levels_);
    for (const std::size_t child : bucket.children)
      belief[child].assign(buckets_[child].message.size(), 0);
    std::vector<std::vector<double>> sums;
    for (const Node v : bucket.members)
      sums.emplace_back(levels_[v], 0);
    for (std::size_t c = 0; c < belief[i].size(); ++c, walk.next()) {
      for (std::size_t k = 0; k < bucket.children.size(); ++k)
        belief[bucket.children[k]][walk.at(k)] += belief[i][c];
      for (std::size_t m = 0; m < sums.size(); ++m)
        sums[m][walk.level(m)] += belief[i][c];
    }
    if (i + 1 == buckets_.size())
      for (std::size_t m = 0; m < sums.size(); ++m)
        of_node[bucket.members[m]] = sums[m];
    else
      of_node[bucket.members[0]] = sums[0];
    for (const std::size_t child : bucket.children) { // from its separator to its members
      const Bucket &of = buckets_[child];
      std::vector<double> whole(of.table.size());
      for (std::size_t c = 0; c < whole.size(); ++c) {
        const std::size_t s = c / of.first_levels;
        const double share = belief[child][s];
        whole[c] = share > 0 ? share * std::exp(of.table[c] - of.message[s]) : 0;
      }
      belief[child] = std::move(whole);
    }
    belief[i].clear();
    belief[i].shrink_to_fit();
  }
  return of_node;
}

// From the last bucket to the first: the level of each node given those of the nodes left after it.
template <class Choose>
void FactorElimination::choose(std::vector<std::uint16_t> &level, Choose choose_level) const {
  for (std::size_t i = buckets_.size() - 1; i-- > 0;) {
    const Bucket &bucket = buckets_[i];
    std::size_t cell = 0, stride = bucket.first_levels;
    for (std::size_t m = 1; m < bucket.members.size(); ++m) {
      cell += stride * level[bucket.members[m]];
      stride *= levels_[bucket.members[m]];
    }
    level[bucket.members[0]] =
        static_cast<std::uint16_t>(choose_level(bucket.table.data() + cell, bucket.first_levels));
  }
}

void FactorElimination::draw(Random &random, std::vector<std::uint16_t> &level) const {
  choose(level, [&](const double *logs, unsigned levels) {
    const double total = log_sum_exp(logs, levels);
    return draw_by_weight(random.uniform(), levels,
                          [=](std::size_t i) { return std::exp(logs[i] - total); });
  });
}

void FactorElimination::most_probable(std::vector<std::uint16_t> &level) const {
  choose(level, [](const double *logs, unsigned levels) {
    return static_cast<std::size_t>(std::max_element(logs, logs + levels) - logs);
  });
}

} // namespace optbn
