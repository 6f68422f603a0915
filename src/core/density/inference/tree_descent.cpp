#include "core/density/inference/tree_descent.h"

namespace optbn {

template <class Visit>
void TreeDescent::descend(const TreeDensity &tree, const std::vector<double> &tables, double mass,
                          Visit visit) {
  first_.resize(tree.nodes.size());
  std::size_t end = 0;
  for (std::size_t m = 0; m < tree.nodes.size(); ++m) {
    first_[m] = end;
    end += tree.nodes[m].levels;
  }
  marginals_.assign(end, 0.0);
  for (std::size_t m = 0; m < tree.nodes.size(); ++m) {
    const TreeDensity::TreeNode &node = tree.nodes[m];
    const double *const parent_masses =
        node.parent == TreeDensity::kRoot ? &mass : marginals_.data() + first_[node.parent];
    double *const marginal = marginals_.data() + first_[m];
    std::size_t cell = node.table;
    for (std::size_t y = 0; y < tree.blocks(node); ++y)
      for (std::size_t x = 0; x < node.levels; ++x, ++cell) {
        const double pair = parent_masses[y] * tables[cell];
        marginal[x] += pair;
        visit(cell, pair);
      }
  }
}

void TreeDescent::add_marginals(const TreeDensity &tree, const std::vector<double> &tables,
                                double mass, const LevelWeights &evidence, double *cells) {
  descend(tree, tables, mass, [](std::size_t, double) {});
  for (std::size_t m = 0; m < tree.nodes.size(); ++m) {
    const TreeDensity::TreeNode &node = tree.nodes[m];
    if (node.variable == TreeDensity::kHidden)
      continue;
    double *const to = cells + evidence.first(node.variable);
    for (std::size_t x = 0; x < node.levels; ++x)
      to[x] += marginals_[first_[m] + x];
  }
}

void TreeDescent::add_pairs(const TreeDensity &tree, const std::vector<double> &tables, double mass,
                            double *expected) {
  descend(tree, tables, mass, [=](std::size_t cell, double pair) { expected[cell] += pair; });
}

void TreeDescent::draw(const TreeDensity &tree, const std::vector<double> &tables, Random &random,
                       std::uint16_t *row) {
  levels_.resize(tree.nodes.size());
  for (std::size_t m = 0; m < tree.nodes.size(); ++m) {
    const TreeDensity::TreeNode &node = tree.nodes[m];
    const std::size_t parent_level = node.parent == TreeDensity::kRoot ? 0 : levels_[node.parent];
    const double *const p = tables.data() + node.table + parent_level * node.levels;
    double sum = 0;
    for (unsigned x = 0; x < node.levels; ++x)
      sum += p[x];
    levels_[m] = static_cast<std::uint16_t>(
        draw_by_weight(random.uniform() * sum, node.levels, [=](std::size_t x) { return p[x]; }));
    if (node.variable != TreeDensity::kHidden)
      row[node.variable] = levels_[m];
  }
}

} // namespace optbn
