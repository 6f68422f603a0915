// RHost: R as the core's host, and guarded(): typed failures of the core as values.
#pragma once

#include "core/base/errors.h"
#include "core/base/host.h"

#include <Rcpp.h>
#include <chrono>
#include <memory>

// Built from the list that host_options() makes in R: threads, time_limit (seconds), progress
// (show a bar? or a function of the work done and the total, which is called at intervals), label
// (the bar's text), seed (two numbers drawn from R's generator). Optional: first_stream, the number
// that the job's random stream 0 has in a larger job; stop_file: a file of that name counts as an
// interrupt; log, a file to which events are appended, with log_seconds, those since the user's
// call. The destructor closes the bar. Calls R, so it may be used on R's thread only.
class RHost {
public:
  explicit RHost(const Rcpp::List &options);
  ~RHost();
  RHost(const RHost &) = delete;
  RHost &operator=(const RHost &) = delete;

  const optbn::Host &host() const { return host_; }

  // Why a job stopped early, for R: "interrupt", "time_limit", ..., or NULL. An interrupt that is
  // not reported, since the job was finished nevertheless, is raised again by the destructor.
  SEXP reason(optbn::StopReason stop) const;

  double seconds() const;

private:
  optbn::StopReason ask();
  void note_interrupt(bool uninterrupted);
  void show(double done, double total);
  void open_bar(double total, bool searching);
  std::string status() const;
  void report(double done, double total);

  optbn::Host host_;
  std::unique_ptr<optbn::SearchLog> log_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  double time_limit_;
  bool interrupted_ = false;
  mutable bool reported_ = false; // the interrupt, to R
  bool show_progress_ = false;
  Rcpp::RObject report_ = R_NilValue; // a function, or NULL
  double last_report_ = 0;            // when, in seconds
  std::string stop_file_;
  std::string label_;
  Rcpp::RObject bar_ = R_NilValue;
  double bar_total_ = 0;
  double score_ = -std::numeric_limits<double>::infinity(); // of the best network so far
  double bound_ = std::numeric_limits<double>::infinity();
};

// A failure as R sees it: list(kind, message, facts) of class "core_failure"; call_core() in R
// turns it into a classed condition.
SEXP core_failure(const char *kind, const std::string &message, const Rcpp::List &facts);

// Runs body and returns its value, or the failure that it threw. A function of R that body asks may
// leave it by a jump (an error, an interrupt), which crosses the core as an exception of Rcpp's and
// goes on where R called C++.
template <class Body> SEXP guarded(Body body) {
  using namespace optbn;
  try {
    return Rcpp::wrap(body());
  } catch (const Interrupted &e) {
    return core_failure("interrupted", e.what(), Rcpp::List::create());
  } catch (const TimeLimitReached &e) {
    return core_failure("time_limit", e.what(), Rcpp::List::create());
  } catch (const ParseError &e) {
    return core_failure("parse", e.what(), Rcpp::List::create(Rcpp::_["line"] = double(e.line)));
  } catch (const Infeasible &e) {
    Rcpp::IntegerVector nodes(e.nodes.begin(), e.nodes.end());
    return core_failure("infeasible", e.what(), Rcpp::List::create(Rcpp::_["nodes"] = nodes + 1));
  } catch (const MemoryLimit &e) {
    return core_failure(
        "memory", e.what(),
        Rcpp::List::create(Rcpp::_["needed"] = e.needed, Rcpp::_["limit"] = e.limit));
  } catch (const TooManyNodes &e) {
    return core_failure(
        "nodes", e.what(),
        Rcpp::List::create(Rcpp::_["nodes"] = double(e.nodes), Rcpp::_["limit"] = double(e.limit)));
  } catch (const MalformedModel &e) {
    return core_failure("malformed", e.what(), Rcpp::List::create());
  } catch (const std::bad_alloc &) {
    return core_failure("exhausted", "out of memory", Rcpp::List::create());
  }
}
