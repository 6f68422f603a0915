#include "check.h"

#include "core/base/random.h"
#include "core/structure/cp/decision_tree.h"

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

using namespace optbn;

namespace {

// The results of a domain's queries, computed from every set.
template <unsigned Words> struct Model {
  std::vector<BitSet<Words>> set;
  std::vector<Cost> reduced;
  std::vector<bool> live;
  Cost least_reduced = 0;

  bool zero(Rank rank) const { return live[rank] && reduced[rank] == least_reduced; }
  Rank first_inside(const BitSet<Words> &allowed, bool zeros) const {
    for (Rank rank = 0; rank < set.size(); ++rank)
      if ((zeros ? zero(rank) : live[rank]) && set[rank].inside(allowed))
        return rank;
    return kNoSet;
  }
  Cost least_outside(const BitSet<Words> &cluster) const {
    Cost least = kNoCost;
    for (Rank rank = 0; rank < set.size(); ++rank)
      if (live[rank] && !set[rank].intersects(cluster))
        least = std::min(least, reduced[rank] - least_reduced);
    return least;
  }
  void change_price(const BitSet<Words> &cluster, Cost amount) {
    for (Rank rank = 0; rank < set.size(); ++rank)
      if (live[rank] && !set[rank].intersects(cluster))
        reduced[rank] -= amount;
  }
};

template <unsigned Words>
BitSet<Words> random_set(unsigned universe, unsigned most, Random &random) {
  BitSet<Words> set;
  for (unsigned size = random.below(most + 1); size > 0; --size)
    set.insert(random.below(universe));
  return set;
}

template <unsigned Words>
void check_same(const DecisionTree<Words> &tree, const Model<Words> &model, unsigned universe,
                Random &random) {
  CHECK_EQUAL(tree.least_reduced(), model.least_reduced);
  CHECK_EQUAL(tree.live(), std::count(model.live.begin(), model.live.end(), true));
  bool any_zero = false;
  for (Rank rank = 0; rank < tree.size(); ++rank) {
    CHECK(tree.set(rank) == model.set[rank]);
    CHECK_EQUAL(tree.is_live(rank), model.live[rank]);
    CHECK_EQUAL(tree.is_zero(rank), model.zero(rank));
    if (model.live[rank])
      CHECK_EQUAL(tree.reduced(rank), model.reduced[rank]);
    any_zero = any_zero || model.zero(rank);
  }
  CHECK_EQUAL(tree.has_zero(), any_zero);
  Rank visited = 0;
  tree.for_each_live([&](const BitSet<Words> &, Cost) { ++visited; });
  CHECK_EQUAL(visited, tree.live());
  for (unsigned i = 0; i < 6; ++i) {
    const BitSet<Words> allowed = random_set<Words>(universe, i * universe / 2, random);
    CHECK_EQUAL(tree.cheapest_inside(allowed), model.first_inside(allowed, false));
    CHECK_EQUAL(tree.slack_outside(allowed), model.least_outside(allowed));
    const Rank live = tree.live_inside(allowed), zero = tree.zero_inside(allowed);
    CHECK_EQUAL(live == kNoSet, model.first_inside(allowed, false) == kNoSet);
    CHECK(live == kNoSet || (model.live[live] && model.set[live].inside(allowed)));
    CHECK_EQUAL(zero == kNoSet, model.first_inside(allowed, true) == kNoSet);
    CHECK(zero == kNoSet || (model.zero(zero) && model.set[zero].inside(allowed)));
  }
}

// Random changes, each checked; then all of them undone, each checked again.
template <unsigned Words>
void check_changes(unsigned universe, unsigned sets, const TreeOptions &options, Random &random) {
  std::set<BitSet<Words>> distinct;
  for (unsigned i = 0; i < sets; ++i)
    distinct.insert(random_set<Words>(universe, 5, random));
  Model<Words> model;
  model.set.assign(distinct.begin(), distinct.end());
  random.shuffle(model.set);
  for (std::size_t i = 0; i < model.set.size(); ++i)
    model.reduced.push_back(random.below(6));
  std::sort(model.reduced.begin(), model.reduced.end());
  model.live.assign(model.set.size(), true);

  DecisionTree<Words> tree(model.set, model.reduced, 0, options);
  struct Undo {
    Model<Words> before;
    std::function<void()> undo;
  };
  std::vector<Undo> trail;
  check_same(tree, model, universe, random);
  for (unsigned step = 0; step < 40 && tree.live() > 0; ++step) {
    const Model<Words> before = model;
    const BitSet<Words> cluster = random_set<Words>(universe, universe / 2 + 1, random);
    if (!tree.has_zero()) {
      const Cost former = model.least_reduced;
      model.least_reduced += model.least_outside({});
      tree.raise_least_reduced();
      trail.push_back({before, [&tree, former] { tree.restore_least_reduced(former); }});
    } else if (random.below(3) == 0) {
      const Rank former = tree.live();
      const auto removed = [&](Rank rank) { return rank % 7 == step % 7; };
      for (Rank rank = 0; rank < tree.size(); ++rank)
        model.live[rank] = model.live[rank] && !removed(rank);
      tree.remove_if([&](Rank rank, const BitSet<Words> &set, Cost reduced) {
        CHECK(set == model.set[rank]);
        CHECK_EQUAL(reduced, model.reduced[rank]);
        return removed(rank);
      });
      trail.push_back({before, [&tree, former] { tree.restore(former); }});
    } else {
      // A price rises until a set has the least reduced cost, or falls.
      const Cost slack = tree.slack_outside(cluster);
      const Cost amount = slack > 0 && slack < kNoCost ? slack : -Cost{random.below(4)} - 1;
      model.change_price(cluster, amount);
      tree.change_prices({{cluster, amount}});
      trail.push_back({before, [&tree, cluster, amount] {
                         tree.change_prices({{cluster, -amount}});
                       }});
    }
    check_same(tree, model, universe, random);
  }
  for (; !trail.empty(); trail.pop_back()) {
    trail.back().undo();
    check_same(tree, trail.back().before, universe, random);
  }
}

std::vector<TreeOptions> all_options() {
  std::vector<TreeOptions> all{{SplitRule::none, true}};
  for (const SplitRule rule :
       {SplitRule::information_gain, SplitRule::most_frequent, SplitRule::balanced})
    for (const bool implied : {false, true})
      all.push_back({rule, implied});
  return all;
}

} // namespace

TEST(decision_tree_answers_queries_as_a_list_does) {
  std::uint64_t seed = 0;
  for (const TreeOptions &options : all_options())
    for (const unsigned sets : {0u, 1u, 5u, 60u, 400u}) {
      Random random(++seed);
      check_changes<1>(12, sets, options, random);
      check_changes<1>(64, sets, options, random);
      check_changes<2>(100, sets, options, random);
    }
}

TEST(decision_tree_beyond_two_words) {
  Random random(1);
  check_changes<16>(1000, 200, {}, random);
}
