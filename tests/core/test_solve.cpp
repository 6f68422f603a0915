#include "check.h"
#include "search_fixtures.h"

#include "core/base/errors.h"
#include "core/structure/engines/subset_dp.h"
#include "core/structure/prover.h"
#include "core/structure/solve.h"

#include <numeric>

using namespace optbn;
using namespace fixtures;

namespace {

SearchResult run(const ParentSets &sets, const SearchOptions &options, unsigned threads = 1,
                 bool stopped = false) {
  Host host;
  host.threads = threads;
  host.should_stop = [&] { return stopped ? StopReason::interrupt : StopReason::none; };
  Watch watch(host);
  return solve(sets, options, watch);
}

SearchOptions by(Method method) {
  SearchOptions options;
  options.method = method;
  return options;
}

void check_result(const ParentSets &sets, const SearchResult &result) {
  CHECK_EQUAL(result.network.choice.size(), sets.nodes.size());
  CHECK(acyclic(sets, result.network.choice));
  CHECK_EQUAL(result.network.score, total_score(sets, result.network.choice));
  CHECK(result.bound >= result.network.score);
  if (result.proved)
    CHECK_EQUAL(result.bound, result.network.score);
  CHECK(!result.trace.empty());
  for (std::size_t i = 1; i < result.trace.size(); ++i) {
    const TracePoint &before = result.trace[i - 1], &after = result.trace[i];
    CHECK(after.seconds >= before.seconds);
    CHECK(after.score > before.score || after.bound < before.bound);
  }
  CHECK_NEAR(result.trace.back().score, result.network.score, 1e-9);
  CHECK_NEAR(result.trace.back().bound, result.bound, 1e-9);
  double score = 0;
  Node nodes = 0;
  for (const ComponentResult &component : result.components) {
    score += component.score;
    nodes = static_cast<Node>(nodes + component.nodes.size());
    CHECK(component.bound >= component.score);
  }
  CHECK_EQUAL(nodes, sets.size());
  CHECK_NEAR(score, result.network.score, 1e-9);
}

// Blocks of `size` nodes without arcs between them.
ParentSets blocks(std::uint64_t seed, unsigned count, Node size, unsigned sets) {
  ParentSets all;
  for (unsigned block = 0; block < count; ++block) {
    ParentSets one = random_sets(seed + block, size, sets, 3);
    for (CandidateSets &candidates : one.nodes) {
      for (Node &parent : candidates.parents)
        parent = static_cast<Node>(parent + all.nodes.size() / size * size);
      candidates.sort();
    }
    for (CandidateSets &candidates : one.nodes)
      all.nodes.push_back(std::move(candidates));
  }
  return all;
}

} // namespace

TEST(solve_every_method_against_the_optimum) {
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const ParentSets sets =
        random_sets(seed, static_cast<Node>(1 + seed % 9), 8, 4, static_cast<unsigned>(seed % 3));
    const double best = optimum(sets);
    for (const Method method :
         {Method::automatic, Method::dp, Method::branch_and_cut, Method::local}) {
      if (method == Method::local && seed % 8 != 0)
        continue; // thorough, and so slow
      const SearchResult result = run(sets, by(method));
      check_result(sets, result);
      CHECK(result.bound >= best - 1e-9);
      CHECK_NEAR(result.network.score, best, 1e-9);
      CHECK(result.proved || method == Method::local);
      CHECK(result.stop == StopReason::none);
      for (const ComponentResult &component : result.components)
        CHECK(component.nodes.size() == 1 ||
              (component.engine == ComponentResult::Engine::dp) >= (method == Method::dp));
    }
  }
}

TEST(solve_with_required_parents) {
  unsigned infeasible = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const ParentSets sets = random_sets(seed, 7, 4, 3, 0, false);
    const double best = optimum(sets);
    for (const Method method : {Method::automatic, Method::dp, Method::branch_and_cut}) {
      if (best == kImpossible) {
        ++infeasible;
        CHECK_THROWS(run(sets, by(method)), Infeasible);
        continue;
      }
      const SearchResult result = run(sets, by(method));
      check_result(sets, result);
      CHECK_NEAR(result.network.score, best, 1e-9);
    }
  }
  CHECK(infeasible > 15 && infeasible < 285);
}

TEST(solve_blocks_without_arcs_between_them) {
  const ParentSets sets = blocks(1, 50, 4, 5);
  double best = 0;
  for (unsigned block = 0; block < 50; ++block)
    best += optimum(random_sets(1 + block, 4, 5, 3));
  for (const Method method : {Method::automatic, Method::dp, Method::branch_and_cut}) {
    const SearchResult result = run(sets, by(method));
    check_result(sets, result);
    CHECK(result.proved);
    CHECK_NEAR(result.network.score, best, 1e-9);
    CHECK(result.components.size() >= 50);
  }
}

TEST(solve_stopped_beforehand_gives_a_network_and_a_bound) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const ParentSets sets = random_sets(seed, 8, 8, 3);
    for (const Method method :
         {Method::automatic, Method::dp, Method::branch_and_cut, Method::local}) {
      const SearchResult result = run(sets, by(method), 1 + seed % 2, true);
      check_result(sets, result);
      CHECK(result.bound >= optimum(sets) - 1e-9);
      CHECK(result.proved == (result.stop == StopReason::none));
    }
  }
}

TEST(solve_stopped_later_keeps_what_is_proved) {
  ParentSets sets = blocks(3, 3, 24, 60);
  const Node small = 6; // one more block, solved first
  const ParentSets extra = random_sets(9, small, 8, 3);
  for (CandidateSets candidates : extra.nodes) {
    for (Node &parent : candidates.parents)
      parent = static_cast<Node>(parent + 72);
    sets.nodes.push_back(std::move(candidates));
  }
  Host host; // stops once dynamic programming is beyond the small block
  bool beyond = false;
  host.report_progress = [&](double done, double) { beyond = done > 64; };
  host.should_stop = [&] { return beyond ? StopReason::interrupt : StopReason::none; };
  Watch watch(host);
  const SearchResult result = solve(sets, by(Method::dp), watch);
  check_result(sets, result);
  CHECK(!result.proved);
  CHECK(result.stop == StopReason::interrupt);
  double proved = 0;
  for (const ComponentResult &component : result.components)
    if (component.nodes.size() <= small) {
      CHECK(component.proved);
      proved += component.score;
    }
  CHECK_NEAR(proved, optimum(extra), 1e-9);
}

TEST(solve_ends_at_the_gap) {
  const ParentSets sets = random_sets(11, 12, 20, 4);
  SearchOptions options = by(Method::dp);
  options.gap = 1000;
  const SearchResult result = run(sets, options);
  check_result(sets, result);
  CHECK(!result.proved);
  CHECK_EQUAL(result.subsets, 0);
  CHECK(result.stop == StopReason::gap);
  CHECK(result.bound - result.network.score <= 1000);
}

TEST(solve_within_memory) {
  const ParentSets sets = random_sets(12, 15, 30, 4);
  SearchOptions options = by(Method::dp);
  options.memory_limit = subset_dp_bytes(15) - 1;
  CHECK_THROWS(run(sets, options), MemoryLimit);
  options.method = Method::automatic;
  const SearchResult result = run(sets, options);
  check_result(sets, result);
  CHECK_EQUAL(result.subsets, 0);
  const SearchResult tabulated = run(sets, by(Method::dp));
  CHECK_EQUAL(tabulated.subsets, 32768); // although the bound would have proved it
  CHECK_EQUAL(tabulated.network.score, result.network.score);

  options.method = Method::dp; // too many nodes, however much memory there is
  options.memory_limit = std::numeric_limits<double>::infinity();
  CHECK_THROWS(run(random_sets(13, 80, 30, 4), options), MemoryLimit);
}

TEST(solve_is_the_same_on_any_number_of_threads) {
  const ParentSets sets = random_sets(14, 20, 20, 3);
  const SearchResult one = run(sets, by(Method::local), 1);
  check_result(sets, one);
  const SearchResult four = run(sets, by(Method::local), 4);
  CHECK(one.network.choice == four.network.choice);
  CHECK_EQUAL(one.insertions, four.insertions);
  CHECK_EQUAL(one.bound, four.bound);
}

TEST(solve_begins_with_the_order_given) {
  const ParentSets sets = random_sets(15, 20, 30, 3);
  const SearchResult found = run(sets, by(Method::local));
  CHECK(!found.proved); // the bound of so tangled a problem is loose
  CHECK(found.bound > found.network.score + 1);
  SearchOptions options = by(Method::local);
  std::vector<bool> ordered(20, false); // an order of the network found
  while (options.start.size() < 20)
    for (Node v = 0; v < 20; ++v) {
      const CandidateSets &candidates = sets.nodes[v];
      const std::uint32_t i = found.network.choice[v];
      if (!ordered[v] && std::all_of(candidates.begin_of(i), candidates.end_of(i),
                                     [&](Node u) { return ordered[u]; })) {
        ordered[v] = true;
        options.start.push_back(v);
      }
    }
  CHECK_NEAR(run(sets, options, 1, true).network.score, found.network.score, 1e-9);
  CHECK(run(sets, by(Method::local), 1, true).network.score < found.network.score - 1);
}

// No tree search takes so many nodes: the cheap bound is all that there is.
TEST(solve_bounds_more_nodes_than_a_tree_search_takes) {
  const ParentSets sets = random_sets(16, kTreeNodes + 6, 8, 2, 3);
  SearchOptions options = by(Method::automatic);
  options.chains = 0; // a first network is enough
  const SearchResult automatic = run(sets, options);
  CHECK(!automatic.proved);
  for (const Method method : {Method::lagrangian, Method::branch_and_cut, Method::elsa}) {
    options.method = method;
    const SearchResult result = run(sets, options);
    check_result(sets, result);
    CHECK_EQUAL(result.bound, automatic.bound);
  }
}

TEST(solve_needs_no_search_when_the_best_sets_make_a_network) {
  ParentSets sets;
  sets.nodes.resize(20); // 19 -> ... -> 1 -> 0, but each might be the parent of the next one too
  for (std::size_t v = 0; v < 20; ++v) {
    if (v < 19)
      add_set(sets.nodes[v], -1, {static_cast<Node>(v + 1)});
    if (v > 0)
      add_set(sets.nodes[v], -2, {static_cast<Node>(v - 1)});
    add_set(sets.nodes[v], v < 19 ? -3 : -1, {});
    sets.nodes[v].sort();
  }
  const SearchResult result = run(sets, by(Method::automatic));
  check_result(sets, result);
  CHECK(result.proved);
  CHECK_EQUAL(result.network.score, -20);
  CHECK_EQUAL(result.subsets, 0);
}
