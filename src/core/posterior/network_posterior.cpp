#include "core/posterior/network_posterior.h"

#include "core/base/errors.h"
#include "core/base/log_sum.h"
#include "core/graph/directed.h"
#include "core/posterior/graph_posterior.h"
#include "core/posterior/order_posterior.h"
#include "core/structure/domains.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace optbn {

namespace {

Graph possible_arcs(const ParentSets &sets) {
  Graph parents(sets.size());
  for (Node v = 0; v < sets.size(); ++v) {
    std::vector<Node> &all = parents[v];
    all = sets.nodes[v].parents;
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
  }
  return parents;
}

} // namespace

NetworkPosterior NetworkPosterior::of_graphs(const ParentSets &sets, double memory_limit,
                                             Watch &watch) {
  return {sets, possible_arcs(sets), CountedAs::graphs, memory_limit, watch};
}

NetworkPosterior NetworkPosterior::of_orders(const ParentSets &sets, const Graph &allowed,
                                             double memory_limit, Watch &watch) {
  Graph arcs = possible_arcs(sets);
  for (Node v = 0; v < sets.size(); ++v)
    arcs[v].insert(arcs[v].end(), allowed[v].begin(), allowed[v].end());
  return {sets, arcs, CountedAs::orders, memory_limit, watch};
}

NetworkPosterior::NetworkPosterior(const ParentSets &sets, const Graph &arcs, CountedAs counted,
                                   double memory_limit, Watch &watch)
    : components_(strong_components(arcs)), merged_(sets.size()) {
  require_feasible(sets);
  const bool orders = counted == CountedAs::orders;
  const std::size_t most = orders ? kOrderPosteriorNodes : kGraphPosteriorNodes;
  double bytes = 0, steps = 0;
  for (const std::vector<Node> &nodes : components_) {
    if (nodes.size() > most)
      throw TooManyNodes(nodes.size(), most);
    const auto n = static_cast<unsigned>(nodes.size());
    bytes += orders ? order_posterior_bytes(n) : graph_posterior_bytes(n);
    steps += std::ldexp(2, static_cast<int>(n));
  }
  if (bytes > memory_limit)
    throw MemoryLimit(bytes, memory_limit);
  watch.restart(steps);
  for (const CandidateSets &candidates : sets.nodes)
    probability_.emplace_back(candidates.size());
  for (const std::vector<Node> &nodes : components_)
    add_part(sets, nodes, counted, watch);
}

void NetworkPosterior::add_part(const ParentSets &sets, const std::vector<Node> &nodes,
                                CountedAs counted, Watch &watch) {
  std::vector<unsigned> position(sets.size(), sets.size());
  for (unsigned i = 0; i < nodes.size(); ++i)
    position[nodes[i]] = i;
  FamilyWeights weights(nodes.size());
  for (unsigned i = 0; i < nodes.size(); ++i) {
    const CandidateSets &candidates = sets.nodes[nodes[i]];
    std::map<std::uint32_t, std::vector<std::uint32_t>> inside;
    for (std::uint32_t c = 0; c < candidates.size(); ++c) {
      if (candidates.score[c] == kLogZero)
        continue;
      std::uint32_t parents = 0;
      for (const Node *u = candidates.begin_of(c); u != candidates.end_of(c); ++u)
        if (position[*u] < nodes.size())
          parents |= std::uint32_t{1} << position[*u];
      inside[parents].push_back(c);
    }
    Merged &merged = merged_[nodes[i]];
    for (auto &[parents, alike] : inside) {
      std::vector<double> scores;
      for (const std::uint32_t c : alike)
        scores.push_back(candidates.score[c]);
      const double sum = log_sum_exp(scores.data(), scores.size());
      weights[i].push_back({parents, sum});
      for (double &score : scores)
        score = std::exp(score - sum);
      merged.candidates.push_back(std::move(alike));
      merged.share.push_back(std::move(scores));
    }
  }
  if (counted == CountedAs::graphs)
    parts_.push_back(std::make_unique<GraphPosterior>(weights, watch));
  else
    parts_.push_back(std::make_unique<OrderPosterior>(weights, watch));
  for (unsigned i = 0; i < nodes.size(); ++i) {
    const Merged &merged = merged_[nodes[i]];
    for (std::size_t set = 0; set < merged.candidates.size(); ++set)
      for (std::size_t c = 0; c < merged.candidates[set].size(); ++c)
        probability_[nodes[i]][merged.candidates[set][c]] =
            parts_.back()->probabilities()[i][set] * merged.share[set][c];
  }
}

double NetworkPosterior::log_sum() const {
  double sum = 0;
  for (const auto &part : parts_)
    sum += part->log_sum();
  return sum;
}

double NetworkPosterior::rounding() const {
  double most = 0;
  for (const auto &part : parts_)
    most = std::max(most, part->rounding());
  return most;
}

std::vector<Choice> NetworkPosterior::draw(std::size_t count, Random &random, Watch &watch) const {
  std::vector<Choice> networks(count, Choice(merged_.size()));
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    const std::vector<Choice> drawn = parts_[part]->draw(count, random, watch);
    for (std::size_t i = 0; i < components_[part].size(); ++i) {
      const Node v = components_[part][i];
      std::vector<Wheel> wheels;
      for (const std::vector<double> &share : merged_[v].share)
        wheels.emplace_back(share);
      for (std::size_t network = 0; network < count; ++network) {
        const std::uint32_t set = drawn[network][i];
        networks[network][v] = merged_[v].candidates[set][wheels[set].draw(random)];
      }
    }
  }
  return networks;
}

} // namespace optbn
