// Random problems whose root bound is weak, of the kinds on which searches differ most.
//
// Nodes gain about as much from a parent as it would gain from them, so that cycles pay and the
// linear relaxation goes round them at fractions. Where the gains are as good as equal, many
// networks are nearly the best.
#pragma once

#include "core/base/random.h"
#include "core/score/parent_sets.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace fixtures {

using namespace optbn;

// Which nodes may be each other's parents.
enum class Weakness {
  cycle,    // the next one on a circle, and the one before
  clusters, // the two next and before: clusters that overlap
  spots,    // within spots of five nodes each; between spots there are light arcs
  sparse,   // three others, at random
  dense     // all
};
constexpr unsigned kWeaknesses = 5;

struct WeakProblem {
  Weakness weakness = Weakness::sparse;
  Node nodes = 8;
  unsigned parents = 3;  // of a set, at most
  double asymmetry = .1; // of the gains of two nodes from each other
  double kept = 1;       // the chance that a set is a candidate, but for the best and the empty one
  bool ties = false;     // scores are whole numbers
  bool huge = false;     // scores near a million that differ by thousandths
  double required = 0;   // the chance that a node has no empty set
  double decided = 0;    // the chance that a node has one set only
};

inline WeakProblem random_weak_problem(Random &random, Node nodes) {
  WeakProblem shape;
  shape.weakness = static_cast<Weakness>(random.below(kWeaknesses));
  shape.nodes = nodes;
  shape.parents = 1 + random.below(4);
  shape.asymmetry = std::pow(10, -1.0 * random.below(5));
  shape.kept = random.below(2) ? 1 : .2 + .6 * random.uniform();
  shape.ties = random.below(4) == 0;
  shape.huge = random.below(5) == 0;
  shape.required = random.below(5) == 0 ? .2 : 0;
  shape.decided = random.below(5) == 0 ? .2 : 0;
  return shape;
}

// The gain of v from its parent u, by [u][v]; 0 where it cannot be one.
inline std::vector<std::vector<double>> gains(const WeakProblem &shape, Random &random) {
  const Node n = shape.nodes;
  std::vector<std::vector<double>> gain(n, std::vector<double>(n, 0));
  const auto join = [&](Node u, Node v, double weight) {
    if (u == v)
      return;
    gain[u][v] = weight * (1 + shape.asymmetry * random.uniform());
    gain[v][u] = weight * (1 + shape.asymmetry * random.uniform());
  };
  for (Node u = 0; u < n; ++u) {
    const auto next = [&](unsigned steps) { return static_cast<Node>((u + steps) % n); };
    switch (shape.weakness) {
    case Weakness::cycle:
      join(u, next(1), 1);
      break;
    case Weakness::clusters:
      join(u, next(1), 1);
      join(u, next(2), 1);
      break;
    case Weakness::spots:
      for (Node v = 0; v < u; ++v)
        if (v / 5 == u / 5)
          join(u, v, 1);
      join(u, static_cast<Node>(random.below(n)), .01);
      break;
    case Weakness::sparse:
      for (unsigned i = 0; i < 3; ++i)
        join(u, static_cast<Node>(random.below(n)), .5 + random.uniform());
      break;
    case Weakness::dense:
      for (Node v = 0; v < u; ++v)
        join(u, v, .5 + random.uniform());
    }
  }
  return gain;
}

inline ParentSets weak_sets(const WeakProblem &shape, Random &random) {
  const std::vector<std::vector<double>> gain = gains(shape, random);
  ParentSets all;
  all.nodes.resize(shape.nodes);
  for (Node v = 0; v < shape.nodes; ++v) {
    std::vector<Node> others;
    for (Node u = 0; u < shape.nodes && others.size() < 7; ++u)
      if (gain[u][v] > 0)
        others.push_back(u);
    CandidateSets &candidates = all.nodes[v];
    for (unsigned bits = 0; bits < 1u << others.size(); ++bits) {
      std::vector<Node> parents;
      double score = 0;
      for (std::size_t i = 0; i < others.size(); ++i)
        if (bits >> i & 1) {
          parents.push_back(others[i]); // a further parent gains less
          score += gain[others[i]][v] / static_cast<double>(parents.size());
        }
      if (parents.size() > shape.parents || (!parents.empty() && random.uniform() >= shape.kept) ||
          (parents.empty() && others.size() > 0 && random.uniform() < shape.required))
        continue;
      if (shape.ties)
        score = std::round(3 * score);
      candidates.add(shape.huge ? -1e6 + 1e-3 * score : -10 + score, parents.data(),
                     parents.data() + parents.size());
    }
    if (candidates.size() == 0)
      candidates.add(-10, nullptr, nullptr);
    candidates.sort();
    if (random.uniform() < shape.decided) {
      const std::size_t i = random.below(static_cast<unsigned>(candidates.size()));
      CandidateSets one;
      one.add(candidates.score[i], candidates.begin_of(i), candidates.end_of(i));
      candidates = one;
    }
  }
  return all;
}

} // namespace fixtures
