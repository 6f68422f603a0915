#include "check.h"
#include "random_problem.h"
#include "width_fixtures.h"

#include "core/structure/solve.h"
#include "core/treewidth/cuts/width_proof.h"

using namespace optbn;
using namespace fixtures;

namespace {

// Networks of bounded tree-width, best first, and the worst as a start.
struct Instance {
  ParentSets sets;
  unsigned k;
  std::vector<Network> narrow;

  Instance(std::uint64_t seed, unsigned width)
      : sets(random_sets(seed, static_cast<Node>(5 + seed % 2), 6, 4)), k(width),
        narrow(narrow_networks(sets, width)) {}

  WidthProof prove(WidthProofOptions options = {}, Host host = {}) const {
    options.start = narrow.back();
    Watch watch(host);
    return prove_width(sets, k, options, watch);
  }
  void check_valid(const WidthProof &proof) const {
    const double best = narrow.front().score;
    CHECK(slow_width(moral_adjacency(sets, proof.best.choice)) <= k);
    CHECK(acyclic(sets, proof.best.choice));
    CHECK_NEAR(proof.best.score, total_score(sets, proof.best.choice), 1e-9);
    CHECK(proof.best.score >= narrow.back().score - 1e-9);
    CHECK(proof.bound >= best - 1e-9);
    if (proof.proved) {
      CHECK_NEAR(proof.best.score, best, 1e-9);
      CHECK_EQUAL(proof.bound, proof.best.score);
    }
  }
};

} // namespace

TEST(width_proof_finds_the_best_narrow_network) {
  unsigned costly = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed)
    for (unsigned k = 1; k <= 3; ++k) {
      const Instance instance(seed, k);
      const WidthProof proof = instance.prove();
      instance.check_valid(proof);
      CHECK(proof.proved);
      costly += optimum(instance.sets) > instance.narrow.front().score + 1e-9;
    }
  CHECK(costly > 30); // or the bound on the width would not matter
}

TEST(width_proof_that_ends_early_has_a_valid_bound) {
  unsigned unproved = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Instance instance(seed, 1 + seed % 2);
    const auto polls = static_cast<int>(seed % 4);
    const WidthProof stopped = instance.prove({}, host_stopping_after(polls, 1));
    instance.check_valid(stopped);
    WidthProofOptions little;
    little.seconds = 1e-6 * static_cast<double>(1 << seed % 16);
    const WidthProof limited = instance.prove(little);
    instance.check_valid(limited);
    unproved += !stopped.proved + !limited.proved;
  }
  CHECK(unproved > 10);
}

TEST(width_proof_ends_within_the_gap) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Instance instance(seed, 2);
    WidthProofOptions options;
    options.gap = 5;
    const WidthProof proof = instance.prove(options);
    instance.check_valid(proof);
    CHECK(proof.bound - proof.best.score <= 5 + 1e-9);
  }
}

TEST(width_proof_begins_with_multipliers_of_an_unlimited_search) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Instance instance(seed, 2);
    const Host host;
    Watch watch(host);
    SearchOptions options;
    options.method = Method::branch_and_cut;
    WidthProofOptions warm;
    warm.warm = solve(instance.sets, options, watch).multipliers;
    instance.check_valid(instance.prove(warm));
  }
}

TEST(width_proof_depends_on_the_effort_alone) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Instance instance(seed, 2);
    WidthProofOptions little;
    little.seconds = 1e-3;
    Host many;
    many.threads = 4;
    const WidthProof one = instance.prove(little), four = instance.prove(little, many);
    CHECK_EQUAL(one.bound, four.bound);
    CHECK_EQUAL(one.best.choice == four.best.choice, true);
  }
}
