#include "check.h"
#include "k_tree_fixtures.h"

#include "core/treewidth/codes/k_tree_sampling.h"

#include <map>

using namespace optbn;

TEST(k_tree_sampling_measures_as_equation_10_on_a_circle) {
  const DandelionCode a{9, 3, {0, 5, 6}, {{1, 3}, {5, 3}, {6, 2}, {0, 0}}};
  CHECK_EQUAL(distance(a, a), 0.0);
  DandelionCode b = a;
  b.q = {3, 5, 7}; // 3, 0, 1
  CHECK_NEAR(distance(a, b), std::sqrt(10.0), 1e-14);
  b = a;
  b.rows[0] = {3, 2}; // 2; 1
  b.rows[2] = {1, 2}; // 6 to 1 over 0: 2 of 7 places
  b.rows[3] = {4, 2}; // 0 to 4 the other way: 3; rank from 0
  CHECK_NEAR(distance(a, b), std::sqrt(4.0 + 4 + 9) + std::sqrt(1.0 + 4), 1e-14);
  CHECK_EQUAL(distance(a, b), distance(b, a));
}

TEST(k_tree_sampling_has_the_bandwidth_of_the_distances) {
  Random random(1);
  CHECK_NEAR(usual_bandwidth(14, 4, random), 19.0 / 2, 0.7);
  CHECK_NEAR(usual_bandwidth(60, 4, random), 158.0 / 2, 3.0);
  CHECK_EQUAL(usual_bandwidth(5, 0, random), 0.0); // one code
}

TEST(k_tree_sampling_density_is_the_mean_kernel) {
  Random random(2);
  DistancePreferableSampler sampler(10, 3, 6);
  std::vector<DandelionCode> drawn;
  for (unsigned i = 0; i < 200; ++i) {
    const DandelionCode probe = random_code(10, 3, random);
    double wanted = 0;
    for (const DandelionCode &code : drawn)
      wanted += std::exp(-std::pow(distance(code, probe), 2) / 72);
    CHECK_NEAR(sampler.density(probe), drawn.empty() ? 0 : wanted / double(drawn.size()), 1e-12);
    drawn.push_back(sampler.next(random));
    CHECK(well_formed(drawn.back()));
  }
}

// The probability of a second code is proportional to 1 - exp(-d^2 / 2 h^2), d its distance to the
// first.
TEST(k_tree_sampling_accepts_as_equation_12_says) {
  Random random(3);
  const double bandwidth = usual_bandwidth(14, 4, random);
  double drawn = 0, weighted = 0, weights = 0, uniform = 0;
  const unsigned repeats = 20000;
  for (unsigned repeat = 0; repeat < repeats; ++repeat) {
    DistancePreferableSampler sampler(14, 4, bandwidth);
    const DandelionCode first = sampler.next(random), other = random_code(14, 4, random);
    drawn += distance(first, sampler.next(random)) / repeats;
    const double d = distance(first, other);
    const double accepted = 1 - std::exp(-d * d / (2 * bandwidth * bandwidth));
    uniform += d / repeats;
    weighted += accepted * d;
    weights += accepted;
  }
  CHECK_NEAR(drawn, weighted / weights, 0.12); // standard deviation 4 / sqrt(20000) = 0.03 each
  CHECK(drawn > uniform + 0.3);
}

// Three codes: the second differs from the first, and in the long run all are equally frequent.
TEST(k_tree_sampling_avoids_codes_drawn_before_when_there_are_few) {
  Random random(4);
  for (unsigned repeat = 0; repeat < 100; ++repeat) {
    DistancePreferableSampler sampler(3, 1, 0.1);
    const DandelionCode first = sampler.next(random);
    CHECK(!(sampler.next(random) == first));
  }
  DistancePreferableSampler sampler(3, 1, 0.1);
  std::map<Node, unsigned> count;
  for (unsigned i = 0; i < 150; ++i)
    ++count[sampler.next(random).q[0]];
  for (Node v = 0; v < 3; ++v)
    CHECK(count[v] >= 40 && count[v] <= 60);
}

TEST(k_tree_sampling_ends_even_if_all_are_rejected) {
  Random random(5);
  DistancePreferableSampler one_code(6, 0, usual_bandwidth(6, 0, random)), wide(9, 3, 1e9);
  for (unsigned i = 0; i < 250; ++i) {
    CHECK(one_code.next(random).rows.size() == 4);
    CHECK(well_formed(wide.next(random)));
  }
}
