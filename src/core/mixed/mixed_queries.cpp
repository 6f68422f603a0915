#include "core/mixed/mixed_queries.h"

#include "core/base/log_sum.h"
#include "core/mixed/factor_elimination.h"
#include "core/mixed/forward_moments.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace optbn {

namespace {

using Reduction = FactorElimination::Reduction;

constexpr double kMostListed = 1 << 10; // configurations; more are averaged over one by one

// ---- which local models count -------------------------------------------------------------------

bool is_known(const MixedQuery &query, Node v) {
  return query.network.discrete(v) ? query.evidence.levels.observed(v)
                                   : !std::isnan(query.evidence.values[v]);
}

std::vector<Node> family_of(const MixedNetwork &network, Node v) {
  std::vector<Node> family = {v};
  const NodeModel &model = network.nodes[v];
  family.insert(family.end(), model.discrete.begin(), model.discrete.end());
  family.insert(family.end(), model.continuous.begin(), model.continuous.end());
  return family;
}

// Those that are asked for, those with evidence, and the ancestors of both.
std::vector<char> relevant_families(const MixedQuery &query, const std::vector<Node> &asked) {
  std::vector<char> relevant(query.network.size(), false);
  std::vector<Node> pending = asked;
  for (Node v = 0; v < query.network.size(); ++v)
    if (is_known(query, v) || query.evidence.levels.has_evidence(v))
      pending.push_back(v);
  while (!pending.empty()) {
    const Node v = pending.back();
    pending.pop_back();
    if (relevant[v])
      continue;
    relevant[v] = true;
    for (const Node parent : family_of(query.network, v))
      pending.push_back(parent);
  }
  return relevant;
}

// Of the relevant families those that unknown nodes connect with the asked ones.
std::vector<char> connected_families(const MixedQuery &query, const std::vector<char> &relevant,
                                     const std::vector<Node> &asked) {
  std::vector<std::vector<Node>> families_with(query.network.size());
  for (Node v = 0; v < query.network.size(); ++v)
    if (relevant[v])
      for (const Node u : family_of(query.network, v))
        families_with[u].push_back(v);
  std::vector<char> connected(query.network.size(), false), reached(query.network.size(), false);
  std::vector<Node> pending = asked;
  while (!pending.empty()) {
    const Node u = pending.back();
    pending.pop_back();
    if (reached[u] || is_known(query, u))
      continue;
    reached[u] = true;
    for (const Node v : families_with[u])
      if (!connected[v]) {
        connected[v] = true;
        for (const Node w : family_of(query.network, v))
          pending.push_back(w);
      }
  }
  return connected;
}

// ---- what is left to the discrete nodes ---------------------------------------------------------

double total(const AbsorbedNetwork &absorbed, const MixedQuery &query) {
  FactorElimination elimination(absorbed.factors, query.network.levels, {}, query.memory_limit,
                                query.watch);
  return absorbed.log_constant + elimination.collect(Reduction::sum, query.watch);
}

// The tables of discrete nodes, and their evidence, alone.
double log_probability_of_levels(const MixedQuery &query) {
  const MixedEvidence evidence{
      query.evidence.levels,
      std::vector<double>(query.network.size(), std::numeric_limits<double>::quiet_NaN())};
  const MixedQuery discrete{query.network, evidence, query.memory_limit, query.watch};
  return log_density(discrete);
}

bool holds_zeros(const MixedNetwork &network, const std::vector<char> &families) {
  for (Node v = 0; v < network.size(); ++v)
    if (families[v] && network.discrete(v) &&
        std::find(network.nodes[v].table.begin(), network.nodes[v].table.end(), 0.0) !=
            network.nodes[v].table.end())
      return true;
  return false;
}

// Evidence is impossible only among discrete nodes, and without a 0 in their tables hardly there.
void require_possible(const MixedQuery &query, const std::vector<char> &relevant) {
  if ((holds_zeros(query.network, relevant) || !query.evidence.levels.likelihoods().empty()) &&
      log_probability_of_levels(query) == kLogZero)
    throw ImpossibleEvidence();
}

AbsorbedNetwork absorb_for(const MixedQuery &query, const std::vector<Node> &asked) {
  const std::vector<char> relevant = relevant_families(query, asked);
  require_possible(query, relevant);
  return absorb(query.network, query.evidence, connected_families(query, relevant, asked),
                query.memory_limit, query.watch);
}

// Factors without tables that sum to 1, as no other factor has their node, and without those that
// other factors do not connect with these nodes.
std::vector<LogFactor> factors_about(const AbsorbedNetwork &absorbed,
                                     const std::vector<Node> &nodes, std::size_t network_size) {
  const std::vector<LogFactor> &factors = absorbed.factors;
  std::vector<std::size_t> uses(network_size, 0);
  std::vector<std::vector<std::size_t>> factors_with(network_size);
  for (std::size_t f = 0; f < factors.size(); ++f)
    for (const Node v : factors[f].nodes) {
      ++uses[v];
      factors_with[v].push_back(f);
    }
  for (const Node v : nodes)
    ++uses[v];
  std::vector<char> left_out(factors.size(), false);
  std::vector<std::size_t> pending(factors.size());
  for (std::size_t f = 0; f < pending.size(); ++f)
    pending[f] = f;
  while (!pending.empty()) {
    const std::size_t f = pending.back();
    pending.pop_back();
    const std::int32_t node = absorbed.table_of[f];
    if (left_out[f] || node == AbsorbedNetwork::kNoTable ||
        uses[static_cast<std::size_t>(node)] > 1)
      continue;
    left_out[f] = true;
    for (const Node v : factors[f].nodes) {
      --uses[v];
      pending.insert(pending.end(), factors_with[v].begin(), factors_with[v].end());
    }
  }
  std::vector<LogFactor> about;
  std::vector<Node> reached = nodes;
  while (!reached.empty()) {
    const Node v = reached.back();
    reached.pop_back();
    for (const std::size_t f : factors_with[v])
      if (!left_out[f]) {
        left_out[f] = true;
        about.push_back(factors[f]);
        reached.insert(reached.end(), factors[f].nodes.begin(), factors[f].nodes.end());
      }
  }
  return about;
}

std::vector<double> joint_of(const AbsorbedNetwork &absorbed, const std::vector<Node> &nodes,
                             const MixedQuery &query) {
  FactorElimination elimination(factors_about(absorbed, nodes, query.network.size()),
                                query.network.levels, nodes, query.memory_limit, query.watch);
  if (elimination.collect(Reduction::sum, query.watch) == kLogZero)
    throw ImpossibleEvidence();
  return elimination.joint();
}

// ---- continuous nodes ---------------------------------------------------------------------------

// The regressions of these nodes and of their ancestors, parents first.
std::vector<const ConditionalNormal *> regressions_above(const AbsorbedNetwork &absorbed,
                                                         const std::vector<Node> &nodes) {
  std::set<Node> needed(nodes.begin(), nodes.end());
  std::vector<const ConditionalNormal *> above;
  for (auto normal = absorbed.normals.rbegin(); normal != absorbed.normals.rend(); ++normal)
    if (needed.count(normal->node)) {
      above.push_back(&*normal);
      needed.insert(normal->continuous.begin(), normal->continuous.end());
    }
  std::reverse(above.begin(), above.end());
  return above;
}

// Regressions, parents first, as sums of independent disturbances: node i is its mean and the sum
// of so much of the own disturbance of each of the nodes 0..i.
class Disturbances {
public:
  explicit Disturbances(std::vector<const ConditionalNormal *> regressions)
      : regressions_(std::move(regressions)), mean_(regressions_.size()),
        weight_(regressions_.size() * regressions_.size()) {
    for (const ConditionalNormal *regression : regressions_) {
      parents_.emplace_back();
      for (const Node parent : regression->continuous)
        parents_.back().push_back(position(parent));
    }
  }

  std::size_t size() const { return regressions_.size(); }
  const ConditionalNormal &regression(std::size_t i) const { return *regressions_[i]; }
  std::size_t position(Node v) const {
    std::size_t i = 0;
    while (regressions_[i]->node != v)
      ++i;
    return i;
  }

  // Of the i-th node in this configuration of its discrete parents, after all before it.
  void set(std::size_t i, std::size_t configuration) {
    const ConditionalNormal &normal = *regressions_[i];
    const double *numbers = normal.numbers.data() + configuration * normal.stride();
    mean_[i] = numbers[0];
    double *own = row(i);
    std::fill(own, own + i, 0.0);
    for (std::size_t j = 0; j < parents_[i].size(); ++j) {
      const std::size_t parent = parents_[i][j];
      const double slope = numbers[j + 1];
      mean_[i] += slope * mean_[parent];
      const double *of_parent = row(parent);
      for (std::size_t k = 0; k <= parent; ++k)
        own[k] += slope * of_parent[k];
    }
    own[i] = numbers[normal.stride() - 1];
  }

  double mean(std::size_t i) const { return mean_[i]; }
  double covariance(std::size_t i, std::size_t j) const {
    double sum = 0;
    for (std::size_t k = 0; k <= std::min(i, j); ++k)
      sum += row(i)[k] * row(j)[k];
    return sum;
  }

private:
  double *row(std::size_t i) { return weight_.data() + i * size(); }
  const double *row(std::size_t i) const { return weight_.data() + i * size(); }

  std::vector<const ConditionalNormal *> regressions_;
  std::vector<std::vector<std::size_t>> parents_;
  std::vector<double> mean_, weight_;
};

std::vector<Node> with_discrete_parents(std::vector<Node> nodes,
                                        const std::vector<const ConditionalNormal *> &regressions) {
  std::set<Node> all(nodes.begin(), nodes.end());
  for (const ConditionalNormal *regression : regressions)
    for (const Node v : regression->discrete)
      if (all.insert(v).second)
        nodes.push_back(v);
  return nodes;
}

// visit(walk, probability, disturbances) for each possible configuration of the discrete nodes:
// those of `first`, and those that the continuous nodes depend on.
template <class Visit>
void for_each_configuration(const AbsorbedNetwork &absorbed, const std::vector<Node> &first,
                            const std::vector<Node> &continuous, const MixedQuery &query,
                            Visit visit) {
  const auto regressions = regressions_above(absorbed, continuous);
  const std::vector<Node> domain = with_discrete_parents(first, regressions);
  const std::vector<double> probability = joint_of(absorbed, domain, query);
  CellWalk walk(domain, query.network.levels);
  for (const ConditionalNormal *regression : regressions)
    walk.follow(regression->discrete, query.network.levels);
  Disturbances disturbances(regressions);
  for (std::size_t cell = 0; cell < walk.cells(); ++cell, walk.next()) {
    if (cell % kCellsPerPoll == kCellsPerPoll - 1)
      throw_if_stopped(query.watch);
    if (probability[cell] == 0)
      continue;
    for (std::size_t i = 0; i < regressions.size(); ++i)
      disturbances.set(i, walk.at(i));
    visit(walk, probability[cell], disturbances);
  }
}

// Mean and standard deviation of a mixture.
class MixtureMoments {
public:
  void add(double weight, double mean, double variance) {
    const double away = mean - mean_;
    total_ += weight;
    mean_ += away * weight / total_;
    square_ += weight * (variance + away * (mean - mean_));
  }
  double mean() const { return mean_; }
  double sd() const { return std::sqrt(square_ / total_); }

private:
  double total_ = 0, mean_ = 0, square_ = 0;
};

NodePosterior moments_of(const AbsorbedNetwork &absorbed, Node node, const MixedQuery &query) {
  const auto regressions = regressions_above(absorbed, {node});
  if (cells_of(with_discrete_parents({}, regressions), query.network.levels) > kMostListed) {
    const auto joint = [&](const std::vector<Node> &nodes) {
      return joint_of(absorbed, nodes, query);
    };
    const Moments moments = forward_moments(regressions, absorbed.factors, query.network.levels,
                                            joint, query.memory_limit, query.watch);
    return {{}, moments.mean, moments.sd};
  }
  MixtureMoments moments;
  for_each_configuration(absorbed, {}, {node}, query,
                         [&](const CellWalk &, double weight, const Disturbances &normal) {
                           const std::size_t at = normal.size() - 1;
                           moments.add(weight, normal.mean(at), normal.covariance(at, at));
                         });
  return {{}, moments.mean(), moments.sd()};
}

// ---- rows ---------------------------------------------------------------------------------------

MixedRow known_row(const MixedQuery &query) {
  MixedRow row{std::vector<std::uint16_t>(query.network.size(), 0), query.evidence.values};
  for (Node v = 0; v < query.network.size(); ++v)
    if (query.evidence.levels.observed(v))
      row.levels[v] = static_cast<std::uint16_t>(query.evidence.levels.level(v));
  return row;
}

// The values of the unknown continuous nodes, whose levels the row has; `noise` times its standard
// deviation is added to each.
template <class Noise>
void fill_values(const AbsorbedNetwork &absorbed, const std::vector<unsigned> &levels,
                 MixedRow &row, Noise noise) {
  for (const ConditionalNormal &normal : absorbed.normals) {
    std::size_t cell = 0, stride = 1;
    for (const Node v : normal.discrete) {
      cell += stride * row.levels[v];
      stride *= levels[v];
    }
    const double *numbers = normal.numbers.data() + cell * normal.stride();
    double value = numbers[0];
    for (std::size_t j = 0; j < normal.continuous.size(); ++j)
      value += numbers[j + 1] * row.values[normal.continuous[j]];
    row.values[normal.node] = value + noise() * numbers[normal.stride() - 1];
  }
}

AbsorbedNetwork absorb_all(const MixedQuery &query) {
  return absorb(query.network, query.evidence, std::vector<char>(query.network.size(), true),
                query.memory_limit, query.watch);
}

} // namespace

double log_density(const MixedQuery &query) {
  return total(absorb(query.network, query.evidence, relevant_families(query, {}),
                      query.memory_limit, query.watch),
               query);
}

std::vector<double> joint_levels(const MixedQuery &query, const std::vector<Node> &nodes) {
  return joint_of(absorb_for(query, nodes), nodes, query);
}

MixtureComponents joint_mixture(const MixedQuery &query, const std::vector<Node> &discrete,
                                const std::vector<Node> &continuous) {
  std::vector<Node> asked = discrete;
  asked.insert(asked.end(), continuous.begin(), continuous.end());
  const AbsorbedNetwork absorbed = absorb_for(query, asked);
  const auto regressions = regressions_above(absorbed, continuous);
  const double size = static_cast<double>(continuous.size()),
               numbers =
                   (1 + size + size * size) *
                   cells_of(with_discrete_parents(discrete, regressions), query.network.levels);
  if (numbers * sizeof(double) > query.memory_limit)
    throw MemoryLimit(numbers * sizeof(double), query.memory_limit);
  MixtureComponents found;
  std::vector<std::size_t> at;
  for_each_configuration(absorbed, discrete, continuous, query,
                         [&](const CellWalk &walk, double weight, const Disturbances &normal) {
                           if (at.empty())
                             for (const Node v : continuous)
                               at.push_back(normal.position(v));
                           found.weights.push_back(weight);
                           for (std::size_t i = 0; i < discrete.size(); ++i)
                             found.levels.push_back(static_cast<std::uint16_t>(walk.level(i)));
                           for (const std::size_t i : at)
                             found.means.push_back(normal.mean(i));
                           for (const std::size_t i : at)
                             for (const std::size_t j : at)
                               found.covariances.push_back(normal.covariance(i, j));
                         });
  return found;
}

NodePosterior posterior_of(const MixedQuery &query, Node node) {
  const AbsorbedNetwork absorbed = absorb_for(query, {node});
  if (query.network.discrete(node))
    return {joint_of(absorbed, {node}, query), 0, 0};
  return moments_of(absorbed, node, query);
}

std::vector<NodePosterior> each_posterior(const MixedQuery &query) {
  const AbsorbedNetwork absorbed = absorb_all(query);
  FactorElimination elimination(absorbed.factors, query.network.levels, {}, query.memory_limit,
                                query.watch);
  if (absorbed.log_constant + elimination.collect(Reduction::sum, query.watch) == kLogZero)
    throw ImpossibleEvidence();
  const std::vector<std::vector<double>> marginals = elimination.marginals();
  std::vector<NodePosterior> posteriors(query.network.size());
  for (Node v = 0; v < query.network.size(); ++v) {
    if (!query.network.discrete(v)) {
      posteriors[v] = is_known(query, v) ? NodePosterior{{}, query.evidence.values[v], 0}
                                         : moments_of(absorbed, v, query);
    } else if (is_known(query, v)) {
      posteriors[v].levels.assign(query.network.levels[v], 0);
      posteriors[v].levels[static_cast<std::size_t>(query.evidence.levels.level(v))] = 1;
    } else {
      posteriors[v].levels = marginals[v];
    }
  }
  return posteriors;
}

// The density at the means is a product of factors, too: of 1 / sd of each regression.
MixedRow most_probable_row(const MixedQuery &query) {
  const AbsorbedNetwork absorbed = absorb_all(query);
  std::vector<LogFactor> factors = absorbed.factors;
  for (const ConditionalNormal &normal : absorbed.normals) {
    LogFactor peak{normal.discrete, {}};
    for (std::size_t i = normal.stride() - 1; i < normal.numbers.size(); i += normal.stride())
      peak.logs.push_back(-std::log(normal.numbers[i]));
    factors.push_back(std::move(peak));
  }
  FactorElimination elimination(std::move(factors), query.network.levels, {}, query.memory_limit,
                                query.watch);
  if (absorbed.log_constant + elimination.collect(Reduction::maximum, query.watch) == kLogZero)
    throw ImpossibleEvidence();
  MixedRow row = known_row(query);
  elimination.most_probable(row.levels);
  fill_values(absorbed, query.network.levels, row, [] { return 0.0; });
  return row;
}

std::vector<MixedRow> draw_mixed_rows(const MixedQuery &query, std::size_t rows, Random &random) {
  const AbsorbedNetwork absorbed = absorb_all(query);
  FactorElimination elimination(absorbed.factors, query.network.levels, {}, query.memory_limit,
                                query.watch);
  if (absorbed.log_constant + elimination.collect(Reduction::sum, query.watch) == kLogZero)
    throw ImpossibleEvidence();
  std::vector<MixedRow> drawn(rows, known_row(query));
  for (MixedRow &row : drawn) {
    elimination.draw(random, row.levels);
    fill_values(absorbed, query.network.levels, row, [&] { return standard_normal(random); });
    throw_if_stopped(query.watch);
  }
  return drawn;
}

std::vector<Node> conflicting_levels(const MixedQuery &query) {
  return smallest_conflict(query.evidence.levels, [&](const Evidence &without) {
    const MixedEvidence evidence{without, query.evidence.values};
    return log_probability_of_levels({query.network, evidence, query.memory_limit, query.watch}) ==
           kLogZero;
  });
}

} // namespace optbn
