// Cutset networks learned slowly, row by row and word for word, to compare with.
#pragma once

#include "core/density/cuts/cutset_learning.h"
#include "core/density/learn/spanning_tree.h"
#include "density_fixtures.h"
#include "score_fixtures.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace cutset_test {

using namespace optbn;

struct WeightedRow {
  Row row;
  double weight;
};
using Rows = std::vector<WeightedRow>;

inline Rows rows_of(const Dataset &data, const std::vector<double> &weights = {}) {
  Rows rows;
  for (std::size_t i = 0; i < data.rows; ++i) {
    Row row;
    for (const Column &column : data.columns)
      row.push_back(column.codes[i]);
    rows.push_back({row, weights.empty() ? data.weight(i) : weights[i]});
  }
  return rows;
}

// A tree of cuts over trees, as one thinks of it.
struct Reference {
  Node cut = CutsetNetwork::kLeaf;
  std::vector<double> weights; // of a cut
  std::vector<Reference> below;
  std::map<Node, Node> parent; // of a leaf; the root is its own
  std::map<Node, std::vector<double>> tables;
};

class SlowLearner {
public:
  SlowLearner(const std::vector<unsigned> &levels, const Rows &rows, const Smoothing &smoothing)
      : levels_(levels), whole_(rows), smoothing_(smoothing) {}

  // ---- tables, as smoothing.h defines them ----

  // Cell (x, y) of u and v in a slice.
  double joint(const Rows &slice, Node u, unsigned x, Node v, unsigned y) const {
    const double a = strength(slice), cells = levels_[u] * levels_[v];
    switch (smoothing_.prior) {
    case Prior::joint:
      return share(count(slice, u, x, v, y) + a * q(u, x, v, y), total(slice) + a, cells);
    case Prior::product:
    case Prior::uniform:
      return share(count(slice, u, x, v, y) + a * q(u, x) * q(v, y), total(slice) + a, cells);
    case Prior::laplace:
      return share(count(slice, u, x, v, y) + a, total(slice) + a * cells, cells);
    default:
      return share(count(slice, u, x, v, y), total(slice), cells);
    }
  }

  double alone(const Rows &slice, Node u, unsigned x) const {
    const double a = strength(slice), k = levels_[u];
    if (smoothing_.prior == Prior::laplace)
      return share(count(slice, u, x) + a * k, total(slice) + a * k * k, k);
    return share(count(slice, u, x) + a * q(u, x), total(slice) + a, k);
  }

  double conditional(const Rows &slice, Node u, unsigned x, Node v, unsigned y) const {
    if (smoothing_.prior == Prior::marginal) {
      const double a = strength(slice);
      return share(count(slice, u, x, v, y) + a * q(u, x), count(slice, v, y) + a, levels_[u]);
    }
    double column = 0;
    for (unsigned other = 0; other < levels_[u]; ++other)
      column += joint(slice, u, other, v, y);
    return share(joint(slice, u, x, v, y), column, levels_[u]);
  }

  double information(const Rows &slice, Node u, Node v) const {
    double sum = 0;
    for (unsigned x = 0; x < levels_[u]; ++x)
      for (unsigned y = 0; y < levels_[v]; ++y) {
        double row = 0, column = 0;
        for (unsigned other = 0; other < levels_[v]; ++other)
          row += joint(slice, u, x, v, other);
        for (unsigned other = 0; other < levels_[u]; ++other)
          column += joint(slice, u, other, v, y);
        const double p = joint(slice, u, x, v, y);
        sum += p > 0 ? p * std::log(p / (row * column)) : 0;
      }
    return sum;
  }

  // ---- Chow-Liu trees, by Kruskal's algorithm ----

  Reference tree(const Rows &slice, const std::vector<Node> &scope) const {
    std::vector<std::pair<double, std::pair<Node, Node>>> edges;
    for (const Node u : scope)
      for (const Node v : scope)
        if (u < v)
          edges.push_back({-std::round(information(slice, u, v) * 1e10), {u, v}});
    std::sort(edges.begin(), edges.end());
    std::map<Node, Node> group;
    std::map<Node, std::vector<Node>> joined;
    for (const Node v : scope)
      group[v] = v;
    for (const auto &edge : edges) {
      const auto [u, v] = edge.second;
      const Node old = group[u], now = group[v];
      if (old == now)
        continue;
      for (auto &node : group)
        if (node.second == old)
          node.second = now;
      joined[u].push_back(v);
      joined[v].push_back(u);
    }
    Reference leaf;
    const std::function<void(Node, Node)> hang = [&](Node v, Node parent) {
      add(leaf, slice, v, parent);
      for (const Node child : joined[v])
        if (child != parent)
          hang(child, v);
    };
    if (!scope.empty())
      hang(scope[0], scope[0]);
    return leaf;
  }

  // A tree with tables of a slice. Those whose parent is not in the scope are roots.
  Reference refitted(const SpanningTree &tree, const Rows &slice,
                     const std::vector<Node> &scope) const {
    const auto kept = [&](Node v) { return std::count(scope.begin(), scope.end(), v) > 0; };
    Reference leaf;
    for (const Node v : tree.order)
      if (kept(v))
        add(leaf, slice, v, kept(tree.parent[v]) ? tree.parent[v] : v);
    return leaf;
  }

  // Log-likelihood of a slice cut on v, where the parts keep a tree.
  double screened(const SpanningTree &tree, const Rows &slice, Node v) const {
    double sum = 0;
    for (const Rows &part : split(slice, v)) {
      const double size = total(part);
      sum += size * std::log(size / total(slice)) +
             log_likelihood(refitted(tree, part, without(tree.order, v)), part);
    }
    return sum;
  }

  double log_likelihood(const Reference &net, const Rows &rows) const {
    double sum = 0;
    for (const WeightedRow &row : rows)
      if (row.weight > 0)
        sum += row.weight * log_density(net, row.row);
    return sum;
  }

  // ---- cuts ----

  // The best gain first found wins.
  Reference grown(const Rows &slice, const std::vector<Node> &scope,
                  const CutsetSettings &settings) const {
    Reference leaf = tree(slice, scope), best;
    if (total(slice) <= settings.min_rows || scope.size() <= settings.min_features)
      return leaf;
    const bool by_entropy = settings.rule == CutRule::entropy;
    if (by_entropy && entropy(slice, scope) <= settings.min_entropy)
      return leaf;
    double most = by_entropy ? 0 : penalty(slice, settings.penalty);
    const double before = by_entropy ? entropy(slice, scope) : log_likelihood(leaf, slice);
    for (const Node v : scope) {
      const std::vector<Node> below = without(scope, v);
      const std::vector<Rows> parts = split(slice, v);
      double least = total(slice), after = 0;
      Reference cut;
      cut.cut = v;
      for (const Rows &part : parts) {
        const double size = total(part);
        least = std::min(least, size);
        cut.weights.push_back(size / total(slice));
        cut.below.push_back(tree(part, below));
        after += by_entropy ? size / total(slice) * entropy(part, below)
                            : size * std::log(size / total(slice)) +
                                  log_likelihood(cut.below.back(), part);
      }
      const bool all =
          !by_entropy && settings.min_child_rows ? least > settings.min_rows : least > 0;
      const double gain = by_entropy ? before - after : after - before;
      if (all && gain > most + 1e-9) {
        most = gain;
        best = cut;
      }
    }
    if (best.below.empty())
      return leaf;
    const std::vector<Rows> parts = split(slice, best.cut);
    for (std::size_t level = 0; level < parts.size(); ++level)
      best.below[level] = grown(parts[level], without(scope, best.cut), settings);
    return best;
  }

  Reference pruned(const Reference &net, const Rows &slice, const std::vector<Node> &scope,
                   const Rows &validation) const {
    if (net.below.empty())
      return net;
    Reference kept = net;
    const std::vector<Rows> parts = split(slice, net.cut), tried = split(validation, net.cut);
    for (std::size_t level = 0; level < parts.size(); ++level)
      kept.below[level] =
          pruned(net.below[level], parts[level], without(scope, net.cut), tried[level]);
    const Reference leaf = tree(slice, scope);
    return log_likelihood(leaf, validation) >= log_likelihood(kept, validation) - 1e-9 ? leaf
                                                                                       : kept;
  }

  std::vector<Rows> split(const Rows &slice, Node v) const {
    std::vector<Rows> parts(levels_[v]);
    for (const WeightedRow &row : slice)
      parts[row.row[v]].push_back(row);
    return parts;
  }
  static double total(const Rows &slice) {
    double sum = 0;
    for (const WeightedRow &row : slice)
      sum += row.weight;
    return sum;
  }

private:
  // A variable and its table to a leaf; the root is its own parent.
  void add(Reference &leaf, const Rows &slice, Node v, Node parent) const {
    leaf.parent[v] = parent;
    for (unsigned y = 0; y < (v == parent ? 1 : levels_[parent]); ++y)
      for (unsigned x = 0; x < levels_[v]; ++x)
        leaf.tables[v].push_back(v == parent ? alone(slice, v, x)
                                             : conditional(slice, v, x, parent, y));
  }
  static double share(double part, double all, double cells) {
    return all > 0 ? part / all : 1 / cells;
  }
  static double count(const Rows &slice, Node u, unsigned x) {
    double sum = 0;
    for (const WeightedRow &row : slice)
      sum += row.row[u] == x ? row.weight : 0;
    return sum;
  }
  static double count(const Rows &slice, Node u, unsigned x, Node v, unsigned y) {
    double sum = 0;
    for (const WeightedRow &row : slice)
      sum += row.row[u] == x && row.row[v] == y ? row.weight : 0;
    return sum;
  }
  double strength(const Rows &slice) const {
    const bool absolute = smoothing_.prior == Prior::laplace || smoothing_.prior == Prior::uniform;
    return smoothing_.alpha * (absolute ? 1 : total(slice));
  }
  double q(Node u, unsigned x) const {
    if (smoothing_.prior == Prior::uniform)
      return 1.0 / levels_[u];
    return (count(whole_, u, x) + 1.0 / levels_[u]) / (total(whole_) + 1);
  }
  double q(Node u, unsigned x, Node v, unsigned y) const {
    return (count(whole_, u, x, v, y) + 1.0 / (levels_[u] * levels_[v])) / (total(whole_) + 1);
  }
  double entropy(const Rows &slice, const std::vector<Node> &scope) const {
    double sum = 0;
    for (const Node u : scope)
      for (unsigned x = 0; x < levels_[u]; ++x) {
        const double p = alone(slice, u, x);
        sum -= p > 0 ? p * std::log(p) : 0;
      }
    return sum / static_cast<double>(scope.size());
  }
  double penalty(const Rows &slice, CutPenalty kind) const {
    const double all = std::log(total(whole_)) / 2;
    if (kind == CutPenalty::slice)
      return std::log(total(slice)) / 2;
    return kind == CutPenalty::share ? total(slice) / total(whole_) * all : all;
  }
  static std::vector<Node> without(std::vector<Node> scope, Node v) {
    scope.erase(std::find(scope.begin(), scope.end(), v));
    return scope;
  }
  double log_density(const Reference &net, const Row &row) const {
    if (!net.below.empty())
      return std::log(net.weights[row[net.cut]]) + log_density(net.below[row[net.cut]], row);
    double sum = 0;
    for (const auto &[v, parent] : net.parent)
      sum += std::log(net.tables.at(v)[(v == parent ? 0 : row[parent] * levels_[v]) + row[v]]);
    return sum;
  }

  const std::vector<unsigned> levels_;
  const Rows whole_;
  const Smoothing smoothing_;
};

inline std::vector<Node> every_variable(const std::vector<unsigned> &levels) {
  std::vector<Node> all(levels.size());
  std::iota(all.begin(), all.end(), Node{0});
  return all;
}

// Is the node of the network as in the reference?
inline bool same(const CutsetNetwork &network, std::uint32_t node, const Reference &reference) {
  const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-11; };
  const CutsetNetwork::CutNode &here = network.nodes[node];
  if (here.cut != reference.cut)
    return false;
  if (here.cut != CutsetNetwork::kLeaf) {
    for (std::uint32_t level = 0; level < reference.below.size(); ++level)
      if (!near(network.nodes[here.first + level].weight, reference.weights[level]) ||
          !same(network, here.first + level, reference.below[level]))
        return false;
    return true;
  }
  const TreeDensity &tree = network.leaves[here.first];
  if (tree.nodes.size() != reference.parent.size())
    return false;
  for (const TreeDensity::TreeNode &node : tree.nodes) {
    const bool root = node.parent == TreeDensity::kRoot;
    const Node v = node.variable, parent = root ? v : tree.nodes[node.parent].variable;
    if (reference.parent.count(v) == 0 || reference.parent.at(v) != parent)
      return false;
    const std::vector<double> &table = reference.tables.at(v);
    for (std::size_t cell = 0; cell < table.size(); ++cell)
      if (!near(tree.tables[node.table + cell], table[cell]))
        return false;
  }
  return true;
}

// Are they the same to the last bit?
inline bool same_leaf(const TreeDensity &a, const TreeDensity &b) {
  const auto same_member = [](const TreeDensity::TreeNode &x, const TreeDensity::TreeNode &y) {
    return x.variable == y.variable && x.levels == y.levels && x.parent == y.parent &&
           x.table == y.table;
  };
  return std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(), same_member) &&
         a.tables == b.tables;
}

inline bool same_network(const CutsetNetwork &a, const CutsetNetwork &b) {
  const auto same_node = [](const CutsetNetwork::CutNode &x, const CutsetNetwork::CutNode &y) {
    return x.cut == y.cut && x.first == y.first && x.weight == y.weight;
  };
  return std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(), same_node) &&
         std::equal(a.leaves.begin(), a.leaves.end(), b.leaves.begin(), b.leaves.end(), same_leaf);
}

constexpr Prior kPriors[] = {Prior::joint, Prior::marginal, Prior::product, Prior::laplace,
                             Prior::uniform};

// The ways in which rows may count: not at all, by whole numbers beside the rows, by any.
inline std::vector<double> weights_of_kind(unsigned kind, std::size_t rows, Random &random) {
  std::vector<double> weights;
  for (std::size_t row = 0; kind > 0 && row < rows; ++row)
    weights.push_back(kind == 1 ? random.below(3) : 2 * random.uniform());
  return weights;
}

inline Dataset two_level_table(std::uint64_t seed, std::size_t rows, unsigned columns) {
  return fixtures::random_table(seed, rows, columns, 2);
}

} // namespace cutset_test
