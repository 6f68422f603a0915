#include "check.h"

#include "core/dag/anytime.h"

using namespace optbn;

namespace {

Network network_of(double score) { return {{0}, score}; }

AnytimeResult closed(AnytimeRecord &record, double score, double bound, bool proved,
                     StopReason stop = StopReason::none) {
  Host host;
  host.should_stop = [stop] { return stop; };
  Watch watch(host);
  watch.stopped();
  AnytimeResult result;
  result.network = network_of(score);
  record.close(result, bound, proved, watch);
  return result;
}

} // namespace

TEST(anytime_record_keeps_what_is_news) {
  AnytimeRecord record(0);
  record.note(-std::numeric_limits<double>::infinity(), 5); // no network yet
  record.note(-9, std::numeric_limits<double>::infinity()); // no bound yet
  record.note(-9, -2);
  record.note(-9, -2);
  record.note(-7, -2);
  record.note(-7, -3);
  const AnytimeResult result = closed(record, -7, -3, false);
  CHECK_EQUAL(result.trace.size(), 3u);
  CHECK_EQUAL(result.trace[1].score, -7);
  CHECK_EQUAL(result.trace[2].bound, -3);
}

TEST(anytime_record_says_why_a_search_ended) {
  AnytimeRecord exact(0), near(2);
  CHECK(!exact.within_gap(-5, -5)); // only a proof ends it
  CHECK(near.within_gap(-5, -3));
  CHECK(!near.within_gap(-5, -2.5));
  CHECK(closed(exact, -5, -3, true).stop == StopReason::none);
  CHECK(closed(exact, -5, -3, false).stop == StopReason::none);
  CHECK(closed(near, -5, -3, false).stop == StopReason::gap);
  CHECK(closed(near, -5, -3, false, StopReason::interrupt).stop == StopReason::interrupt);
  CHECK(closed(near, -5, -3, true, StopReason::time_limit).stop == StopReason::none);
}

TEST(anytime_record_bounds_what_it_gives_back) {
  AnytimeRecord record(0);
  CHECK_EQUAL(closed(record, -5, -3, true).bound, -5); // up to rounding they had met
  CHECK_EQUAL(closed(record, -5, -3, false).bound, -3);
  CHECK_EQUAL(closed(record, -5, -6, false).bound, -5);
}

TEST(improvements_of_threads_are_put_in_order) {
  const auto at = [](int ms) {
    return AnytimeRecord::Clock::time_point(std::chrono::milliseconds(ms));
  };
  const std::vector<Improvement> news =
      in_order({{at(3), -5}, {at(9), -1}, {at(1), -7}, {at(4), -6}, {at(9), -1}});
  CHECK_EQUAL(news.size(), 3u);
  CHECK_EQUAL(news[0].score, -7);
  CHECK_EQUAL(news[1].score, -5);
  CHECK_EQUAL(news[2].score, -1);
}
