// TableScore::extend(): scores of tables that differ in one parent, from shared counts.

#include "core/base/ascending.h"
#include "core/score/table/table_score.h"

#include <algorithm>

namespace optbn {

namespace {

// Sum of the weights of all joint cells, less that of all cells of the parents.
template <class Joint, class Parent>
double weigh_table(const std::uint32_t *counts, std::size_t cells, unsigned child_levels,
                   unsigned levels, const Joint &joint, const Parent &parent) {
  double sum = 0;
  for (std::size_t cell = 0; cell < cells; ++cell, counts += child_levels * levels)
    for (unsigned level = 0; level < levels; ++level) {
      std::uint64_t total = 0;
      for (unsigned k = 0; k < child_levels; ++k) {
        const std::uint32_t n = counts[k * levels + level];
        sum += joint(n);
        total += n;
      }
      sum -= parent(total);
    }
  return sum;
}

} // namespace

// The work and the workspace of one thread.
class TableScore::Extender {
public:
  Extender(const TableScore &score, const CountedRows &rows)
      : score_(score), counter_(rows), sets_(rows) {}

  void run(Extensions &family, const ExtensionWeights &weights, Watch &watch) {
    const auto size = static_cast<unsigned>(family.parents.size());
    const bool grouped = counter_.group(family.child, family.parents.data(), size);
    const double r = score_.levels(family.child), q = score_.cells(family.parents.data(), size);
    family.score.resize(family.added.size());
    for (std::size_t i = 0; i < family.added.size() && !watch.stopped(); ++i) {
      const Node u = family.added[i];
      const unsigned levels = score_.levels_[u];
      const std::uint32_t joint = weights.joint.at(levels), parent = weights.parent.at(levels);
      const std::uint32_t *counts = grouped ? counter_.count(u) : nullptr;
      const double fit = counts ? weigh(counts, score_.levels_[family.child], levels, joint, parent)
                                : weigh_cell_counts(family, u, joint, parent);
      family.score[i] = fit - score_.penalty(r, q * levels);
    }
  }

private:
  double weigh(const std::uint32_t *counts, unsigned child_levels, unsigned levels,
               std::uint32_t joint, std::uint32_t parent) const {
    const auto by = [&](const auto &w_joint, const auto &w_parent) {
      return weigh_table(counts, counter_.cells(), child_levels, levels, w_joint, w_parent);
    };
    if (!score_.is_likelihood())
      return by(score_.weights_[joint], score_.weights_[parent]);
    return parent == 0 ? by(score_.n_log_n_, score_.n_log_n_)
                       : by(score_.n_log_n_, score_.regretted_[parent - 1]);
  }

  // For more cells than a table may have.
  double weigh_cell_counts(const Extensions &family, Node u, std::uint32_t joint,
                           std::uint32_t parent) {
    const auto weight = [this](const std::vector<Node> &set, std::uint32_t w) {
      return score_.weigh(sets_.count(set.data(), static_cast<unsigned>(set.size())), w);
    };
    const std::vector<Node> parents = with(family.parents, u);
    return weight(with(parents, family.child), joint) - weight(parents, parent);
  }

  const TableScore &score_;
  ExtensionCounter counter_;
  CellCounter sets_;
};

// The weight of a cell depends in bds on the number of occupied cells, known only after counting.
void TableScore::extend(std::vector<Extensions> &batch, Watch &watch) {
  const CountedRows *rows = counter_->rows();
  if (!rows || kind_ == TableKind::bds) {
    LocalScore::extend(batch, watch);
    return;
  }
  std::vector<ExtensionWeights> weights;
  for (const Extensions &family : batch)
    weights.push_back(extension_weights(family));
  extenders_.resize(std::max<std::size_t>(extenders_.size(), watch.host().threads));
  const auto run = [&](std::size_t i, unsigned worker) {
    if (!extenders_[worker])
      extenders_[worker] = std::make_shared<Extender>(*this, *rows);
    extenders_[worker]->run(batch[i], weights[i], watch);
  };
  for_each_family(batch, static_cast<double>(rows->rows.rows), watch, run);
}

TableScore::ExtensionWeights TableScore::extension_weights(const Extensions &family) {
  ExtensionWeights weights;
  std::vector<Node> set = family.parents;
  for (const Node u : family.added) {
    const unsigned levels = levels_[u];
    if (weights.joint.count(levels))
      continue;
    set.push_back(u); // weights depend on the product of levels, so any order does
    const auto size = static_cast<unsigned>(set.size());
    weights.joint[levels] = joint_weight(family.child, set.data(), size, 0);
    weights.parent[levels] = parent_weight(family.child, set.data(), size, 0);
    set.pop_back();
  }
  return weights;
}

} // namespace optbn
