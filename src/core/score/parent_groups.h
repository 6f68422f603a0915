// ParentGroups: the families of a batch scored parent set by parent set, so that they share the
// work on the parents.
#pragma once

#include "core/base/parallel.h"
#include "core/score/local_score.h"
#include "core/score/set_table.h"

#include <algorithm>
#include <memory>
#include <numeric>

namespace optbn {

// The families of a batch by their parents.
class ParentGroups {
public:
  ParentGroups(const FamilyBatch &batch, Node universe)
      : batch_(batch), sets_(batch.parents, universe, batch.size()), group_(batch.size()),
        family_(batch.size()) {
    for (std::size_t i = 0; i < batch.size(); ++i)
      group_[i] = sets_.insert(batch.parents_of(i));
    first_.assign(sets_.size() + 1, 0);
    for (const std::uint32_t g : group_)
      ++first_[g + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t i = 0; i < batch.size(); ++i)
      family_[next[group_[i]]++] = i;
  }

  std::size_t size() const { return sets_.size(); }
  const Node *parents(std::size_t group) const {
    return sets_.set(static_cast<std::uint32_t>(group));
  }

  // The group of a family of the batch.
  std::size_t group(std::size_t family) const { return group_[family]; }

  // Scores all families, one group a task: make() makes a thread's workspace, and
  // solve(worker, group, children) returns the children's scores, valid until its next call. Groups
  // of large cost(group) come first, so that no thread is left with one of them at the end.
  template <class Make, class Cost, class Solve>
  void score(Watch &watch, FamilyScores &result, Make &&make, Cost &&cost, Solve &&solve) const {
    result.score.assign(batch_.size(), 0);
    std::vector<double> costs(size());
    std::vector<std::size_t> order(size());
    for (std::size_t g = 0; g < size(); ++g) {
      costs[g] = cost(g);
      order[g] = g;
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return costs[a] > costs[b]; });
    std::vector<decltype(make())> workers(std::max(1u, watch.host().threads));
    parallel_for(watch, size(), [&](std::size_t task, unsigned thread) {
      if (!workers[thread])
        workers[thread] = make();
      const std::size_t g = order[task], families = first_[g + 1] - first_[g];
      const std::size_t *family = family_.data() + first_[g];
      std::vector<Node> children(families);
      for (std::size_t i = 0; i < families; ++i)
        children[i] = batch_.child[family[i]];
      const std::vector<double> &scores = solve(*workers[thread], g, children);
      for (std::size_t i = 0; i < families; ++i)
        result.score[family[i]] = scores[i];
      watch.advance(families);
    });
  }

private:
  const FamilyBatch &batch_;
  SetTable sets_;
  std::vector<std::uint32_t> group_; // by family
  std::vector<std::size_t> first_;   // group g: family_[first_[g]] .. family_[first_[g + 1] - 1]
  std::vector<std::size_t> family_;
};

} // namespace optbn
