#include "core/inference/queries.h"

#include "core/base/invariant.h"
#include "core/base/log_sum.h"

#include <algorithm>
#include <numeric>

namespace optbn {

namespace {

double collect_all(Propagation &propagation, const Evidence &evidence,
                   Propagation::Reduction reduction, Watch &watch) {
  propagation.set_evidence(evidence, std::vector<char>(propagation.tree().size(), true));
  std::vector<std::size_t> cliques(propagation.tree().tree().size());
  std::iota(cliques.begin(), cliques.end(), std::size_t{0});
  propagation.store_if_they_fit(cliques);
  const double log_probability = propagation.collect(reduction, watch);
  if (log_probability == kLogZero)
    throw ImpossibleEvidence();
  return log_probability;
}

// From the root down the tree, all rows in a clique before the next: choose() selects one of the
// cells that agree with the levels that the separator already has, and so the levels of the
// clique's residual.
template <class Choose>
void descend(Propagation &propagation, std::uint16_t *rows, std::size_t count, Watch &watch,
             Choose choose) {
  const JunctionTree &tree = propagation.tree();
  for (std::size_t i = 0; i < tree.tree().size(); ++i) {
    const Clique &clique = tree.tree().cliques[i];
    const CliquePlan &plan = propagation.plan(i);
    const double *const table = propagation.any_table(i, watch);
    const std::size_t cells = plan.cells / plan.separator_cells; // that agree with a separator
    for (std::size_t r = 0; r < count; ++r) {
      std::uint16_t *const row = rows + r * tree.size();
      std::size_t separator = 0, stride = 1; // the cell of the separator's levels
      for (std::size_t m = clique.residual; m < clique.members.size(); ++m) {
        const Node v = clique.members[m];
        separator += propagation.extent(v) > 1 ? row[v] * stride : 0;
        stride *= propagation.extent(v);
      }
      const double mass = propagation.mass(i) * propagation.message(i)[separator];
      std::size_t cell = choose(r, i, table + separator * cells, cells, mass);
      for (std::size_t m = 0; m < clique.residual; ++m) {
        const Node v = clique.members[m];
        const std::size_t extent = propagation.extent(v);
        row[v] = static_cast<std::uint16_t>(extent > 1 ? cell % extent : propagation.level(v));
        cell /= extent;
      }
    }
    propagation.count_work(8 * count, watch);
  }
}

} // namespace

std::vector<char> relevant_nodes(const JunctionTree &tree, const Evidence &evidence,
                                 const std::vector<Node> &nodes) {
  std::vector<char> relevant(tree.size(), false);
  std::vector<Node> pending;
  const auto add = [&](Node v) {
    if (!relevant[v]) {
      relevant[v] = true;
      pending.push_back(v);
    }
  };
  for (const Node v : nodes)
    add(v);
  for (Node v = 0; v < tree.size(); ++v)
    if (evidence.observed(v))
      add(v);
  for (const auto &likelihood : evidence.likelihoods())
    add(likelihood.first);
  while (!pending.empty()) {
    const Node v = pending.back();
    pending.pop_back();
    for (const Node parent : tree.parents(v))
      add(parent);
  }
  return relevant;
}

double log_probability(Propagation &propagation, const Evidence &evidence, Watch &watch) {
  propagation.set_evidence(evidence, relevant_nodes(propagation.tree(), evidence, {}));
  return propagation.collect(Propagation::Reduction::sum, watch);
}

std::vector<double> marginals(Propagation &propagation, const Evidence &evidence, Watch &watch) {
  collect_all(propagation, evidence, Propagation::Reduction::sum, watch);
  return propagation.distribute_all(watch);
}

State most_probable(Propagation &propagation, const Evidence &evidence, Watch &watch) {
  [[maybe_unused]] const double most =
      collect_all(propagation, evidence, Propagation::Reduction::maximum, watch);
  State state{Row(propagation.tree().size()), 0};
  descend(propagation, state.row.data(), 1, watch,
          [](std::size_t, std::size_t, const double *cells, std::size_t count, double) {
            return static_cast<std::size_t>(std::max_element(cells, cells + count) - cells);
          });
  state.log_probability = propagation.tree().log_probability(state.row);
  OPTBN_INVARIANT(!evidence.likelihoods().empty() || about_equal(state.log_probability, most),
                  "the state has the probability of the root's largest cell");
  return state;
}

std::vector<std::uint16_t> draw_rows(Propagation &propagation, const Evidence &evidence,
                                     std::size_t rows, Random &random, Watch &watch) {
  collect_all(propagation, evidence, Propagation::Reduction::sum, watch);
  const std::size_t nodes = propagation.tree().size(), cliques = propagation.tree().tree().size();
  std::vector<std::uint16_t> drawn(rows * nodes);
  // As many rows at once as have few random numbers, which are drawn row by row: so that neither
  // the limit of memory nor the number of rows changes the first of them.
  constexpr std::size_t kNumbers = 1 << 17;
  const std::size_t most = std::max<std::size_t>(1, kNumbers / cliques);
  for (std::size_t first = 0; first < rows; first += most) {
    const std::size_t count = std::min(most, rows - first);
    std::vector<double> numbers(count * cliques);
    for (double &number : numbers)
      number = random.uniform();
    descend(propagation, drawn.data() + first * nodes, count, watch,
            [&](std::size_t row, std::size_t clique, const double *cells, std::size_t size,
                double mass) {
              return draw_by_weight(numbers[row * cliques + clique] * mass, size,
                                    [=](std::size_t cell) { return cells[cell]; });
            });
  }
  return drawn;
}

std::vector<Node> conflicting_nodes(Propagation &propagation, const Evidence &evidence,
                                    Watch &watch) {
  return smallest_conflict(evidence, [&](const Evidence &without) {
    return log_probability(propagation, without, watch) == kLogZero;
  });
}

} // namespace optbn
