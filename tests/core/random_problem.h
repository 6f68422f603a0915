// Random search problems and slow, obvious solutions, for the tests of the searches.
#pragma once

#include "core/base/host.h"
#include "core/base/random.h"
#include "core/structure/domains.h"
#include "core/structure/search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

namespace optbn {

// Lets a job continue for so many polls, then stops it.
inline Host host_stopping_after(int polls, unsigned threads,
                                StopReason reason = StopReason::interrupt) {
  Host host;
  host.threads = threads;
  host.should_stop = [polls, reason]() mutable { return polls-- > 0 ? StopReason::none : reason; };
  return host;
}

struct RandomProblem {
  Node nodes = 5;
  unsigned sets = 8;            // about so many candidate sets a node
  unsigned parents = 3;         // at most so many parents a set
  double without_empty = 0;     // chance that a node lacks the empty set
  unsigned distinct_scores = 0; // scores are whole numbers below this, so often equal; 0: reals
};

// Domains as the searches expect them: distinct sets, best first. Dominated sets stay.
inline Problem random_problem(const RandomProblem &shape, Random &random) {
  Problem problem;
  problem.words = shape.nodes <= 64 ? 1 : (shape.nodes + 63u) / 64;
  problem.domains.resize(shape.nodes);
  for (Node v = 0; v < shape.nodes; ++v) {
    std::set<std::vector<Node>> sets;
    if (random.uniform() >= shape.without_empty)
      sets.insert(std::vector<Node>());
    for (unsigned i = 0; i < shape.sets && shape.nodes > 1; ++i) {
      std::set<Node> members;
      for (unsigned size = 1 + random.below(shape.parents); size > 0; --size)
        members.insert(static_cast<Node>((v + 1u + random.below(shape.nodes - 1u)) % shape.nodes));
      sets.insert(std::vector<Node>(members.begin(), members.end()));
    }
    CandidateSets candidates;
    for (const std::vector<Node> &set : sets)
      candidates.add(shape.distinct_scores ? -double(random.below(shape.distinct_scores))
                                           : -10 * random.uniform(),
                     set.data(), set.data() + set.size());
    candidates.sort();
    Domain &domain = problem.domains[v];
    domain.score = candidates.score;
    domain.mask.resize(candidates.size() * problem.words);
    domain.origin.resize(candidates.size());
    std::iota(domain.origin.begin(), domain.origin.end(), 0u);
    for (std::size_t i = 0; i < candidates.size(); ++i)
      for (const Node *u = candidates.begin_of(i); u != candidates.end_of(i); ++u)
        domain.mask[i * problem.words + *u / 64] |= std::uint64_t{1} << (*u % 64);
  }
  return problem;
}

// The same problem with node v called name[v]. One word.
inline Problem renamed(const Problem &problem, const std::vector<Node> &name) {
  Problem result = problem;
  for (Node v = 0; v < problem.size(); ++v) {
    Domain domain = problem.domains[v];
    for (std::uint64_t &mask : domain.mask) {
      std::uint64_t set = 0;
      for (Node u = 0; u < problem.size(); ++u)
        set |= (mask >> u & 1) << name[u];
      mask = set;
    }
    result.domains[name[v]] = std::move(domain);
  }
  return result;
}

// The score of the best network: over all orders, each node with the best set among its
// predecessors; minus infinity when there is none. One word, few nodes.
inline double best_over_orders(const Problem &problem) {
  std::vector<Node> order(problem.size());
  std::iota(order.begin(), order.end(), Node{0});
  double best = -std::numeric_limits<double>::infinity();
  do {
    double score = 0;
    std::uint64_t before = 0;
    for (const Node v : order) {
      const Domain &domain = problem.domains[v];
      std::size_t i = 0;
      while (i < domain.size() && !problem.inside(v, i, &before))
        ++i;
      score += i < domain.size() ? domain.score[i] : -std::numeric_limits<double>::infinity();
      before |= std::uint64_t{1} << v;
    }
    best = std::max(best, score);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

// The same by the recurrence over subsets, word for word. One word.
inline double best_over_subsets(const Problem &problem) {
  const Node n = problem.size();
  std::vector<double> best(std::size_t{1} << n, -std::numeric_limits<double>::infinity());
  best[0] = 0;
  for (std::uint64_t nodes = 1; nodes < best.size(); ++nodes)
    for (Node v = 0; v < n; ++v) {
      const std::uint64_t others = nodes & ~(std::uint64_t{1} << v);
      if (others == nodes)
        continue;
      const Domain &domain = problem.domains[v];
      std::size_t i = 0;
      while (i < domain.size() && !problem.inside(v, i, &others))
        ++i;
      if (i < domain.size())
        best[nodes] = std::max(best[nodes], best[others] + domain.score[i]);
    }
  return best.back();
}

inline bool acyclic(const Problem &problem, const std::vector<std::uint32_t> &choice) {
  std::vector<std::uint64_t> before(problem.words, 0);
  std::vector<bool> ordered(problem.size(), false);
  for (Node round = 0; round < problem.size(); ++round)
    for (Node v = 0; v < problem.size(); ++v)
      if (!ordered[v] && problem.inside(v, choice[v], before.data())) {
        ordered[v] = true;
        before[v / 64] |= std::uint64_t{1} << (v % 64);
      }
  return std::find(ordered.begin(), ordered.end(), false) == ordered.end();
}

inline double score_of(const Problem &problem, const std::vector<std::uint32_t> &choice) {
  double score = 0;
  for (Node v = 0; v < problem.size(); ++v)
    score += problem.domains[v].score[choice[v]];
  return score;
}

// The worst sets that are possible, node after node: a network that no search would start from, so
// that wrong pruning shows. Empty if there is none.
inline Network poor_network(const Problem &problem) {
  Network network;
  network.choice.resize(problem.size());
  std::vector<bool> ordered(problem.size());
  std::vector<std::uint64_t> before(problem.words);
  Node count = 0;
  for (bool grows = true; grows;) {
    grows = false;
    for (Node v = 0; v < problem.size(); ++v)
      for (std::size_t i = problem.domains[v].size(); i-- > 0 && !ordered[v];)
        if (problem.inside(v, i, before.data())) {
          network.choice[v] = static_cast<std::uint32_t>(i);
          before[v / 64] |= std::uint64_t{1} << (v % 64);
          ordered[v] = grows = true;
          ++count;
        }
  }
  if (count < problem.size())
    return {};
  network.score = score_of(problem, network.choice);
  return network;
}

} // namespace optbn
