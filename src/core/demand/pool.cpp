#include "core/demand/pool.h"

#include "core/base/ascending.h"
#include "core/base/parallel.h"
#include "core/score/mixed_families.h"

#include <numeric>

namespace optbn {

namespace {

// Every set of a node whose score is known, once.
FamilyTable all_known(const FamilyTable &table) {
  FamilyTable all;
  for (std::uint32_t i = 0; i < table.size(); ++i)
    all.add(table.members(i), table[i].score);
  for (std::uint32_t i = 0; i < table.size(); ++i)
    for (const FamilyTable::Extension &extension : table[i].extensions)
      if (extension.family == FamilyTable::kNone)
        all.add(with(table.members(i), extension.added), extension.score);
  return all;
}

// The numbers of the sets that score more than all their known subsets, best first.
std::vector<std::uint32_t> undominated(const FamilyTable &all) {
  std::vector<std::uint32_t> numbers(all.size());
  std::iota(numbers.begin(), numbers.end(), 0u);
  std::stable_sort(numbers.begin(), numbers.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return all[a].size < all[b].size; });
  std::vector<double> best(all.size()); // of a set and its known subsets
  std::vector<std::uint32_t> kept;
  std::vector<Node> rest;
  for (const std::uint32_t i : numbers) {
    double subsets = -LocalScore::kInfinity;
    for (std::uint32_t out = 0; out < all[i].size; ++out) {
      rest = all.members(i);
      rest.erase(rest.begin() + out);
      const std::uint32_t subset = all.find(rest);
      if (subset != FamilyTable::kNone)
        subsets = std::max(subsets, best[subset]);
    }
    best[i] = std::max(subsets, all[i].score);
    if (all[i].score > subsets)
      kept.push_back(i);
  }
  std::stable_sort(kept.begin(), kept.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return all[a].score > all[b].score; });
  return kept;
}

CandidateSets candidates_of(const FamilyTable &table, const std::vector<Node> &in_use,
                            std::size_t most, std::uint32_t root) {
  const FamilyTable all = all_known(table);
  const std::uint32_t used = all.find(in_use);
  CandidateSets sets;
  std::size_t count = 0;
  for (const std::uint32_t i : undominated(all))
    if (count++ < most || all[i].size <= root + 1 || i == used)
      sets.add(all[i].score, all.begin_of(i), all.end_of(i));
  sets.sort();
  return sets;
}

} // namespace

ParentSets collect_pool(const Growth &growth, const std::vector<std::vector<Node>> &in_use,
                        std::size_t most, Watch &watch) {
  ParentSets pool;
  pool.nodes.resize(growth.size());
  parallel_for(watch, growth.size(), [&](std::size_t v, unsigned) {
    const auto node = static_cast<Node>(v);
    const auto root = static_cast<std::uint32_t>(growth.rules().required[v].size());
    pool.nodes[v] = candidates_of(growth.table(node), in_use[v], most, root);
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
