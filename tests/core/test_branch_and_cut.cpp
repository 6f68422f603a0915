#include "check.h"
#include "random_problem.h"
#include "search_fixtures.h"

#include "core/structure/engines/tree_search.h"

using namespace optbn;
using namespace fixtures;

// The root's bound is so near the start's score that it leaves the relaxation without a round; but
// no set is so far from the best of its node that it could be left out.
TEST(branch_and_cut_begins_from_a_root_without_rounds) {
  ParentSets sets;
  sets.nodes.resize(10);
  Network start;
  for (Node v = 0; v < 10; v += 2) {
    const Node w = v + 1;
    add_set(sets.nodes[v], 0, {w});
    add_set(sets.nodes[v], -1, {});
    add_set(sets.nodes[w], 0, {v});
    add_set(sets.nodes[w], -1 - 1e-7, {});
    start.choice.insert(start.choice.end(), {0, 1});
  }
  const Problem problem = whole_problem(sets);
  start.score = score_of(problem, start.choice);
  const Host host;
  Watch watch(host);
  const Proof proof = tree_search({problem, start}, TreeEngine::branch_and_cut, watch);
  CHECK(proof.proved && proof.branched_on_arcs);
  CHECK_EQUAL(proof.best.score, -5);
}
