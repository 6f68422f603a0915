#include "core/score/structure_prior.h"

#include <algorithm>
#include <cmath>

namespace optbn {

StructurePrior::StructurePrior(std::unique_ptr<LocalScore> base, StructureWorth worth)
    : base_(std::move(base)), worth_(std::move(worth)), most_arcs_(worth_.constant.size()),
      most_size_(worth_.size) {
  const auto n = static_cast<Node>(most_arcs_.size());
  for (Node v = 0; v < n; ++v)
    for (Node u = 0; u < n; ++u)
      most_arcs_[v] += u == v ? 0 : std::max(0.0, worth_.of_arc(u, v));
  for (std::size_t size = most_size_.size(); size-- > 1;)
    most_size_[size - 1] = std::max(most_size_[size - 1], most_size_[size]);
}

void StructurePrior::score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) {
  base_->score(batch, watch, result);
  if (watch.stopped())
    return;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const Node v = batch.child[i], *parents = batch.parents_of(i);
    result.score[i] += worth(v, parents, batch.parents);
    result.superset_bound[i] += worth_of_larger(v, parents, batch.parents);
  }
}

std::vector<double> StructurePrior::score_nearly(const FamilyBatch &batch, Watch &watch) {
  std::vector<double> scores = base_->score_nearly(batch, watch);
  for (std::size_t i = 0; i < batch.size() && !watch.stopped(); ++i)
    scores[i] += worth(batch.child[i], batch.parents_of(i), batch.parents);
  return scores;
}

void StructurePrior::extend(std::vector<Extensions> &batch, Watch &watch) {
  base_->extend(batch, watch);
  if (watch.stopped())
    return;
  for (Extensions &family : batch) {
    const auto size = static_cast<unsigned>(family.parents.size());
    const double here =
        worth_of_arcs(family.child, family.parents.data(), size) + worth_.of_size(size + 1);
    for (std::size_t i = 0; i < family.added.size(); ++i)
      family.score[i] += here + worth_.of_arc(family.added[i], family.child);
  }
}

void StructurePrior::reduce(std::vector<Reductions> &batch, Watch &watch) {
  base_->reduce(batch, watch);
  if (watch.stopped())
    return;
  for (Reductions &family : batch) {
    const auto size = static_cast<unsigned>(family.parents.size());
    const double arcs = worth_of_arcs(family.child, family.parents.data(), size);
    for (std::size_t i = 0; i < family.removed.size(); ++i)
      family.score[i] +=
          arcs - worth_.of_arc(family.removed[i], family.child) + worth_.of_size(size - 1);
  }
}

double StructurePrior::bound(Node child, const Node *parents, unsigned size) const {
  return base_->bound(child, parents, size) + worth_of_larger(child, parents, size);
}

double StructurePrior::least_regret(Node child, const Occupation &known) const {
  return base_->least_regret(child, known) - worth_of_larger(child, nullptr, 0);
}

double StructurePrior::gain_bound(Node child, Node added, const Node *parents, unsigned size,
                                  double score_of_added) const {
  const double by_base = score_of_added - worth(added, parents, size);
  return base_->gain_bound(child, added, parents, size, by_base) + worth_.of_arc(added, child);
}

double StructurePrior::worth(Node child, const Node *parents, unsigned size) const {
  return worth_of_arcs(child, parents, size) + worth_.of_size(size);
}

double StructurePrior::worth_of_larger(Node child, const Node *parents, unsigned size) const {
  double others = most_arcs_[child];
  for (unsigned i = 0; i < size; ++i)
    others -= std::max(0.0, worth_.of_arc(parents[i], child));
  return worth_of_arcs(child, parents, size) + std::max(0.0, others) +
         (most_size_.empty() ? 0 : most_size_[size]);
}

double StructurePrior::worth_of_arcs(Node child, const Node *parents, unsigned size) const {
  double sum = worth_.constant[child];
  for (unsigned i = 0; i < size; ++i)
    sum += worth_.of_arc(parents[i], child);
  return sum;
}

StructureWorth uniform_over_sizes(Node nodes) {
  StructureWorth worth;
  worth.constant.assign(nodes, 0);
  worth.size.push_back(0);
  for (Node size = 1; size < nodes; ++size)
    worth.size.push_back(worth.size.back() - std::log(static_cast<double>(nodes - size) / size));
  return worth;
}

} // namespace optbn
