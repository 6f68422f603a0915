#include "core/cutset/tree_descent.h"

namespace optbn {

void TreeDescent::add_marginals(const TreeDensity &tree, const std::vector<double> &tables,
                                double mass, const LevelWeights &evidence, double *cells) {
  first_.resize(tree.members.size());
  std::size_t end = 0;
  for (std::size_t m = 0; m < tree.members.size(); ++m) {
    first_[m] = end;
    end += tree.members[m].levels;
  }
  marginals_.assign(end, 0.0);
  const double whole = mass;
  for (std::size_t m = 0; m < tree.members.size(); ++m) {
    const TreeDensity::Member &member = tree.members[m];
    const bool root = member.parent == TreeDensity::kRoot;
    const double *const above = root ? &whole : marginals_.data() + first_[member.parent];
    const std::size_t blocks = root ? 1 : tree.members[member.parent].levels;
    const double *p = tables.data() + member.table;
    double *const marginal = marginals_.data() + first_[m];
    for (std::size_t y = 0; y < blocks; ++y, p += member.levels)
      for (std::size_t x = 0; x < member.levels; ++x)
        marginal[x] += above[y] * p[x];
    if (member.variable == TreeDensity::kHidden)
      continue;
    double *const to = cells + evidence.first(member.variable);
    for (std::size_t x = 0; x < member.levels; ++x)
      to[x] += marginal[x];
  }
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
