#include "core/score/structure_prior.h"

#include <algorithm>

namespace optbn {

StructurePrior::StructurePrior(std::unique_ptr<LocalScore> base, ArcWorth worth)
    : base_(std::move(base)), worth_(std::move(worth)), most_(worth_.constant.size()) {
  const auto n = static_cast<Node>(most_.size());
  for (Node v = 0; v < n; ++v)
    for (Node u = 0; u < n; ++u)
      most_[v] += u == v ? 0 : std::max(0.0, worth_.of_arc(u, v));
}

void StructurePrior::score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) {
  base_->score(batch, watch, result);
  if (watch.stopped())
    return;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const Node v = batch.child[i], *parents = batch.parents_of(i);
    const double here = worth(v, parents, batch.parents);
    result.score[i] += here;
    result.superset_bound[i] += here + worth_of_others(v, parents, batch.parents);
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
    const double here =
        worth(family.child, family.parents.data(), static_cast<unsigned>(family.parents.size()));
    for (std::size_t i = 0; i < family.added.size(); ++i)
      family.score[i] += here + worth_.of_arc(family.added[i], family.child);
  }
}

void StructurePrior::reduce(std::vector<Reductions> &batch, Watch &watch) {
  base_->reduce(batch, watch);
  if (watch.stopped())
    return;
  for (Reductions &family : batch) {
    const double here =
        worth(family.child, family.parents.data(), static_cast<unsigned>(family.parents.size()));
    for (std::size_t i = 0; i < family.removed.size(); ++i)
      family.score[i] += here - worth_.of_arc(family.removed[i], family.child);
  }
}

double StructurePrior::bound(Node child, const Node *parents, unsigned size) const {
  return base_->bound(child, parents, size) + worth(child, parents, size) +
         worth_of_others(child, parents, size);
}

double StructurePrior::least_regret(Node child, const Occupation &known) const {
  return base_->least_regret(child, known) - worth_.constant[child] - most_[child];
}

double StructurePrior::gain_bound(Node child, Node added, const Node *parents, unsigned size,
                                  double score_of_added) const {
  const double by_base = score_of_added - worth(added, parents, size);
  return base_->gain_bound(child, added, parents, size, by_base) + worth_.of_arc(added, child);
}

double StructurePrior::worth(Node child, const Node *parents, unsigned size) const {
  double sum = worth_.constant[child];
  for (unsigned i = 0; i < size; ++i)
    sum += worth_.of_arc(parents[i], child);
  return sum;
}

double StructurePrior::worth_of_others(Node child, const Node *parents, unsigned size) const {
  double sum = most_[child];
  for (unsigned i = 0; i < size; ++i)
    sum -= std::max(0.0, worth_.of_arc(parents[i], child));
  return std::max(0.0, sum);
}

} // namespace optbn
