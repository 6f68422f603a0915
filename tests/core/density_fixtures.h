// Random mixtures of cutset networks small enough to be enumerated, and what enumeration says of
// them.
#pragma once

#include "core/base/random.h"
#include "core/data/evidence.h"
#include "core/data/partial_rows.h"
#include "core/density/density.h"
#include "core/density/density_queries.h"
#include "core/density/learn/training_rows.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

namespace density_test {

using namespace optbn;

struct MixtureShape {
  Node variables = 5;
  unsigned most_levels = 3; // each variable has 1 to so many
  unsigned components = 1;
  unsigned most_cuts = 3;     // on a way from the root; all variables may be cut
  unsigned hidden = 0;        // members of each leaf, at most
  double zeros = 0;           // part of the probabilities that are 0, in tables and at cuts
  bool silent_others = false; // all components but the last have weight 0
};

inline std::vector<double> random_distribution(unsigned size, double zeros, Random &random) {
  std::vector<double> p(size);
  const unsigned certain = random.below(size);
  double sum = 0;
  for (unsigned k = 0; k < size; ++k)
    sum += p[k] = k != certain && random.uniform() < zeros ? 0 : 0.05 + random.uniform();
  for (double &x : p)
    x /= sum;
  return p;
}

// A random forest over the variables and some hidden members, in random order.
inline TreeDensity random_tree(const std::vector<unsigned> &levels, std::vector<Node> scope,
                               const MixtureShape &shape, Random &random) {
  TreeDensity tree;
  if (!scope.empty() && shape.hidden > 0)
    scope.resize(scope.size() + random.below(shape.hidden + 1), TreeDensity::kHidden);
  random.shuffle(scope);
  for (const Node v : scope) {
    const auto nodes = static_cast<std::uint32_t>(tree.nodes.size());
    const std::uint32_t parent =
        nodes == 0 || random.below(5) == 0 ? TreeDensity::kRoot : random.below(nodes);
    const unsigned size = v == TreeDensity::kHidden ? 1 + random.below(3) : levels[v];
    const TreeDensity::TreeNode node = tree.nodes[tree.add(v, size, parent)];
    for (std::size_t cell = node.table; cell < tree.tables.size(); cell += size) {
      const std::vector<double> p = random_distribution(size, shape.zeros, random);
      std::copy(p.begin(), p.end(), tree.tables.begin() + static_cast<std::ptrdiff_t>(cell));
    }
  }
  return tree;
}

inline CutsetNetwork random_cutset_network(const std::vector<unsigned> &levels,
                                           const MixtureShape &shape, Random &random) {
  CutsetNetwork network;
  std::vector<Node> all(levels.size());
  std::iota(all.begin(), all.end(), Node{0});
  std::vector<std::vector<Node>> scopes = {all}; // by cut node
  network.nodes.emplace_back();
  for (std::size_t i = 0; i < network.nodes.size(); ++i) {
    const std::size_t depth = all.size() - scopes[i].size();
    if (scopes[i].empty() || depth == shape.most_cuts || random.below(5) == 0) {
      network.nodes[i].first = static_cast<std::uint32_t>(network.leaves.size());
      network.leaves.push_back(random_tree(levels, scopes[i], shape, random));
      continue;
    }
    const Node cut = scopes[i][random.below(static_cast<std::uint32_t>(scopes[i].size()))];
    network.nodes[i].cut = cut;
    network.nodes[i].first = static_cast<std::uint32_t>(network.nodes.size());
    std::vector<Node> rest = scopes[i];
    rest.erase(std::find(rest.begin(), rest.end(), cut));
    for (const double weight : random_distribution(levels[cut], shape.zeros, random)) {
      network.nodes.push_back({CutsetNetwork::kLeaf, 0, weight});
      scopes.push_back(rest);
    }
  }
  return network;
}

inline DensityMixture random_mixture(const MixtureShape &shape, Random &random) {
  DensityMixture mixture;
  for (Node v = 0; v < shape.variables; ++v)
    mixture.levels.push_back(1 + random.below(shape.most_levels));
  mixture.weights = random_distribution(shape.components, shape.zeros, random);
  if (shape.silent_others) {
    mixture.weights.assign(shape.components, 0.0);
    mixture.weights.back() = 1;
  }
  for (unsigned c = 0; c < shape.components; ++c)
    mixture.components.push_back(random_cutset_network(mixture.levels, shape, random));
  return mixture;
}

// One of every kind in turn: with and without cuts, zeros, hidden members, several components.
inline MixtureShape shape_of_kind(unsigned kind) {
  MixtureShape shape;
  shape.components = kind % 3 == 0 ? 1 : 1 + kind % 4;
  shape.most_cuts = kind % 5 == 4 ? shape.variables : kind % 5;
  shape.zeros = kind % 2 == 0 ? 0 : 0.3;
  shape.hidden = kind / 2 % 3;
  shape.silent_others = kind % 7 == 0;
  return shape;
}

// visit(row) for all rows.
template <class Visit> void for_each_row(const std::vector<unsigned> &levels, Visit visit) {
  Row row(levels.size(), 0);
  for (;;) {
    visit(static_cast<const Row &>(row));
    std::size_t v = 0;
    while (v < levels.size() && ++row[v] == levels[v])
      row[v++] = 0;
    if (v == levels.size())
      return;
  }
}

// Of the levels of all members of a tree, hidden ones summed out by trying all of their levels.
inline double probability(const TreeDensity &tree, const Row &row) {
  std::vector<unsigned> levels; // to be tried
  for (const TreeDensity::TreeNode &node : tree.nodes)
    levels.push_back(node.variable == TreeDensity::kHidden ? node.levels : 1u);
  double total = 0;
  for_each_row(levels, [&](Row state) {
    double p = 1;
    for (std::size_t m = 0; m < tree.nodes.size(); ++m) {
      const TreeDensity::TreeNode &node = tree.nodes[m];
      if (node.variable != TreeDensity::kHidden)
        state[m] = row[node.variable];
      p *= tree.probability(node, state[m],
                            node.parent == TreeDensity::kRoot ? 0 : state[node.parent]);
    }
    total += p;
  });
  return total;
}

inline double probability(const CutsetNetwork &network, const Row &row) {
  double p = 1;
  std::size_t node = 0;
  while (network.nodes[node].cut != CutsetNetwork::kLeaf) {
    node = network.nodes[node].first + row[network.nodes[node].cut];
    p *= network.nodes[node].weight;
  }
  return p * probability(network.leaves[network.nodes[node].first], row);
}

inline double probability(const DensityMixture &mixture, const Row &row) {
  double p = 0;
  for (std::size_t c = 0; c < mixture.components.size(); ++c)
    p += mixture.weights[c] * probability(mixture.components[c], row);
  return p;
}

// All rows with their weights: probability times likelihoods, 0 where the evidence says otherwise.
struct RowEnumeration {
  RowEnumeration(const DensityMixture &mixture, const Evidence &evidence) : levels(mixture.levels) {
    for_each_row(levels, [&](const Row &row) {
      rows.push_back(row);
      weights.push_back(probability(mixture, row));
      for (Node v = 0; v < levels.size(); ++v)
        if (evidence.observed(v) && evidence.level(v) != row[v])
          weights.back() = 0;
      for (const auto &[v, likelihood] : evidence.likelihoods())
        weights.back() *= likelihood[row[v]];
      total += weights.back();
    });
  }

  // The first variable fastest.
  std::vector<double> joint(const std::vector<Node> &variables) const {
    std::size_t cells = 1;
    for (const Node v : variables)
      cells *= levels[v];
    std::vector<double> answer(cells, 0.0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::size_t cell = 0, stride = 1;
      for (const Node v : variables) {
        cell += rows[i][v] * stride;
        stride *= levels[v];
      }
      answer[cell] += weights[i] / total;
    }
    return answer;
  }

  std::vector<unsigned> levels;
  std::vector<Row> rows;
  std::vector<double> weights;
  double total = 0;
};

// Each variable is observed, weighed (at times by zeros and ones), both, or neither.
inline Evidence random_evidence(const std::vector<unsigned> &levels, Random &random) {
  Evidence evidence(static_cast<Node>(levels.size()));
  for (Node v = 0; v < levels.size(); ++v) {
    if (random.below(4) == 0)
      evidence.observe(v, random.below(levels[v]));
    if (random.below(6) == 0) {
      std::vector<double> likelihood;
      for (unsigned k = 0; k < levels[v]; ++k)
        likelihood.push_back(random.below(2) ? 3 * random.uniform() : random.below(2));
      evidence.add_likelihood(v, likelihood);
    }
  }
  return evidence;
}

// Component of the cells of part of the rows is missing.
inline PartialRows random_rows(const std::vector<unsigned> &levels, std::size_t rows,
                               double missing, Random &random) {
  PartialRows table;
  table.rows = rows;
  table.columns.assign(levels.size(), std::vector<std::uint16_t>(rows));
  for (std::size_t i = 0; i < rows; ++i) {
    const bool complete = random.below(2) == 0;
    for (std::size_t v = 0; v < levels.size(); ++v)
      table.columns[v][i] = !complete && random.uniform() < missing
                                ? PartialRows::kMissing
                                : static_cast<std::uint16_t>(random.below(levels[v]));
  }
  return table;
}

// What is observed in a row, one variable aside.
inline Evidence evidence_of(const PartialRows &rows, std::size_t row,
                            std::size_t aside = std::numeric_limits<std::size_t>::max()) {
  Evidence evidence(static_cast<Node>(rows.columns.size()));
  for (Node v = 0; v < rows.columns.size(); ++v)
    if (v != aside && rows.columns[v][row] != PartialRows::kMissing)
      evidence.observe(v, rows.columns[v][row]);
  return evidence;
}

// Every row counts once.
inline double mean_log_density(const DensityMixture &mixture, const TrainingRows &rows) {
  const Host host;
  Watch watch(host);
  double sum = 0;
  for (const double log_density : log_densities(mixture, rows.cells(), watch))
    sum += log_density;
  return sum / static_cast<double>(rows.rows());
}

} // namespace density_test
