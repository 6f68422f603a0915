// Reduced-error pruning of cutset networks (Rahman, Kothalkar & Gogate 2014).
#include "core/density/cuts/cutset_learning.h"

#include "core/density/counts/slice.h"
#include "core/density/cuts/cut_rules.h"
#include "core/density/learn/spanning_tree.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>

namespace optbn {

namespace {

class Pruning {
public:
  Pruning(const CutsetNetwork &network, const Training &training, const TrainingRows &validation,
          Watch &watch)
      : network_(network), training_(training), items_(training.smoother.items()),
        validation_(validation), watch_(watch), counts_(items_.size()),
        learner_(training.smoother, &watch), instead_(network.places.size()) {}

  CutsetNetwork pruned() {
    std::vector<std::uint32_t> rows(validation_.rows());
    std::iota(rows.begin(), rows.end(), 0u);
    decide(0, training_.whole, items_.all_variables(), rows);
    CutsetNetwork result;
    result.places.push_back(network_.places[0]);
    copy(0, 0, result);
    return result;
  }

private:
  // The log-likelihood of the validation rows that come to a place, after pruning below and at it.
  double decide(std::uint32_t place, const Slice &slice, const std::vector<Node> &scope,
                const std::vector<std::uint32_t> &rows) {
    const CutsetNetwork::Place &here = network_.places[place];
    if (here.cut == CutsetNetwork::kLeaf)
      return log_likelihood(network_.leaves[here.first], rows);
    const std::vector<Node> below = without(scope, here.cut);
    double kept = 0;
    for (unsigned level = 0; level < items_.levels(here.cut); ++level) {
      std::vector<std::uint32_t> part;
      std::copy_if(rows.begin(), rows.end(), std::back_inserter(part), [&](std::uint32_t row) {
        return validation_.cells().columns[here.cut][row] == level;
      });
      const double under = decide(here.first + level, slice.part(here.cut, level), below, part);
      const double weight = weight_of(part);
      if (weight > 0)
        kept += under + weight * std::log(network_.places[here.first + level].weight);
    }
    std::optional<TreeDensity> tree = learned(slice, scope);
    if (!tree)
      return kept;
    const double of_tree = log_likelihood(*tree, rows);
    if (exceeds(kept, of_tree))
      return kept;
    instead_[place] = std::move(tree);
    return of_tree;
  }

  // The tree of a slice; none where there is no time.
  std::optional<TreeDensity> learned(const Slice &slice, const std::vector<Node> &scope) {
    if (watch_.stopped())
      return std::nullopt;
    try {
      SpanningTree tree;
      slice.count(counts_, &watch_);
      learner_.learn(counts_, scope, tree);
      return learner_.density(counts_, tree);
    } catch (const Interrupted &) {
      return std::nullopt;
    }
  }

  double weight_of(const std::vector<std::uint32_t> &rows) const {
    double sum = 0;
    for (const std::uint32_t row : rows)
      sum += validation_.weight(row);
    return sum;
  }

  double log_likelihood(const TreeDensity &tree, const std::vector<std::uint32_t> &rows) const {
    const auto &columns = validation_.cells().columns;
    double sum = 0;
    for (const TreeDensity::Member &member : tree.members) {
      const auto log_table = logarithms(tree, member);
      const bool root = member.parent == TreeDensity::kRoot;
      const auto &parents = columns[root ? member.variable : tree.members[member.parent].variable];
      const auto &levels = columns[member.variable];
      for (const std::uint32_t row : rows) {
        const std::size_t block = root ? 0 : parents[row];
        const double weight = validation_.weight(row);
        if (weight > 0)
          sum += weight * log_table[block * member.levels + levels[row]];
      }
    }
    return sum;
  }

  static std::vector<double> logarithms(const TreeDensity &tree,
                                        const TreeDensity::Member &member) {
    const unsigned blocks =
        member.parent == TreeDensity::kRoot ? 1 : tree.members[member.parent].levels;
    const auto begin = tree.tables.begin() + static_cast<std::ptrdiff_t>(member.table);
    std::vector<double> result(begin, begin + blocks * member.levels);
    for (double &x : result)
      x = std::log(x);
    return result;
  }

  // What is at a place of the network, to a place of the result, with all below it.
  void copy(std::uint32_t from, std::uint32_t to, CutsetNetwork &result) {
    const CutsetNetwork::Place &source = network_.places[from];
    result.places[to].weight = source.weight;
    if (source.cut == CutsetNetwork::kLeaf || instead_[from]) {
      result.places[to].cut = CutsetNetwork::kLeaf;
      result.places[to].first = static_cast<std::uint32_t>(result.leaves.size());
      result.leaves.push_back(instead_[from] ? *instead_[from] : network_.leaves[source.first]);
      return;
    }
    const auto first = static_cast<std::uint32_t>(result.places.size());
    result.places[to].cut = source.cut;
    result.places[to].first = first;
    result.places.resize(first + items_.levels(source.cut));
    for (unsigned level = 0; level < items_.levels(source.cut); ++level)
      copy(source.first + level, first + level, result);
  }

  const CutsetNetwork &network_;
  const Training &training_;
  const Items &items_;
  const TrainingRows &validation_;
  Watch &watch_;
  PairCounts counts_; // of the slice at hand
  TreeLearner learner_;
  std::vector<std::optional<TreeDensity>> instead_; // by place: the tree that it gives way to
};

} // namespace

CutsetNetwork prune(const CutsetNetwork &network, const Training &training,
                    const TrainingRows &validation, Watch &watch) {
  return Pruning(network, training, validation, watch).pruned();
}

} // namespace optbn
