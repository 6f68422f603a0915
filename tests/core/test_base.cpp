#include "check.h"

#include "core/base/errors.h"
#include "core/base/invariant.h"
#include "core/base/log_gamma.h"
#include "core/base/parallel.h"
#include "core/base/random.h"
#include "core/base/simd/popcount.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace optbn;

TEST(log_gamma_matches_the_library) {
  for (double x : {1e-9, 0.001, 0.25, 0.5, 1.0, 1.5, 2.0, 3.7, 11.99, 12.0, 100.3, 1e5, 1e9})
    CHECK_NEAR(log_gamma(x), std::lgamma(x), 4e-15 * (1 + std::abs(std::lgamma(x))));
}

TEST(log_rising_matches_log_gamma_inside_and_beyond_its_table) {
  for (double a : {1e-7, 0.5, 1.0, 3.3, 250.0}) {
    const LogRising rising(a, 40000);
    for (std::uint64_t n : {0u, 1u, 2u, 17u, 1000u, 16383u, 16384u, 16385u, 39999u}) {
      const double exact = std::lgamma(a + static_cast<double>(n)) - std::lgamma(a);
      // the reference itself loses digits in its difference
      CHECK_NEAR(rising(n), exact,
                 1e-14 + 2e-15 * (std::abs(std::lgamma(a + static_cast<double>(n))) +
                                  std::abs(std::lgamma(a))));
    }
  }
}

TEST(random_is_uniform_and_reproducible) {
  Random a(7), b(7), c(8);
  CHECK(a.next() == b.next());
  CHECK(a.next() != c.next());
  std::vector<int> seen(10, 0);
  for (int i = 0; i < 100000; ++i)
    ++seen[a.below(10)];
  for (int count : seen) // ten standard deviations
    CHECK_NEAR(count, 10000, 950);
  std::vector<int> order{0, 1, 2, 3, 4, 5};
  a.shuffle(order);
  CHECK_EQUAL((std::set<int>(order.begin(), order.end()).size()), 6u);
}

TEST(a_draw_by_weight_takes_each_part_of_the_sum_and_never_a_weight_of_0) {
  const std::vector<double> weight = {0, 0.25, 0, 0.5, 0.25, 0};
  const auto at = [&](double part) {
    return draw_by_weight(part, weight.size(), [&](std::size_t i) { return weight[i]; });
  };
  CHECK_EQUAL(at(0), 1u);
  CHECK_EQUAL(at(0.2499), 1u);
  CHECK_EQUAL(at(0.25), 3u);
  CHECK_EQUAL(at(0.7499), 3u);
  CHECK_EQUAL(at(0.75), 4u);
  CHECK_EQUAL(at(1.0001), 4u); // a sum that was rounded upwards
}

TEST(popcounts_of_every_width) {
  Random random(3);
  for (std::size_t words : {1u, 2u, 7u, 8u, 9u, 16u, 79u}) {
    std::vector<std::uint64_t> maps(3 * words), mask(words);
    for (auto &word : maps)
      word = random.next();
    for (auto &word : mask)
      word = random.next();
    std::vector<std::uint32_t> counts(3);
    count_intersections(maps.data(), 3, words, mask.data(), counts.data());
    for (std::size_t i = 0; i < 3; ++i) {
      unsigned ones = 0;
      for (std::size_t bit = 0; bit < 64 * words; ++bit)
        ones += (maps[i * words + bit / 64] & mask[bit / 64]) >> (bit % 64) & 1;
      CHECK_EQUAL(counts[i], ones);
    }
  }
}

TEST(threads_run_every_task_once) {
  for (unsigned threads : {1u, 2u, 4u}) {
    Host host;
    host.threads = threads;
    Watch watch(host);
    std::vector<int> runs(1000, 0);
    parallel_for(watch, runs.size(), [&](std::size_t task, unsigned worker) {
      CHECK(worker < threads);
      ++runs[task];
    });
    CHECK(std::all_of(runs.begin(), runs.end(), [](int n) { return n == 1; }));
  }
}

TEST(threads_pass_on_exceptions) {
  for (unsigned threads : {1u, 3u}) {
    Host host;
    host.threads = threads;
    Watch watch(host);
    CHECK_THROWS(parallel_for(watch, 100,
                              [](std::size_t task, unsigned) {
                                if (task == 50)
                                  throw MemoryLimit(2, 1);
                              }),
                 MemoryLimit);
  }
}

TEST(threads_stop_when_the_host_says_so) {
  for (unsigned threads : {1u, 2u}) {
    Host host;
    host.threads = threads;
    host.should_stop = [] { return StopReason::interrupt; };
    Watch watch(host);
    std::atomic<int> runs{0};
    parallel_for(watch, 1000000000, [&](std::size_t, unsigned) { ++runs; });
    CHECK(runs < 1000000000);
    CHECK(watch.reason() == StopReason::interrupt);
  }
}

// R tells of an interrupt once.
TEST(an_interrupt_in_a_part_of_a_job_ends_the_whole) {
  Host host;
  bool told = false;
  host.should_stop = [&] {
    const bool first = !told;
    told = true;
    return first ? StopReason::interrupt : StopReason::none;
  };
  Watch whole(host);
  const Host within = nested_host(whole, 100);
  Watch part(within);
  CHECK(part.stopped());
  CHECK(whole.reason() == StopReason::interrupt);
}

TEST(a_part_of_a_job_that_runs_out_of_time_leaves_the_whole) {
  Host host;
  Watch whole(host);
  const Host within = nested_host(whole, -1);
  Watch part(within);
  CHECK(part.stopped());
  CHECK(part.reason() == StopReason::time_limit);
  CHECK(!whole.stopped());
}

TEST(a_host_that_fails_ends_the_job_for_all_threads) {
  Host host;
  host.threads = 3;
  host.should_stop = []() -> StopReason { throw std::runtime_error("no more"); };
  Watch watch(host);
  std::atomic<int> done{0};
  CHECK_THROWS(parallel_for(watch, 1000000,
                            [&](std::size_t, unsigned) {
                              std::this_thread::sleep_for(std::chrono::milliseconds(1));
                              ++done;
                            }),
               std::runtime_error);
  CHECK(done < 1000000);
  CHECK(watch.reason() == StopReason::interrupt);
}

TEST(invariants_are_checked_where_they_are_on_and_cost_nothing_where_they_are_off) {
  unsigned asked = 0;
  const auto state = [&asked](bool holds) { OPTBN_INVARIANT((++asked, holds), "it holds"); };
  state(true);
  if (kCheckInvariants)
    CHECK_THROWS((state(false), 0), BrokenInvariant);
  else
    state(false);
  CHECK_EQUAL(asked, kCheckInvariants ? 2u : 0u);
}

TEST(a_broken_invariant_says_what_and_where_and_is_nobody_elses_error) {
  try {
    throw_broken_invariant("bags and orders agree", "k_tree.cpp", 7);
  } catch (const Error &) {
    CHECK(false);
  } catch (const BrokenInvariant &e) {
    CHECK_EQUAL(std::string(e.what()), "broken invariant (k_tree.cpp:7): bags and orders agree");
  }
}

TEST(a_broken_invariant_of_a_thread_comes_back_to_its_owner) {
  Host host;
  host.threads = 2;
  Watch watch(host);
  CHECK_THROWS((parallel_for(watch, 8,
                             [](std::size_t task, unsigned) {
                               if (task == 5)
                                 throw_broken_invariant("tasks go well", "here", 1);
                             }),
                0),
               BrokenInvariant);
}
