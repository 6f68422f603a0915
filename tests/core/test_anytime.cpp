#include "check.h"

#include "core/structure/anytime.h"

using namespace optbn;

namespace {

Network network_of(double score) { return {{0}, score}; }

// A record of a job that the host ends for this reason.
struct Job {
  explicit Job(double gap, StopReason stop = StopReason::none) : record(gap, watch) {
    host.should_stop = [stop] { return stop; };
    watch.stopped();
  }

  AnytimeResult closed(double score, double bound, bool proved) {
    AnytimeResult result;
    result.network = network_of(score);
    record.close(result, bound, proved);
    return result;
  }

  Host host;
  Watch watch{host};
  AnytimeRecord record;
};

} // namespace

TEST(anytime_record_traces_improvements_only) {
  Job job(0);
  AnytimeRecord &record = job.record;
  record.note(-std::numeric_limits<double>::infinity(), 5); // no network yet
  record.note(-9, std::numeric_limits<double>::infinity()); // no bound yet
  record.note(-9, -2);
  record.note(-9, -2);
  record.note(-7, -2);
  record.note(-7, -3);
  const AnytimeResult result = job.closed(-7, -3, false);
  CHECK_EQUAL(result.trace.size(), 3u);
  CHECK_EQUAL(result.trace[1].score, -7);
  CHECK_EQUAL(result.trace[2].bound, -3);
}

TEST(anytime_record_has_the_reason_why_a_search_ended) {
  Job exact(0), near(2), interrupted(2, StopReason::interrupt), late(2, StopReason::time_limit);
  CHECK(!exact.record.within_gap(-5, -5)); // only a proof ends it
  CHECK(near.record.within_gap(-5, -3));
  CHECK(!near.record.within_gap(-5, -2.5));
  CHECK(exact.closed(-5, -3, true).stop == StopReason::none);
  CHECK(exact.closed(-5, -3, false).stop == StopReason::none);
  CHECK(near.closed(-5, -3, false).stop == StopReason::gap);
  CHECK(interrupted.closed(-5, -3, false).stop == StopReason::interrupt);
  CHECK(late.closed(-5, -3, true).stop == StopReason::none);
}

TEST(anytime_record_bounds_what_it_returns) {
  Job job(0);
  CHECK_EQUAL(job.closed(-5, -3, true).bound, -5); // up to rounding they had met
  CHECK_EQUAL(job.closed(-5, -3, false).bound, -3);
  CHECK_EQUAL(job.closed(-5, -6, false).bound, -5);
}

TEST(anytime_record_reports_the_best_score_and_bound) {
  Host host;
  std::vector<double> seen;
  host.report_bounds = [&](double score, double bound) { seen = {score, bound}; };
  Watch watch(host);
  AnytimeRecord record(0, watch);
  record.note(-9, std::numeric_limits<double>::infinity());
  record.note(-7, -2);
  watch.report_bounds(-8, -3); // a part with a lower score and bound
  watch.stopped();
  CHECK_EQUAL(seen.size(), 2u);
  CHECK_EQUAL(seen[0], -7);
  CHECK_EQUAL(seen[1], -3);
}

TEST(improvements_of_threads_are_put_in_order) {
  const auto at = [](int ms) {
    return AnytimeRecord::Clock::time_point(std::chrono::milliseconds(ms));
  };
  const std::vector<Improvement> improvements =
      in_order({{at(3), -5}, {at(9), -1}, {at(1), -7}, {at(4), -6}, {at(9), -1}});
  CHECK_EQUAL(improvements.size(), 3u);
  CHECK_EQUAL(improvements[0].score, -7);
  CHECK_EQUAL(improvements[1].score, -5);
  CHECK_EQUAL(improvements[2].score, -1);
}
