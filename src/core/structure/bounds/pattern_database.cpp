#include "core/structure/bounds/pattern_database.h"

#include "core/base/errors.h"
#include "core/base/invariant.h"
#include "core/base/log_sum.h"
#include "core/base/parallel.h"
#include "core/structure/engines/subset_dp.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace optbn {

namespace {

// The subset dynamic programming on one group takes a few milliseconds.
constexpr std::size_t kGroupNodes = 18;

using Group = std::vector<Node>;

bool contains(const Problem &problem, Node v, std::size_t set, Node u) {
  return problem.domains[v].mask[set * problem.words + u / 64] >> (u % 64) & 1;
}

double best_score(const Domain &domain) { return domain.size() ? domain.score[0] : kLogZero; }

// What v loses without u as a parent: positive when u is in v's best set, infinite when in all.
double loss_without(const Problem &problem, Node v, Node u) {
  const Domain &domain = problem.domains[v];
  std::size_t i = 0;
  while (i < domain.size() && contains(problem, v, i, u))
    ++i;
  return domain.score[0] - (i < domain.size() ? domain.score[i] : kLogZero);
}

// Repeatedly merges the two groups with the strongest tie whose sizes allow it; the tie of two
// groups is the score that their nodes would lose without each other as parents. A strong tie is
// likely to be part of a cycle of best sets, which the relaxation then has to break.
class Grouping {
public:
  explicit Grouping(const Problem &problem) : groups_(problem.size()), ties_(problem.size()) {
    for (Node v = 0; v < problem.size(); ++v) {
      groups_[v] = {v};
      for (Node u = 0; u < problem.size(); ++u)
        if (contains(problem, v, 0, u)) {
          const double loss = loss_without(problem, v, u);
          ties_[v][u] += loss;
          ties_[u][v] += loss;
        }
    }
  }

  // Any grouping gives a bound, so merging may stop early.
  std::vector<Group> groups(Watch &watch) {
    while (!watch.stopped() && merge_most_tied())
      continue;
    merge_what_fits();
    return std::move(groups_);
  }

private:
  bool fit(std::size_t a, std::size_t b) const {
    return groups_[a].size() + groups_[b].size() <= kGroupNodes;
  }

  bool merge_most_tied() {
    double strongest = 0;
    std::size_t to = 0, from = 0;
    for (std::size_t a = 0; a < groups_.size(); ++a)
      for (const auto &[b, tie] : ties_[a])
        if (tie > strongest && fit(a, b)) {
          strongest = tie;
          to = a;
          from = b;
        }
    if (to == from)
      return false;
    for (const auto &[other, tie] : ties_[from]) {
      ties_[other].erase(from);
      if (other != to) {
        ties_[other][to] += tie;
        ties_[to][other] += tie;
      }
    }
    ties_[from].clear();
    merge(to, from);
    return true;
  }

  // Fewer, larger groups can only tighten the bound. Each group joins the first with room for it.
  void merge_what_fits() {
    for (std::size_t from = 1; from < groups_.size(); ++from)
      for (std::size_t to = 0; to < from && !groups_[from].empty(); ++to)
        if (!groups_[to].empty() && fit(to, from))
          merge(to, from);
    groups_.erase(std::remove(groups_.begin(), groups_.end(), Group()), groups_.end());
  }

  void merge(std::size_t to, std::size_t from) {
    groups_[to].insert(groups_[to].end(), groups_[from].begin(), groups_[from].end());
    groups_[from].clear();
  }

  std::vector<Group> groups_;                       // empty: merged into another
  std::vector<std::map<std::size_t, double>> ties_; // of a group with others
};

// The candidate sets of a group's nodes with only the parents inside the group left in them.
Problem restricted(const Problem &problem, const Group &group) {
  Problem result;
  result.domains.resize(group.size());
  std::vector<bool> seen;
  for (std::size_t v = 0; v < group.size(); ++v) {
    const Domain &all = problem.domains[group[v]];
    Domain &domain = result.domains[v];
    seen.assign(std::size_t{1} << group.size(), false);
    for (std::size_t i = 0; i < all.size() && !seen[0]; ++i) {
      std::uint64_t parents = 0;
      for (std::size_t u = 0; u < group.size(); ++u)
        parents |= std::uint64_t{contains(problem, group[v], i, group[u])} << u;
      if (seen[parents])
        continue; // a better set has the same parents in the group
      seen[parents] = true;
      domain.score.push_back(all.score[i]);
      domain.mask.push_back(parents);
      domain.origin.push_back(static_cast<std::uint32_t>(i));
    }
  }
  return result;
}

// The optimum of a group when parents outside it are free.
double group_optimum(const Problem &problem, const Group &group) {
  const Host undisturbed;
  Watch watch(undisturbed);
  try {
    return subset_dp(restricted(problem, group), watch).score;
  } catch (const Infeasible &) {
    return kLogZero;
  }
}

} // namespace

double pattern_database_bound(const Problem &problem, Watch &watch) {
  for (const Domain &domain : problem.domains)
    if (best_score(domain) == kLogZero)
      return kLogZero;
  const std::vector<Group> groups = Grouping(problem).groups(watch);
  std::vector<double> bounds;
  for (const Group &group : groups)
    bounds.push_back(std::accumulate(group.begin(), group.end(), 0.0, [&](double sum, Node v) {
      return sum + problem.domains[v].score[0];
    }));
  parallel_for(watch, groups.size(), [&](std::size_t i, unsigned) {
    [[maybe_unused]] const double most = bounds[i];
    bounds[i] = group_optimum(problem, groups[i]);
    OPTBN_INVARIANT(about_at_most(bounds[i], most),
                    "no group scores more than its nodes' best sets");
  });
  return std::accumulate(bounds.begin(), bounds.end(), 0.0);
}

} // namespace optbn
