#include "core/density/inference/tree_descent.h"

namespace optbn {

template <class Visit>
void TreeDescent::descend(const TreeDensity &tree, const std::vector<double> &tables, double mass,
                          Visit visit) {
  first_.resize(tree.members.size());
  std::size_t end = 0;
  for (std::size_t m = 0; m < tree.members.size(); ++m) {
    first_[m] = end;
    end += tree.members[m].levels;
  }
  marginals_.assign(end, 0.0);
  for (std::size_t m = 0; m < tree.members.size(); ++m) {
    const TreeDensity::Member &member = tree.members[m];
    const double *const above =
        member.parent == TreeDensity::kRoot ? &mass : marginals_.data() + first_[member.parent];
    double *const marginal = marginals_.data() + first_[m];
    std::size_t cell = member.table;
    for (std::size_t y = 0; y < tree.blocks(member); ++y)
      for (std::size_t x = 0; x < member.levels; ++x, ++cell) {
        const double pair = above[y] * tables[cell];
        marginal[x] += pair;
        visit(cell, pair);
      }
  }
}

void TreeDescent::add_marginals(const TreeDensity &tree, const std::vector<double> &tables,
                                double mass, const LevelWeights &evidence, double *cells) {
  descend(tree, tables, mass, [](std::size_t, double) {});
  for (std::size_t m = 0; m < tree.members.size(); ++m) {
    const TreeDensity::Member &member = tree.members[m];
    if (member.variable == TreeDensity::kHidden)
      continue;
    double *const to = cells + evidence.first(member.variable);
    for (std::size_t x = 0; x < member.levels; ++x)
      to[x] += marginals_[first_[m] + x];
  }
}

void TreeDescent::add_pairs(const TreeDensity &tree, const std::vector<double> &tables, double mass,
                            double *expected) {
  descend(tree, tables, mass, [=](std::size_t cell, double pair) { expected[cell] += pair; });
}

void TreeDescent::draw(const TreeDensity &tree, const std::vector<double> &tables, Random &random,
                       std::uint16_t *row) {
  levels_.resize(tree.members.size());
  for (std::size_t m = 0; m < tree.members.size(); ++m) {
    const TreeDensity::Member &member = tree.members[m];
    const std::size_t above = member.parent == TreeDensity::kRoot ? 0 : levels_[member.parent];
    const double *const p = tables.data() + member.table + above * member.levels;
    double sum = 0;
    for (unsigned x = 0; x < member.levels; ++x)
      sum += p[x];
    double rest = random.uniform() * sum;
    unsigned level = 0; // the last one that is possible: sums are rounded
    for (unsigned x = 0; x < member.levels; ++x) {
      if (p[x] == 0)
        continue;
      level = x;
      rest -= p[x];
      if (rest < 0)
        break;
    }
    levels_[m] = static_cast<std::uint16_t>(level);
    if (member.variable != TreeDensity::kHidden)
      row[member.variable] = levels_[m];
  }
}

} // namespace optbn
