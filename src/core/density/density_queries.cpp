#include "core/density/density_queries.h"

#include "core/base/log_sum.h"
#include "core/base/parallel.h"
#include "core/density/inference/level_weights.h"
#include "core/density/inference/network_evidence.h"
#include "core/density/inference/row_densities.h"
#include "core/density/inference/tree_descent.h"
#include "core/density/inference/tree_messages.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace optbn {

namespace {

// ---- mixtures -----------------------------------------------------------------------------------

// answers[c] = query(component c), in parallel; components of weight 0 are left out.
template <class Answer, class Ask>
std::vector<Answer> query_components(const DensityMixture &mixture, Watch &watch, Ask query) {
  std::vector<Answer> answers(mixture.components.size());
  parallel_for(watch, answers.size(), [&](std::size_t c, unsigned) {
    if (mixture.weights[c] > 0)
      answers[c] = query(mixture.components[c]);
  });
  throw_if_stopped(watch);
  return answers;
}

Posterior posterior_of(const DensityMixture &mixture, const Evidence &evidence, Watch &watch) {
  const LevelWeights weights(mixture.levels, evidence);
  std::vector<Posterior> parts =
      query_components<Posterior>(mixture, watch, [&](const CutsetNetwork &component) {
        return posterior(component, mixture.levels, weights);
      });
  std::vector<double> logs;
  for (std::size_t c = 0; c < parts.size(); ++c)
    logs.push_back(std::log(mixture.weights[c]) + parts[c].log_probability);
  Posterior whole{log_sum_exp(logs.data(), logs.size()), std::vector<double>(weights.cells(), 0.0)};
  if (whole.log_probability == kLogZero)
    throw ImpossibleEvidence();
  for (std::size_t c = 0; c < parts.size(); ++c) {
    const double share = std::exp(logs[c] - whole.log_probability);
    for (std::size_t i = 0; i < parts[c].cells.size(); ++i)
      whole.cells[i] += share * parts[c].cells[i];
  }
  return whole;
}

// ---- joint posteriors ---------------------------------------------------------------------------

// By the chain rule: each variable's posterior given the levels of those after it. Impossible
// levels are not expanded.
class ChainRule {
public:
  ChainRule(const DensityMixture &mixture, const Evidence &evidence,
            const std::vector<Node> &variables, Watch &watch)
      : mixture_(mixture), evidence_(evidence), variables_(variables), watch_(watch),
        first_(mixture.levels.size() + 1, 0) {
    for (std::size_t v = 0; v < mixture.levels.size(); ++v)
      first_[v + 1] = first_[v] + mixture.levels[v];
    std::size_t cells = 1;
    for (const Node v : variables)
      cells *= mixture.levels[v];
    joint_.assign(cells, 0.0);
  }

  std::vector<double> solve() {
    expand(variables_.size(), 0, 1);
    return std::move(joint_);
  }

private:
  // The levels of all but the first `open` variables are fixed, with this probability; `offset` is
  // that of the cells with these levels, in units of the joint levels of the open variables.
  void expand(std::size_t open, std::size_t offset, double probability) {
    const std::vector<double> cells = posterior_of(mixture_, evidence_, watch_).cells;
    if (open == 0) {
      joint_[offset] = probability;
      return;
    }
    const Node v = variables_[open - 1];
    for (unsigned level = 0; level < mixture_.levels[v]; ++level) {
      const double cell = probability * cells[first_[v] + level];
      const std::size_t next = offset * mixture_.levels[v] + level;
      if (open == 1) {
        joint_[next] = cell;
      } else if (cell > 0) {
        const Evidence before = evidence_;
        evidence_.observe(v, level);
        expand(open - 1, next, cell);
        evidence_ = before;
      }
    }
  }

  const DensityMixture &mixture_;
  Evidence evidence_;
  const std::vector<Node> &variables_;
  Watch &watch_;
  std::vector<std::size_t> first_;
  std::vector<double> joint_;
};

// ---- most probable states -----------------------------------------------------------------------

// Complete states as rows, a column per variable.
PartialRows columns_of(const std::vector<Row> &rows, std::size_t variables) {
  PartialRows table{rows.size(), std::vector<std::vector<std::uint16_t>>(variables)};
  for (std::size_t v = 0; v < variables; ++v)
    for (const Row &row : rows)
      table.columns[v].push_back(row[v]);
  return table;
}

// Hill climbing to a state that no change of one variable improves.
class StateClimb {
public:
  StateClimb(const DensityMixture &mixture, const LevelWeights &evidence, Watch &watch)
      : mixture_(mixture), evidence_(evidence), densities_(mixture, watch), watch_(watch) {}

  struct Candidate {
    Row row;
    double log_weight = kLogZero; // probability times the weights of the evidence
    double log_probability = kLogZero;
  };

  // The best of these rows, the first of several.
  Candidate best_of(const std::vector<Row> &rows) {
    Candidate best;
    const std::vector<double> logs =
        densities_.of_mixture(columns_of(rows, mixture_.levels.size()), watch_);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double log_weight = logs[i] + evidence_.log_weight(rows[i]);
      if (log_weight > best.log_weight)
        best = {rows[i], log_weight, logs[i]};
    }
    return best;
  }

  Candidate climb(Candidate from) {
    for (;;) {
      Candidate next = best_neighbour(from.row);
      if (!(next.log_weight > from.log_weight))
        return from;
      from = std::move(next);
    }
  }

private:
  // All neighbours together have as many cells as there are variables squared: they are evaluated
  // in batches, so that memory is small and the watch is polled.
  Candidate best_neighbour(const Row &row) {
    constexpr std::size_t kCells = std::size_t{1} << 20;
    const std::size_t together = kCells / (row.size() + 1) + 1;
    Candidate best;
    std::vector<Row> rows;
    const auto evaluate = [&] {
      Candidate found = best_of(rows);
      if (found.log_weight > best.log_weight)
        best = std::move(found);
      rows.clear();
    };
    for (Node v = 0; v < row.size(); ++v)
      for (unsigned level = 0; level < mixture_.levels[v]; ++level)
        if (level != row[v] && evidence_.logs(v)[level] != kLogZero) {
          rows.push_back(row);
          rows.back()[v] = static_cast<std::uint16_t>(level);
          if (rows.size() == together)
            evaluate();
        }
    evaluate();
    return best;
  }

  const DensityMixture &mixture_;
  const LevelWeights &evidence_;
  const RowDensities densities_;
  Watch &watch_;
};

// ---- draws --------------------------------------------------------------------------------------

// A leaf of a component that rows can be drawn from.
struct DrawnLeaf {
  std::size_t component, node;
  double cumulated; // cumulated probability, in some unit
};

std::vector<DrawnLeaf> drawn_leaves(const DensityMixture &mixture, const LevelWeights &weights,
                                    Watch &watch) {
  const auto logs =
      query_components<std::vector<double>>(mixture, watch, [&](const CutsetNetwork &component) {
        return leaf_logs(component, mixture.levels, weights);
      });
  double largest = kLogZero;
  for (std::size_t c = 0; c < logs.size(); ++c)
    for (const double log_p : logs[c])
      largest = std::max(largest, std::log(mixture.weights[c]) + log_p);
  std::vector<DrawnLeaf> leaves;
  double cumulated = 0;
  for (std::size_t c = 0; c < logs.size() && largest != kLogZero; ++c)
    for (std::size_t node = 0; node < logs[c].size(); ++node) {
      const double share = std::exp(std::log(mixture.weights[c]) + logs[c][node] - largest);
      if (share > 0)
        leaves.push_back({c, node, cumulated += share});
    }
  return leaves;
}

} // namespace

// ---- queries ----------------------------------------------------------------------------------

std::vector<double> log_densities(const DensityMixture &mixture, const PartialRows &rows,
                                  Watch &watch) {
  return RowDensities(mixture, watch).of_mixture(rows, watch);
}

std::vector<double> component_log_densities(const DensityMixture &mixture, const PartialRows &rows,
                                            Watch &watch) {
  return RowDensities(mixture, watch).by_component(rows, watch);
}

double log_probability(const DensityMixture &mixture, const Evidence &evidence, Watch &watch) {
  const LevelWeights weights(mixture.levels, evidence);
  std::vector<double> logs =
      query_components<double>(mixture, watch, [&](const CutsetNetwork &component) {
        const std::vector<double> leaves = leaf_logs(component, mixture.levels, weights);
        return log_sum_exp(leaves.data(), leaves.size());
      });
  for (std::size_t c = 0; c < logs.size(); ++c)
    logs[c] += std::log(mixture.weights[c]);
  return log_sum_exp(logs.data(), logs.size());
}

std::vector<double> marginals(const DensityMixture &mixture, const Evidence &evidence,
                              Watch &watch) {
  return posterior_of(mixture, evidence, watch).cells;
}

std::vector<double> joint_posterior(const DensityMixture &mixture, const Evidence &evidence,
                                    const std::vector<Node> &variables, Watch &watch) {
  return ChainRule(mixture, evidence, variables, watch).solve();
}

std::vector<double> posteriors(const DensityMixture &mixture, const PartialRows &rows,
                               Node variable, Watch &watch) {
  return RowDensities(mixture, watch).posteriors(rows, variable, watch);
}

bool exact_most_probable(const DensityMixture &mixture) {
  std::size_t active = 0;
  for (std::size_t c = 0; c < mixture.components.size(); ++c) {
    if (!(mixture.weights[c] > 0))
      continue;
    ++active;
    if (has_hidden_nodes(mixture.components[c]))
      return false;
  }
  return active == 1;
}

State most_probable(const DensityMixture &mixture, const Evidence &evidence, Watch &watch) {
  const LevelWeights weights(mixture.levels, evidence);
  std::vector<Row> rows =
      query_components<Row>(mixture, watch, [&](const CutsetNetwork &component) {
        return best_row(component, mixture.levels, weights);
      });
  rows.erase(std::remove_if(rows.begin(), rows.end(),
                            [&](const Row &row) { return row.size() != mixture.levels.size(); }),
             rows.end());
  if (rows.empty())
    throw ImpossibleEvidence();
  StateClimb climb(mixture, weights, watch);
  StateClimb::Candidate best = climb.best_of(rows);
  if (!exact_most_probable(mixture))
    best = climb.climb(std::move(best));
  return {best.row, best.log_probability};
}

std::vector<std::uint16_t> draw_rows(const DensityMixture &mixture, const Evidence &evidence,
                                     std::size_t rows, Random &random, Watch &watch) {
  const LevelWeights weights(mixture.levels, evidence);
  const std::vector<DrawnLeaf> leaves = drawn_leaves(mixture, weights, watch);
  if (leaves.empty())
    throw ImpossibleEvidence();
  std::vector<std::vector<std::size_t>> rows_of(leaves.size());
  for (std::size_t i = 0; i < rows; ++i) {
    const double at = random.uniform() * leaves.back().cumulated;
    const auto leaf =
        std::upper_bound(leaves.begin(), leaves.end() - 1, at,
                         [](double x, const DrawnLeaf &l) { return x < l.cumulated; });
    rows_of[static_cast<std::size_t>(leaf - leaves.begin())].push_back(i);
  }
  const std::size_t variables = mixture.levels.size();
  std::vector<std::uint16_t> drawn(rows * variables);
  TreeMessages messages;
  TreeDescent descent;
  Row row_on_path(variables, 0);
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    if (rows_of[k].empty())
      continue;
    const CutsetNetwork &network = mixture.components[leaves[k].component];
    const TreeDensity &tree = network.leaves[network.nodes[leaves[k].node].first];
    set_cut_levels(network, mixture.levels, leaves[k].node, row_on_path.data());
    messages.collect(tree, weights);
    const std::vector<double> &tables = messages.condition();
    for (const std::size_t i : rows_of[k]) {
      throw_if_stopped(watch);
      std::copy(row_on_path.begin(), row_on_path.end(),
                drawn.begin() + static_cast<std::ptrdiff_t>(i * variables));
      descent.draw(tree, tables, random, drawn.data() + i * variables);
      watch.advance(1);
    }
  }
  return drawn;
}

std::vector<Node> conflicting_nodes(const DensityMixture &mixture, const Evidence &evidence,
                                    Watch &watch) {
  return smallest_conflict(evidence, [&](const Evidence &without) {
    return log_probability(mixture, without, watch) == kLogZero;
  });
}

} // namespace optbn
