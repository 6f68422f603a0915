#include "bag_fixtures.h"
#include "check.h"

#include "core/structure/graph.h"
#include "core/treewidth/annealing/insertion.h"
#include "core/treewidth/annealing/ordered_k_tree.h"
#include "core/treewidth/within/bag_sets.h"
#include "core/treewidth/within/k_tree_dp.h"

#include <algorithm>
#include <numeric>

using namespace optbn;

namespace {

std::vector<Node> shuffled(Node nodes, Random &random) {
  std::vector<Node> order(nodes);
  std::iota(order.begin(), order.end(), Node{0});
  random.shuffle(order);
  return order;
}

// The sum of the gains of all nodes, each by its best candidate set that is in a bag with it and
// among the nodes before it.
double gain_by_definition(const ParentSets &candidates, const SetTrie &sets, const KTree &tree,
                          const std::vector<Node> &order) {
  double total = 0;
  for (std::size_t at = 0; at < order.size(); ++at) {
    const Node v = order[at];
    double best = 0;
    for (std::size_t s = 0; s < candidates.nodes[v].size(); ++s) {
      std::vector<std::vector<Node>> family(tree.nodes);
      family[v].assign(candidates.nodes[v].begin_of(s), candidates.nodes[v].end_of(s));
      const bool precede = std::all_of(family[v].begin(), family[v].end(), [&](Node u) {
        return std::find(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(at), u) !=
               order.begin() + static_cast<std::ptrdiff_t>(at);
      });
      if (precede && families_in_bags(tree, family))
        best = std::max(best, candidates.nodes[v].score[s] - sets.baseline(v));
    }
    total += best;
  }
  return total;
}

struct Fixture {
  Fixture(Node nodes, unsigned k, Random &random, const RandomSets &shape = {})
      : candidates(random_sets(nodes, shape, random)), sets(candidates, k), cache(sets, k + 1),
        related(related_nodes(candidates, k)),
        ordered(cache, related, grown_k_tree(nodes, k, random), shuffled(nodes, random)) {}

  void check() const {
    const KTree tree = ordered.tree();
    CHECK(well_formed(tree));
    CHECK_NEAR(ordered.gain(), gain_by_definition(candidates, sets, tree, ordered.order()), 1e-8);
  }

  ParentSets candidates;
  SetTrie sets;
  BagSets cache;
  std::vector<std::vector<Node>> related;
  OrderedKTree ordered;
};

bool change(OrderedKTree &ordered, unsigned kind, double temperature, Random &random) {
  switch (kind) {
  case 0:
    return ordered.rename(temperature, random);
  case 1:
    return ordered.transplant(1 + random.below(6), 1 + random.below(8), temperature, random);
  default:
    return ordered.reorder(temperature, random);
  }
}

} // namespace

TEST(bag_sets_have_the_gains_of_the_tables_of_bags) {
  Random random(1);
  for (unsigned repeat = 0; repeat < 20; ++repeat) {
    const unsigned size = 1 + random.below(6);
    const ParentSets candidates = random_sets(8, RandomSets(), random);
    const SetTrie sets(candidates, 7);
    BagSets cache(sets, size);
    std::vector<Node> bag = shuffled(8, random);
    bag.resize(size);
    std::sort(bag.begin(), bag.end());
    std::vector<double> table(bag_table_size(size));
    bag_scores(sets, bag.data(), size, table.data());
    const BagSets::Bag *const found = cache.of(bag.data());
    CHECK(found == cache.of(bag.data()));
    CHECK(cache.bytes() > 0);
    for (unsigned place = 0; place < size; ++place)
      for (std::uint32_t before = 0; before < 1u << size; ++before)
        CHECK_EQUAL(found->gain(place, before), table[place << size | before]);
  }
}

TEST(an_insertion_is_the_best_of_all_separators_and_positions) {
  Random random(2);
  for (unsigned repeat = 0; repeat < 60; ++repeat) {
    const unsigned size = 1 + random.below(5);
    const ParentSets candidates = random_sets(7, RandomSets(), random);
    const SetTrie sets(candidates, size);
    std::vector<Node> bag = shuffled(7, random);
    const Node v = bag[size];
    bag.resize(size);
    std::sort(bag.begin(), bag.end());
    std::vector<double> rank(7), gain(7);
    for (Node u = 0; u < 7; ++u) {
      rank[u] = random.uniform();
      gain[u] = random.uniform() * sets.most(u);
    }
    // At least the gains of the members within the bag.
    BagSets cache(sets, size);
    for (unsigned place = 0; place < size; ++place) {
      std::uint32_t before = 0;
      for (unsigned other = 0; other < size; ++other)
        before |= std::uint32_t{rank[bag[other]] < rank[bag[place]]} << other;
      gain[bag[place]] = std::max(gain[bag[place]] - 1, cache.of(bag.data())->gain(place, before));
    }
    const Insertion::Choice found = Insertion(sets).best(v, bag.data(), size, rank, gain, random);

    // Every separator and position in the order, with the tables of the new bag.
    double most = -1, of_found = -1;
    for (unsigned omitted = 0; omitted < size; ++omitted) {
      std::vector<Node> with = bag;
      with[omitted] = v;
      std::sort(with.begin(), with.end());
      std::vector<double> table(bag_table_size(size));
      bag_scores(sets, with.data(), size, table.data());
      std::vector<Node> others = bag;
      others.erase(others.begin() + omitted);
      std::sort(others.begin(), others.end(), [&](Node a, Node b) { return rank[a] < rank[b]; });
      for (std::size_t position = 0; position <= others.size(); ++position) {
        std::vector<Node> order = others;
        order.insert(order.begin() + static_cast<std::ptrdiff_t>(position), v);
        double total = 0;
        std::uint32_t before = 0;
        for (const Node u : order) {
          const auto place =
              static_cast<unsigned>(std::lower_bound(with.begin(), with.end(), u) - with.begin());
          const double here = table[place << size | before];
          total += u == v ? here : std::max(here, gain[u]) - gain[u];
          before |= std::uint32_t{1} << place;
        }
        most = std::max(most, total);
        const bool after_previous = !found.previous || *found.previous == bag[omitted] ||
                                    std::find(order.begin(), order.end(), *found.previous) <
                                        std::find(order.begin(), order.end(), v);
        const bool before_next = !found.next || *found.next == bag[omitted] ||
                                 std::find(order.begin(), order.end(), v) <
                                     std::find(order.begin(), order.end(), *found.next);
        if (omitted == found.omitted && after_previous && before_next)
          of_found = std::max(of_found, total);
      }
    }
    CHECK_NEAR(found.gain, most, 1e-9);
    CHECK_NEAR(found.gain, of_found, 1e-9);
  }
}

TEST(an_ordered_k_tree_updates_its_gain_under_all_changes) {
  Random random(3);
  unsigned made = 0;
  for (const unsigned k : {0u, 1u, 2u, 4u, 9u}) {
    Fixture f(k == 9 ? 10 : 12, k, random);
    f.check();
    for (unsigned i = 0; i < 90; ++i) {
      const double before = f.ordered.gain();
      const KTree tree = f.ordered.tree();
      const std::vector<Node> order = f.ordered.order();
      const bool done = change(f.ordered, i % 3, i % 2 ? 0 : 3, random);
      if (done)
        f.check();
      if (!done || i % 4 == 0) {
        f.ordered.undo();
        CHECK_NEAR(f.ordered.gain(), before, 1e-9);
        CHECK(edges(f.ordered.tree()) == edges(tree));
        CHECK(f.ordered.order() == order);
      } else {
        f.ordered.commit();
        ++made;
      }
      if (i % 10 == 9)
        f.ordered.renumber();
      f.check();
    }
  }
  CHECK(made > 200);
}

TEST(an_ordered_k_tree_is_a_network_no_better_than_the_best_within) {
  Random random(4);
  unsigned best = 0;
  for (unsigned repeat = 0; repeat < 30; ++repeat) {
    const unsigned k = 1 + random.below(4);
    Fixture f(11, k, random);
    const double before = f.ordered.gain();
    f.ordered.improve_order(random);
    CHECK(f.ordered.gain() >= before - 1e-9);
    const Network network = f.ordered.network(f.candidates);
    const Graph graph = graph_of(f.candidates, network);
    CHECK(covers(f.ordered.tree(), graph));
    CHECK(acyclic(graph));
    CHECK_NEAR(network.score, f.sets.baseline_sum() + f.ordered.gain(), 1e-8);
    const double top = best_within(f.ordered.tree(), f.candidates, f.sets).score;
    CHECK(network.score <= top + 1e-8);
    best += network.score > top - 1e-8;
  }
  CHECK(best > 10); // moving single nodes seldom leaves much
}

TEST(a_node_without_a_candidate_set_makes_the_network_empty) {
  Random random(5);
  RandomSets shape;
  shape.without_empty = 1;
  Fixture f(6, 0, random, shape);
  CHECK(f.ordered.network(f.candidates).empty());
  CHECK(f.sets.penalty() > 0);
}

TEST(gaps_in_the_order_are_restored) {
  Random random(6);
  Fixture f(5, 4, random);
  for (unsigned i = 0; i < 20000; ++i)
    if (f.ordered.reorder(1, random))
      f.ordered.commit();
    else {
      f.ordered.undo();
      f.ordered.renumber();
    }
  f.check();
}

TEST(bags_are_cached_again_after_the_cache_is_cleared) {
  Random random(7);
  Fixture f(12, 3, random);
  const double gain = f.ordered.gain();
  f.cache.clear();
  CHECK_EQUAL(f.cache.bytes(), 0.0);
  f.ordered.refresh(f.cache);
  f.ordered.renumber();
  CHECK_NEAR(f.ordered.gain(), gain, 1e-9);
}
