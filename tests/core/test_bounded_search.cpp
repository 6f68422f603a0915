#include "bag_fixtures.h"
#include "check.h"

#include "core/base/errors.h"
#include "core/dag/graph.h"
#include "core/treewidth/bounded_search.h"

using namespace optbn;

namespace {

BoundedResult search(const ParentSets &candidates, unsigned k, BoundedOptions options = {}) {
  Host host;
  Watch watch(host);
  return bounded_search(candidates, k, options, watch);
}

} // namespace

TEST(bounded_search_covers_its_network_and_keeps_to_its_bound) {
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
  const Host host = host_stopping_after(0, 1, StopReason::time_limit);
  Watch watch(host);
  const BoundedResult found = bounded_search(candidates, 2, {}, watch);
  CHECK(!found.network.empty());
  CHECK(found.bound >= found.network.score);
  CHECK(found.proved || found.stop == StopReason::time_limit);
}

TEST(bounded_search_says_when_no_network_is_narrow_enough) {
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
