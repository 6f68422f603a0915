// Scores that are sums over the configurations of the parents that occur, each of a pass over its
// rows: one pass over the data for every family, and one for every set of parents.
#pragma once

#include "core/score/cell_rows.h"
#include "core/score/parent_groups.h"

#include <memory>
#include <vector>

namespace optbn {

// The rows of a configuration of the parents, for one child.
struct FamilyCell {
  const Column &child;
  unsigned parents;      // how many
  double configurations; // declared joint levels of the parents
  const std::uint32_t *begin, *end;
};

struct CellScore {
  double score = 0, superset_bound = 0;
};

// A family has the sum of score_cell(workspace, cell) over its cells as score and superset bound. A
// thread has one Workspace.
template <class Workspace, class ScoreCell>
void score_by_cells(const Dataset &data, const FamilyBatch &batch, Watch &watch,
                    FamilyScores &result, ScoreCell &&score_cell) {
  const ParentGroups groups(batch, data.size());
  std::vector<std::vector<double>> bounds(groups.size()); // of the children of each group, in order
  const auto solve = [&](Workspace &workspace, std::size_t group, const auto &children) {
    const std::vector<Node> parents(groups.parents(group), groups.parents(group) + batch.parents);
    const CellRows cells(data, parents);
    double configurations = 1;
    for (const Node u : parents)
      configurations *= data.columns[u].levels;
    std::vector<double> scores;
    for (const Node v : children) {
      CellScore sum;
      for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        const CellScore one =
            score_cell(workspace, FamilyCell{data.columns[v], batch.parents, configurations,
                                             cells.begin(cell), cells.end(cell)});
        sum.score += one.score;
        sum.superset_bound += one.superset_bound;
      }
      scores.push_back(sum.score);
      bounds[group].push_back(sum.superset_bound);
    }
    return scores;
  };
  groups.score(
      watch, result, [] { return std::make_unique<Workspace>(); }, [](std::size_t) { return 1; },
      solve);
  result.superset_bound.assign(batch.size(), LocalScore::kInfinity);
  if (watch.stopped())
    return;
  std::vector<std::size_t> next(groups.size(), 0);
  for (std::size_t i = 0; i < batch.size(); ++i)
    result.superset_bound[i] = bounds[groups.group(i)][next[groups.group(i)]++];
}

} // namespace optbn
