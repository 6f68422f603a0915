#include "core/completion/island_elimination.h"

#include "core/base/errors.h"
#include "core/base/log_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace optbn {

namespace {

constexpr double kMostCells = 1e8;

} // namespace

IslandElimination::IslandElimination(const std::vector<unsigned> &levels,
                                     const std::vector<std::size_t> &strides)
    : levels_(levels), clique_of_factor_(strides.size() / levels.size()) {
  eliminate(strides);
  list_cells(strides);
}

// Greedily, the node that leaves the fewest cells.
void IslandElimination::eliminate(const std::vector<std::size_t> &strides) {
  const std::size_t n = levels_.size();
  std::vector<std::vector<char>> adjacent(n, std::vector<char>(n, 0));
  for (std::size_t f = 0; f < clique_of_factor_.size(); ++f)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (i != j && strides[f * n + i] > 0 && strides[f * n + j] > 0)
          adjacent[i][j] = 1;
  std::vector<std::size_t> rank(n, n); // n of a node that is left
  double all_cells = 0;
  for (std::size_t step = 0; step < n; ++step) {
    std::size_t best = n;
    double fewest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < n; ++i) {
      double cells = levels_[i];
      for (std::size_t j = 0; j < n && rank[i] == n; ++j)
        if (adjacent[i][j] && rank[j] == n)
          cells *= levels_[j];
      if (rank[i] == n && cells < fewest) {
        fewest = cells;
        best = i;
      }
    }
    all_cells += fewest;
    if (all_cells > kMostCells)
      throw MemoryLimit(all_cells * sizeof(double), kMostCells * sizeof(double));
    Clique clique;
    clique.members.push_back(best);
    for (std::size_t j = 0; j < n; ++j)
      if (adjacent[best][j] && rank[j] == n)
        clique.members.push_back(j);
    for (const std::size_t i : clique.members)
      for (const std::size_t j : clique.members)
        if (i != j)
          adjacent[i][j] = 1;
    rank[best] = step;
    clique.first_levels = levels_[best];
    clique.cells = static_cast<std::size_t>(fewest);
    cliques_.push_back(std::move(clique));
  }
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t parent = n;
    for (std::size_t i = 1; i < cliques_[c].members.size(); ++i)
      parent = std::min(parent, rank[cliques_[c].members[i]]);
    if (parent < n)
      cliques_[parent].children.push_back(c);
  }
  for (std::size_t f = 0; f < clique_of_factor_.size(); ++f) {
    std::size_t first = n;
    for (std::size_t i = 0; i < n; ++i)
      if (strides[f * n + i] > 0)
        first = std::min(first, rank[i]);
    clique_of_factor_[f] = first;
    cliques_[first].factors.push_back(f);
  }
}

void IslandElimination::list_cells(const std::vector<std::size_t> &strides) {
  const std::size_t n = levels_.size();
  for (Clique &clique : cliques_) {
    const std::size_t width = clique.members.size();
    // By list and member, how far a level moves.
    std::vector<std::vector<std::size_t>> moves;
    for (const std::size_t f : clique.factors) {
      moves.emplace_back();
      for (const std::size_t i : clique.members)
        moves.back().push_back(strides[f * n + i]);
    }
    for (const std::size_t child : clique.children) {
      moves.emplace_back(width, 0);
      std::size_t step = 1;
      const std::vector<std::size_t> &members = cliques_[child].members;
      for (std::size_t i = 1; i < members.size(); ++i) {
        const auto at = std::find(clique.members.begin(), clique.members.end(), members[i]);
        moves.back()[static_cast<std::size_t>(at - clique.members.begin())] = step;
        step *= levels_[members[i]];
      }
    }
    std::vector<std::vector<std::uint32_t>> lists(moves.size());
    std::vector<std::size_t> cell(moves.size(), 0);
    std::vector<unsigned> level(width, 0);
    for (std::size_t c = 0; c < clique.cells; ++c) {
      for (std::size_t k = 0; k < moves.size(); ++k)
        lists[k].push_back(static_cast<std::uint32_t>(cell[k]));
      for (std::size_t i = 0; i < width; ++i) {
        const unsigned last = levels_[clique.members[i]] - 1;
        const bool wraps = level[i] == last;
        for (std::size_t k = 0; k < moves.size(); ++k)
          wraps ? cell[k] -= last * moves[k][i] : cell[k] += moves[k][i];
        level[i] = wraps ? 0 : level[i] + 1;
        if (!wraps)
          break;
      }
    }
    const auto middle = lists.begin() + static_cast<std::ptrdiff_t>(clique.factors.size());
    clique.factor_cell.assign(lists.begin(), middle);
    clique.child_cell.assign(middle, lists.end());
  }
}

double IslandElimination::collect(const Factors &factors, bool maximum) {
  double log_sum = 0;
  for (Clique &clique : cliques_) {
    clique.table.assign(clique.cells, 1);
    for (std::size_t k = 0; k < clique.factors.size(); ++k) {
      const double *factor = factors[clique.factors[k]];
      const std::vector<std::uint32_t> &cell = clique.factor_cell[k];
      for (std::size_t c = 0; c < clique.cells; ++c)
        clique.table[c] *= factor[cell[c]];
    }
    for (std::size_t k = 0; k < clique.children.size(); ++k) {
      const std::vector<double> &message = cliques_[clique.children[k]].message;
      const std::vector<std::uint32_t> &cell = clique.child_cell[k];
      for (std::size_t c = 0; c < clique.cells; ++c)
        clique.table[c] *= message[cell[c]];
    }
    clique.message.assign(clique.cells / clique.first_levels, 0);
    double largest = 0;
    for (std::size_t s = 0; s < clique.message.size(); ++s) {
      const double *first = clique.table.data() + s * clique.first_levels;
      for (unsigned i = 0; i < clique.first_levels; ++i)
        clique.message[s] =
            maximum ? std::max(clique.message[s], first[i]) : clique.message[s] + first[i];
      largest = std::max(largest, clique.message[s]);
    }
    if (!(largest > 0))
      return kLogZero;
    for (double &one : clique.message)
      one /= largest;
    log_sum += std::log(largest);
  }
  return log_sum;
}

void IslandElimination::distribute() {
  for (auto clique = cliques_.rbegin(); clique != cliques_.rend(); ++clique) {
    if (clique->members.size() == 1) { // a root
      clique->belief = clique->table;
      double sum = 0;
      for (const double one : clique->belief)
        sum += one;
      for (double &one : clique->belief)
        one /= sum;
    }
    for (std::size_t k = 0; k < clique->children.size(); ++k) {
      Clique &child = cliques_[clique->children[k]];
      std::vector<double> ratio(child.message.size(), 0);
      for (std::size_t c = 0; c < clique->cells; ++c)
        ratio[clique->child_cell[k][c]] += clique->belief[c];
      child.belief.resize(child.cells);
      for (std::size_t s = 0; s < ratio.size(); ++s) {
        double sum = 0;
        for (unsigned i = 0; i < child.first_levels; ++i)
          sum += child.table[s * child.first_levels + i];
        ratio[s] = sum > 0 ? ratio[s] / sum : 0;
        for (unsigned i = 0; i < child.first_levels; ++i)
          child.belief[s * child.first_levels + i] =
              child.table[s * child.first_levels + i] * ratio[s];
      }
    }
  }
}

void IslandElimination::add_probabilities(std::size_t factor, double weight, double *sums) const {
  const Clique &clique = cliques_[clique_of_factor_[factor]];
  const auto at = std::find(clique.factors.begin(), clique.factors.end(), factor);
  const std::vector<std::uint32_t> &cell =
      clique.factor_cell[static_cast<std::size_t>(at - clique.factors.begin())];
  for (std::size_t c = 0; c < clique.cells; ++c)
    sums[cell[c]] += weight * clique.belief[c];
}

// From the last clique to the first: the level of each node given those of the nodes left after it.
template <class Choose>
std::vector<std::uint16_t> IslandElimination::choose(Choose &&choose_level) const {
  std::vector<std::uint16_t> level(levels_.size(), 0);
  for (auto clique = cliques_.rbegin(); clique != cliques_.rend(); ++clique) {
    std::size_t cell = 0, step = clique->first_levels;
    for (std::size_t i = 1; i < clique->members.size(); ++i) {
      cell += step * level[clique->members[i]];
      step *= levels_[clique->members[i]];
    }
    level[clique->members[0]] =
        static_cast<std::uint16_t>(choose_level(clique->table.data() + cell, clique->first_levels));
  }
  return level;
}

std::vector<std::uint16_t> IslandElimination::draw(Random &random) const {
  return choose([&](const double *weight, unsigned levels) {
    double sum = 0;
    for (unsigned i = 0; i < levels; ++i)
      sum += weight[i];
    return draw_by_weight(sum * random.uniform(), levels, [=](std::size_t i) { return weight[i]; });
  });
}

std::vector<std::uint16_t> IslandElimination::most_probable() const {
  return choose([](const double *weight, unsigned levels) {
    return static_cast<std::size_t>(std::max_element(weight, weight + levels) - weight);
  });
}

double IslandElimination::bytes() const {
  double sum = 0;
  for (const Clique &clique : cliques_)
    sum += static_cast<double>(clique.cells) *
           (4.0 * static_cast<double>(clique.factors.size() + clique.children.size()) + 24);
  return sum;
}

} // namespace optbn
