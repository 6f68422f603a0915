#include "check.h"
#include "search_fixtures.h"

#include "core/structure/engines/local_search.h"
#include "core/structure/solve.h"

#include <numeric>

using namespace optbn;
using namespace fixtures;

namespace {

LocalSearchResult run(const Problem &problem, const LocalSearchOptions &options = {},
                      unsigned threads = 1, bool stopped = false) {
  Host host;
  host.threads = threads;
  if (stopped)
    host.should_stop = [] { return StopReason::time_limit; };
  Watch watch(host);
  return local_search(problem, options, watch);
}

void check_network(const ParentSets &sets, const Network &network) {
  CHECK_EQUAL(network.choice.size(), sets.nodes.size());
  CHECK(acyclic(sets, network.choice));
  CHECK_EQUAL(network.score, total_score(sets, network.choice));
}

// Every node's sets need the node before it, so that there is only one order.
ParentSets forced_chain(Node n) {
  ParentSets sets;
  sets.nodes.resize(n);
  add_set(sets.nodes[0], -1, {});
  for (Node v = 1; v < n; ++v) {
    if (v > 1)
      add_set(sets.nodes[v], -1, {static_cast<Node>(v - 2), static_cast<Node>(v - 1)});
    add_set(sets.nodes[v], -2, {static_cast<Node>(v - 1)});
  }
  return sets;
}

} // namespace

TEST(local_search_finds_small_optima) {
  LocalSearchOptions brief;
  brief.chains = 2;
  brief.restarts = 5;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const ParentSets sets = random_sets(seed, static_cast<Node>(1 + seed % 10), 12, 4);
    const LocalSearchResult result = run(whole_problem(sets), brief);
    check_network(sets, result.network);
    CHECK_NEAR(result.network.score, optimum(sets), 1e-9);
  }
}

TEST(local_search_obeys_required_parents) {
  LocalSearchOptions brief;
  brief.chains = 2;
  brief.restarts = 5;
  unsigned feasible = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const ParentSets sets = random_sets(seed, 8, 4, 3, 0, false);
    const double best = optimum(sets);
    const LocalSearchResult result = run(whole_problem(sets), brief);
    CHECK_EQUAL(result.network.empty(), best == kImpossible);
    if (result.network.empty())
      continue;
    ++feasible;
    check_network(sets, result.network);
    CHECK_NEAR(result.network.score, best, 1e-9);
  }
  CHECK(feasible > 10 && feasible < 90);

  const ParentSets chain = forced_chain(100);
  const LocalSearchResult result = run(whole_problem(chain), brief);
  check_network(chain, result.network);
  CHECK_EQUAL(result.network.score, optimum(forced_chain(10)) - 90);
}

TEST(local_search_is_the_same_on_any_number_of_threads) {
  const ParentSets sets = random_sets(5, 20, 20, 4);
  const LocalSearchResult one = run(whole_problem(sets), {}, 1);
  check_network(sets, one.network);
  for (const unsigned threads : {2u, 4u}) {
    const LocalSearchResult several = run(whole_problem(sets), {}, threads);
    CHECK(several.network.choice == one.network.choice);
    CHECK_EQUAL(several.insertions, one.insertions);
  }
}

// The general code for many mask words must search exactly as the fast code for a single word.
TEST(local_search_is_the_same_with_wider_masks) {
  const ParentSets sets = random_sets(6, 20, 20, 4);
  const Problem narrow = whole_problem(sets);
  Problem wide = narrow;
  wide.words = 3;
  for (Domain &domain : wide.domains) {
    std::vector<std::uint64_t> mask(3 * domain.size(), 0);
    for (std::size_t i = 0; i < domain.size(); ++i)
      mask[3 * i] = domain.mask[i];
    domain.mask = mask;
  }
  const LocalSearchResult a = run(narrow), b = run(wide);
  CHECK(a.network.choice == b.network.choice);
  CHECK_EQUAL(a.insertions, b.insertions);
}

TEST(local_search_beyond_one_word) {
  const ParentSets sets = random_sets(7, 90, 20, 3, 6);
  LocalSearchOptions brief;
  brief.chains = 2;
  brief.restarts = 1;
  const LocalSearchResult result = run(whole_problem(sets), brief);
  check_network(sets, result.network);
}

TEST(local_search_stopped_beforehand_gives_the_first_feasible_order) {
  const ParentSets sets = random_sets(8, 20, 30, 3);
  LocalSearchOptions options;
  const double ascending = run(whole_problem(sets), options, 1, true).network.score;
  options.start.resize(20);
  std::iota(options.start.rbegin(), options.start.rend(), Node{0});
  const LocalSearchResult result = run(whole_problem(sets), options, 1, true);
  check_network(sets, result.network);
  CHECK_EQUAL(result.insertions, 0);
  double descending = 0; // the best sets among nodes of higher number
  for (Node v = 0; v < 20; ++v)
    for (std::size_t i = 0;; ++i)
      if (std::all_of(sets.nodes[v].begin_of(i), sets.nodes[v].end_of(i),
                      [v](Node u) { return u > v; })) {
        descending += sets.nodes[v].score[i];
        break;
      }
  CHECK_NEAR(result.network.score, descending, 1e-9);
  CHECK(ascending != descending);

  const ParentSets chain = forced_chain(20);
  const LocalSearchResult repaired = run(whole_problem(chain), options, 2, true);
  check_network(chain, repaired.network);
}

TEST(local_search_never_ends_below_its_start) {
  const ParentSets sets = random_sets(9, 40, 80, 4);
  const Problem problem = whole_problem(sets);
  LocalSearchOptions brief;
  brief.chains = 1;
  brief.restarts = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed);
    brief.start.resize(40);
    std::iota(brief.start.begin(), brief.start.end(), Node{0});
    random.shuffle(brief.start);
    CHECK(run(problem, brief).network.score >= run(problem, brief, 1, true).network.score);
  }
}

TEST(local_search_reports_improvements_in_order) {
  const ParentSets sets = random_sets(10, 20, 40, 4);
  const LocalSearchResult result = run(whole_problem(sets), {}, 2);
  CHECK(!result.improvements.empty());
  for (std::size_t i = 1; i < result.improvements.size(); ++i) {
    CHECK(result.improvements[i].score > result.improvements[i - 1].score);
    CHECK(result.improvements[i].when >= result.improvements[i - 1].when);
  }
  CHECK_EQUAL(result.improvements.back().score, result.network.score);
}

// A climb that has begun is ended, so that the first may take more work than there is.
TEST(local_search_ends_where_its_effort_is_spent) {
  const ParentSets sets = random_sets(9, 24, 30, 4);
  const Host host;
  double before = 0;
  for (const double effort : {1e-4, 4e-3, 2e-2, std::numeric_limits<double>::infinity()}) {
    SearchOptions options;
    options.method = Method::local;
    options.effort = effort;
    Watch watch(host);
    const SearchResult result = solve(sets, options, watch);
    check_network(sets, result.network);
    CHECK(result.insertions > before);
    before = result.insertions;

    LocalSearchOptions chains;
    chains.most_work = effort / kLookSeconds;
    const LocalSearchResult found = run(whole_problem(sets), chains);
    const double climb = 24 * 24 * 24 * 100.0;
    CHECK(found.work <= chains.chains * (chains.most_work + climb));
  }
}
