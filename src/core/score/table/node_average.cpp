#include "core/score/table/node_average.h"

#include "core/score/set_table.h"

#include <algorithm>

namespace optbn {

namespace {

// Of the rows in which a set is known.
struct CellSums {
  double rows = 0, n_log_n = 0;
};

} // namespace

NodeAverage::NodeAverage(const Dataset &data, double k)
    : columns_(data), counter_(make_set_counter(columns_.data())),
      penalty_(k / static_cast<double>(data.total)), n_log_n_(data.total) {}

void NodeAverage::score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) {
  const unsigned size = batch.parents;
  const std::size_t families = batch.size();
  SetTable sets(size + 1, columns_.data().size(), 2 * families);
  std::vector<std::uint32_t> joint(families), given(families);
  std::vector<Node> set;
  for (std::size_t i = 0; i < families; ++i) {
    const Node *parents = batch.parents_of(i), child = batch.child[i];
    set.assign(parents, parents + size);
    set.push_back(columns_.of(child)); // comes after all nodes
    given[i] = sets.insert(set.data());
    set.back() = child;
    std::sort(set.begin(), set.end());
    joint[i] = sets.insert(set.data());
  }

  std::vector<const Node *> wanted;
  for (std::size_t i = 0; i < sets.size(); ++i)
    wanted.push_back(sets.set(i));
  std::vector<CellSums> sums(sets.size());
  counter_->count(wanted, size + 1, static_cast<double>(families), watch,
                  [&](std::size_t i, const CellCounts &cells) {
                    CellSums &sum = sums[i];
                    for (const std::uint32_t n : cells.counts) {
                      sum.rows += n;
                      sum.n_log_n += n_log_n_(n);
                    }
                    sum.rows += cells.singletons;
                  });
  if (watch.stopped())
    return;

  result.score.assign(families, -kInfinity);
  result.superset_bound.assign(families, -kInfinity);
  for (std::size_t i = 0; i < families; ++i) {
    const CellSums &known = sums[joint[i]];
    if (known.rows == 0)
      continue;
    const double q = cells(batch.parents_of(i), size);
    result.score[i] =
        (known.n_log_n - sums[given[i]].n_log_n) / known.rows - penalty(batch.child[i], q);
    result.superset_bound[i] = -penalty(batch.child[i], 2 * q); // another parent has two levels
  }
}

double NodeAverage::bound(Node child, const Node *parents, unsigned size) const {
  return -penalty(child, cells(parents, size));
}

double NodeAverage::cells(const Node *set, unsigned size) const {
  double product = 1;
  for (unsigned i = 0; i < size; ++i)
    product *= columns_.data().columns[set[i]].levels;
  return product;
}

double NodeAverage::penalty(Node child, double parent_cells) const {
  return penalty_ * (columns_.data().columns[child].levels - 1) * parent_cells;
}

} // namespace optbn
