#include "bag_fixtures.h"
#include "check.h"

#include "core/base/errors.h"
#include "core/structure/graph.h"
#include "core/treewidth/bounded_search.h"

#include <numeric>

using namespace optbn;

namespace {

BoundedResult search(const ParentSets &candidates, unsigned k, BoundedOptions options = {},
                     Host host = {}) {
  Watch watch(host);
  return bounded_search(candidates, k, options, watch);
}

Host without_time() { return host_stopping_after(0, 1, StopReason::time_limit); }

// So few steps that the search does not finish.
BoundedOptions hasty(unsigned iterations = 2) {
  BoundedOptions options;
  options.method = BoundedMethod::local;
  options.iterations = iterations;
  return options;
}

BoundedOptions continuing(const BoundedResult &found) {
  BoundedOptions options;
  options.start = found.tree;
  options.known = found.network;
  options.bound = found.bound;
  options.unbounded_solved = found.unbounded_proved;
  return options;
}

BoundedOptions staying_within(const KTree &tree) {
  BoundedOptions options;
  options.method = BoundedMethod::within;
  options.start = tree;
  return options;
}

// The candidate sets that are in a bag of the k-tree together with their node.
ParentSets sets_within(const KTree &tree, const ParentSets &candidates) {
  ParentSets result;
  result.nodes.resize(candidates.size());
  for (Node v = 0; v < candidates.size(); ++v)
    for (std::size_t i = 0; i < candidates.nodes[v].size(); ++i) {
      std::vector<std::vector<Node>> family(candidates.size());
      family[v].assign(candidates.nodes[v].begin_of(i), candidates.nodes[v].end_of(i));
      if (families_in_bags(tree, family))
        result.nodes[v].add(candidates.nodes[v].score[i], candidates.nodes[v].begin_of(i),
                            candidates.nodes[v].end_of(i));
    }
  return result;
}

} // namespace

TEST(bounded_search_covers_its_network_and_respects_its_bound) {
  Random random(1);
  unsigned proved = 0;
  for (unsigned repeat = 0; repeat < 12; ++repeat) {
    const auto nodes = static_cast<Node>(5 + random.below(4));
    const ParentSets candidates = random_sets(nodes, RandomSets(), random);
    double before = -std::numeric_limits<double>::infinity();
    const double unbounded = best_over_subsets(whole_problem(candidates));
    for (unsigned k = 0; k < nodes; ++k) {
      const BoundedResult found = search(candidates, k);
      CHECK(well_formed(found.tree));
      CHECK_EQUAL(found.tree.k, k);
      CHECK(covers(found.tree, graph_of(candidates, found.network)));
      CHECK(found.network.score >= before - 1e-9);
      CHECK(found.bound >= found.network.score);
      CHECK(found.bound <= unbounded + 1e-9);
      CHECK_EQUAL(found.proved, found.bound - found.network.score <= 1e-9);
      before = found.network.score;
      proved += found.proved;
    }
    CHECK_NEAR(before, unbounded, 1e-9);
  }
  CHECK(proved > 12);
}

TEST(bounded_search_without_time_has_a_network_and_a_bound) {
  Random random(2);
  const ParentSets candidates = random_sets(12, RandomSets(), random);
  const BoundedResult found = search(candidates, 2, {}, without_time());
  CHECK(!found.network.empty());
  CHECK(found.bound >= found.network.score);
  CHECK(found.proved || found.stop == StopReason::time_limit);
}

TEST(bounded_search_throws_when_no_network_is_narrow_enough) {
  // Every family is forced; the four of them make a clique.
  ParentSets candidates;
  candidates.nodes.resize(4);
  const std::vector<std::vector<Node>> parents = {{}, {0}, {0, 1}, {1, 2}};
  for (Node v = 0; v < 4; ++v)
    candidates.nodes[v].add(-1, parents[v].data(), parents[v].data() + parents[v].size());
  CHECK_EQUAL(search(candidates, 2).network.score, -4.0);
  const std::vector<Node> both = {0, 1, 2};
  candidates.nodes[3] = {};
  candidates.nodes[3].add(-1, both.data(), both.data() + 3);
  CHECK_EQUAL(search(candidates, 3).network.score, -4.0);
  CHECK_THROWS(search(candidates, 2), Infeasible);
}

TEST(bounded_search_may_end_within_the_gap) {
  Random random(3);
  const ParentSets candidates = random_sets(9, RandomSets(), random);
  BoundedOptions options;
  options.gap = 1e6;
  const BoundedResult found = search(candidates, 1, options);
  CHECK(found.bound - found.network.score <= options.gap);
  CHECK_EQUAL(found.steps, 0.0);
}

TEST(bounded_search_continues_an_earlier_one) {
  Random random(4);
  unsigned better = 0;
  for (unsigned repeat = 0; repeat < 8; ++repeat) {
    const ParentSets candidates = random_sets(11, RandomSets(), random);
    const BoundedResult before = search(candidates, 2, hasty());
    CHECK(before.unbounded_proved);
    CHECK(before.subsets > 0);
    const double best = search(candidates, 2).network.score;

    BoundedOptions options = continuing(before);
    const BoundedResult still = search(candidates, 2, options, without_time());
    CHECK(still.network.score >= before.network.score);
    CHECK_EQUAL(still.subsets, 0.0);

    options.method = BoundedMethod::exact;
    const BoundedResult after = search(candidates, 2, options);
    CHECK(after.proved);
    CHECK_NEAR(after.network.score, best, 1e-9);
    CHECK(covers(after.tree, graph_of(candidates, after.network)));
    CHECK(after.bound <= before.bound);
    CHECK_EQUAL(after.subsets, 0.0);
    CHECK_EQUAL(after.trace.front().score, before.network.score);
    better += after.network.score > before.network.score;
  }
  CHECK(better > 0);
}

TEST(bounded_search_keeps_a_network_that_local_search_cannot_index) {
  // For k above its largest width it begins without the known k-tree.
  Random random(5);
  const ParentSets candidates = random_sets(10, RandomSets(), random);
  const BoundedResult before = search(candidates, 7);
  BoundedOptions options = continuing(before);
  options.method = BoundedMethod::local;
  options.bound += 1;
  options.unbounded_solved = true;
  options.iterations = 1;
  const BoundedResult after = search(candidates, 7, options, without_time());
  CHECK_EQUAL(after.tree.k, 7U);
  CHECK_EQUAL(after.network.score, before.network.score);
  CHECK(after.engine == BoundedResult::Engine::earlier);
}

TEST(bounded_search_ends_at_the_bound_of_an_earlier_one) {
  Random random(6);
  const ParentSets candidates = random_sets(11, RandomSets(), random);
  const BoundedResult before = search(candidates, 2, hasty());
  BoundedOptions options = continuing(before);
  options.bound = before.network.score;
  const BoundedResult proved = search(candidates, 2, options);
  CHECK(proved.proved);
  CHECK_EQUAL(proved.steps, 0.0);
  options.bound = before.network.score + 1;
  options.gap = 1;
  const BoundedResult near = search(candidates, 2, options);
  CHECK(!near.proved);
  CHECK_EQUAL(near.steps, 0.0);
}

TEST(bounded_search_without_a_network_begins_with_the_k_tree) {
  // As with other data: only the k-tree can be used again.
  Random random(7);
  const ParentSets candidates = random_sets(12, RandomSets(), random);
  const BoundedResult best = search(candidates, 3);
  BoundedOptions options = hasty();
  CHECK(search(candidates, 3, options, without_time()).network.score < best.network.score);
  options.start = best.tree;
  CHECK_NEAR(search(candidates, 3, options, without_time()).network.score, best.network.score,
             1e-9);
}

TEST(bounded_search_finds_the_best_network_within_a_k_tree) {
  Random random(8);
  unsigned worse = 0;
  for (unsigned repeat = 0; repeat < 30; ++repeat) {
    const auto nodes = static_cast<Node>(4 + random.below(6));
    const unsigned k = random.below(std::min<unsigned>(nodes, 5));
    const ParentSets candidates = random_sets(nodes, RandomSets(), random);
    const KTree tree = grown_k_tree(nodes, k, random);
    const double best = best_over_subsets(whole_problem(sets_within(tree, candidates)));

    BoundedOptions options = staying_within(tree);
    const BoundedResult exact = search(candidates, k, options);
    CHECK_NEAR(exact.network.score, best, 1e-9);
    CHECK(exact.proved);
    CHECK(covers(tree, graph_of(candidates, exact.network)));

    options.sampling.inner = SampledSearchOptions::Inner::sampled_orders;
    options.sampling.orders = 1;
    for (const Host &host : {Host(), without_time()}) {
      const BoundedResult sampled = search(candidates, k, options, host);
      CHECK(covers(tree, graph_of(candidates, sampled.network)));
      CHECK(sampled.network.score <= best + 1e-9);
      CHECK(sampled.bound >= best - 1e-9);
      CHECK_EQUAL(sampled.proved, sampled.bound - sampled.network.score <= 1e-9);
      worse += !sampled.proved;
    }
  }
  CHECK(worse > 0);
}

TEST(bounded_search_within_a_k_tree_without_time_has_a_network_and_a_bound) {
  Random random(9);
  const ParentSets candidates = random_sets(30, RandomSets(), random);
  const BoundedOptions options = staying_within(grown_k_tree(30, 4, random));
  const double best = search(candidates, 4, options).network.score;
  const BoundedResult found = search(candidates, 4, options, without_time());
  CHECK(!found.network.empty());
  CHECK(found.network.score <= best + 1e-9);
  CHECK(found.bound >= best - 1e-9);
  CHECK(found.proved || found.stop == StopReason::time_limit);
}

TEST(bounded_search_throws_when_a_k_tree_contains_no_network) {
  // Node 2 must have both others as parents, and no bag contains the three.
  ParentSets candidates;
  candidates.nodes.resize(3);
  const std::vector<Node> both = {0, 1};
  candidates.nodes[0].add(-1, both.data(), both.data());
  candidates.nodes[1].add(-1, both.data(), both.data());
  candidates.nodes[2].add(-1, both.data(), both.data() + 2);
  BoundedOptions options = staying_within(KTree{3, 1, {0, 1, 1, 2}, {0, 0}, {0, 2}});
  CHECK_THROWS(search(candidates, 1, options), Infeasible);
  CHECK_THROWS(search(candidates, 1, options, without_time()), TimeLimitReached);
  CHECK_THROWS(search(candidates, 1, options, host_stopping_after(0, 1)), Interrupted);
  options.sampling.inner = SampledSearchOptions::Inner::sampled_orders;
  CHECK_THROWS(search(candidates, 1, options), Infeasible);
  options.sampling.inner = SampledSearchOptions::Inner::exact;
  options.memory_limit = 1;
  CHECK_THROWS(search(candidates, 1, options), MemoryLimit);
}

TEST(bounded_search_does_not_depend_on_the_names_of_nodes) {
  Random random(10);
  for (unsigned repeat = 0; repeat < 6; ++repeat) {
    const ParentSets candidates = random_sets(9, RandomSets(), random);
    std::vector<Node> name(9);
    std::iota(name.begin(), name.end(), Node{0});
    random.shuffle(name);
    const ParentSets others = renamed(candidates, name);
    for (unsigned k = 0; k < 4; ++k) {
      const BoundedResult one = search(candidates, k), other = search(others, k);
      CHECK(one.proved && other.proved);
      CHECK_NEAR(one.network.score, other.network.score, 1e-9);
      const KTree tree = grown_k_tree(9, k, random);
      CHECK_NEAR(search(candidates, k, staying_within(tree)).network.score,
                 search(others, k, staying_within(renamed(tree, name))).network.score, 1e-9);
    }
  }
}

TEST(bounded_search_does_not_depend_on_threads) {
  Random random(11);
  for (unsigned repeat = 0; repeat < 3; ++repeat) {
    const ParentSets candidates = random_sets(14, RandomSets(), random);
    for (const BoundedMethod method : {BoundedMethod::local, BoundedMethod::automatic}) {
      BoundedOptions options = hasty(50);
      options.method = method;
      Host host;
      const BoundedResult one = search(candidates, 3, options, host);
      host.threads = 3;
      const BoundedResult three = search(candidates, 3, options, host);
      CHECK(one.network.choice == three.network.choice);
      CHECK(one.tree.members == three.tree.members);
      CHECK_EQUAL(one.bound, three.bound);
      CHECK_EQUAL(one.steps, three.steps);
    }
  }
}
