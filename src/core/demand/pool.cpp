#include "core/demand/pool.h"

#include "core/base/ascending.h"
#include "core/base/parallel.h"
#include "core/score/mixed_families.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace optbn {

namespace {

// A set of a node whose score is known: one in its table, or an extension of that.
struct Known {
  double score;
  std::uint32_t family, extension; // FamilyTable::kNone: the set itself

  std::vector<Node> members(const FamilyTable &table) const {
    std::vector<Node> set = table.members(family);
    if (extension != FamilyTable::kNone)
      insert(set, table[family].extensions[extension].added);
    return set;
  }
  bool operator<(const Known &other) const { // best first
    return score != other.score     ? score > other.score
           : family != other.family ? family < other.family
                                    : extension < other.extension;
  }
};

std::vector<Known> all_known(const FamilyTable &table) {
  std::vector<Known> all;
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    all.push_back({table[i].score, i, FamilyTable::kNone});
    const std::vector<FamilyTable::Extension> &extensions = table[i].extensions;
    for (std::uint32_t j = 0; j < extensions.size(); ++j)
      if (extensions[j].family == FamilyTable::kNone)
        all.push_back({extensions[j].score, i, j});
  }
  return all;
}

// The numbers of the sets that score more than all their subsets in the table, best first.
std::vector<std::uint32_t> undominated(const FamilyTable &all) {
  std::vector<std::uint32_t> numbers(all.size());
  std::iota(numbers.begin(), numbers.end(), 0u);
  std::stable_sort(numbers.begin(), numbers.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return all[a].size < all[b].size; });
  std::vector<double> best(all.size()); // of a set and its subsets
  std::vector<std::uint32_t> best_sets;
  for (const std::uint32_t i : numbers) {
    double subsets = -LocalScore::kInfinity;
    for (const Node *u = all.begin_of(i); u != all.end_of(i); ++u) {
      const std::uint32_t subset = all.find_without(i, *u);
      if (subset != FamilyTable::kNone)
        subsets = std::max(subsets, best[subset]);
    }
    best[i] = std::max(subsets, all[i].score);
    if (all[i].score > subsets)
      best_sets.push_back(i);
  }
  std::stable_sort(best_sets.begin(), best_sets.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return all[a].score > all[b].score; });
  return best_sets;
}

// The best sets of a node, so many, that score more than their subsets; those of at most `small`
// parents; and the one in use. A set that dominates another scores as much and so comes before it:
// only the best sets are examined, and more of them as long as too few are undominated.
CandidateSets candidates_of(const FamilyTable &table, const std::vector<Node> &in_use,
                            std::size_t most, std::uint32_t small) {
  std::vector<Known> known = all_known(table);
  FamilyTable best;
  const std::uint32_t used = best.add(in_use, table[table.find(in_use)].score);
  const auto add = [&](auto first, auto last) {
    std::sort(first, last);
    for (; first != last; ++first)
      best.add(first->members(table), first->score);
    return undominated(best);
  };
  auto next = std::partition(known.begin(), known.end(), [&](const Known &set) {
    return table[set.family].size + (set.extension == FamilyTable::kNone ? 0 : 1) <= small;
  });
  std::vector<std::uint32_t> best_sets = add(known.begin(), next);
  double left_out = LocalScore::kInfinity; // no set that is left out scores more
  const auto incomplete = [&] {
    return best_sets.size() < most || best[best_sets[most - 1]].score < left_out;
  };
  for (std::size_t more = 2 * most; next != known.end() && incomplete(); more *= 2) {
    const auto left = static_cast<std::size_t>(known.end() - next);
    const auto last = next + static_cast<std::ptrdiff_t>(std::min(more, left));
    std::nth_element(next, last, known.end());
    best_sets = add(next, last);
    next = last;
    left_out = std::prev(last)->score;
  }
  CandidateSets sets;
  std::size_t count = 0;
  for (const std::uint32_t i : best_sets)
    if (count++ < most || best[i].size <= small || i == used)
      sets.add(best[i].score, best.begin_of(i), best.end_of(i));
  sets.sort();
  return sets;
}

} // namespace

ParentSets collect_pool(const Growth &growth, const std::vector<std::vector<Node>> &in_use,
                        PoolSize most, Watch &watch) {
  ParentSets pool;
  pool.nodes.resize(growth.size());
  parallel_for(watch, growth.size(), [&](std::size_t v, unsigned) {
    const auto node = static_cast<Node>(v);
    const auto root = static_cast<std::uint32_t>(growth.rules().required[v].size());
    const std::size_t sets =
        std::min(most.sets, most.parents / std::max<std::size_t>(1, in_use[v].size()));
    pool.nodes[v] = candidates_of(growth.table(node), in_use[v], sets, root + 1);
  });
  return pool;
}

std::size_t find_set(const CandidateSets &sets, const std::vector<Node> &set) {
  std::size_t i = 0;
  while (i < sets.size() && !std::equal(set.begin(), set.end(), sets.begin_of(i), sets.end_of(i)))
    ++i;
  return i;
}

void rescore(ParentSets &pool, LocalScore &score, Watch &watch) {
  MixedFamilies families;
  for (Node v = 0; v < pool.size(); ++v)
    for (std::size_t i = 0; i < pool.nodes[v].size(); ++i)
      families.add(v, pool.nodes[v].begin_of(i), pool.nodes[v].end_of(i));
  const std::vector<double> scores = families.score(score, watch);
  if (watch.stopped())
    return;
  auto next = scores.begin();
  for (CandidateSets &sets : pool.nodes) {
    for (double &one : sets.score)
      one = *next++;
    sets.sort();
  }
}

} // namespace optbn
