#include "r_host.h"

#include <R_ext/Utils.h>
#include <cli/progress.h>
#include <cmath>
#include <csignal>
#include <exception>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <thread>

using namespace optbn;

namespace {

// Runs body, which calls R; false when an interrupt (Ctrl-C) ended it. R leaves a
// function by a long jump, which must not cross C++ frames: any but an interrupt's (an error of a
// handler, R's own time limit) crosses the core as an exception of Rcpp's, and goes on where R
// called C++. Body holds nothing that a jump would leak.
template <class Body> bool ask_r(Body body) {
  bool interrupted = false;
  const Rcpp::CharacterVector caught = "interrupt";
  Rcpp::unwindProtect([&] {
    return R_tryCatch(
        [](void *data) {
          (*static_cast<Body *>(data))();
          return R_NilValue;
        },
        &body, caught,
        [](SEXP, void *flag) {
          *static_cast<bool *>(flag) = true;
          return R_NilValue;
        },
        &interrupted, nullptr, nullptr);
  });
  return !interrupted;
}

constexpr double kSecondsBetweenReports = 0.5;

} // namespace

RHost::RHost(const Rcpp::List &options)
    : time_limit_(Rcpp::as<double>(options["time_limit"])),
      label_(Rcpp::as<std::string>(options["label"])) {
  const SEXP progress = options["progress"];
  if (Rf_isFunction(progress))
    report_ = progress;
  else
    show_progress_ = Rcpp::as<bool>(progress);
  if (options.containsElementNamed("stop_file"))
    stop_file_ = Rcpp::as<std::string>(options["stop_file"]);
  if (options.containsElementNamed("log")) {
    log_ = std::make_unique<SearchLog>(Rcpp::as<std::string>(options["log"]),
                                       Rcpp::as<double>(options["log_seconds"]));
    host_.log = log_.get();
  }
  const Rcpp::NumericVector halves = options["seed"];
  const std::uint64_t seed =
      (static_cast<std::uint64_t>(halves[0]) << 32) ^ static_cast<std::uint64_t>(halves[1]);
  const std::uint64_t first = options.containsElementNamed("first_stream")
                                  ? Rcpp::as<std::uint64_t>(options["first_stream"])
                                  : 0;
  host_.threads = Rcpp::as<unsigned>(options["threads"]);
  host_.seed = [seed, first](std::uint64_t i) { return seed + (first + i) * 0x9e3779b97f4a7c15u; };
  host_.should_stop = [this] { return ask(); };
  host_.report_progress = [this](double done, double total) { show(done, total); };
  host_.report_bounds = [this](double score, double bound) {
    score_ = std::max(score_, score);
    bound_ = std::min(bound_, bound);
  };
}

RHost::~RHost() {
  if (bar_ != R_NilValue) // at R's top level, where any jump ends: a destructor throws nothing
    R_ToplevelExec([](void *bar) { cli_progress_done(static_cast<SEXP>(bar)); },
                   static_cast<SEXP>(bar_));
#ifndef _WIN32
  if (interrupted_ && !reported_ && std::uncaught_exceptions() == 0)
    std::raise(SIGINT);
#endif
}

SEXP RHost::reason(StopReason stop) const {
  switch (stop) {
  case StopReason::interrupt:
    reported_ = true;
    return Rcpp::wrap("interrupt");
  case StopReason::time_limit:
    return Rcpp::wrap("time_limit");
  case StopReason::gap:
    return Rcpp::wrap("gap");
  case StopReason::effort:
    return Rcpp::wrap("effort");
  case StopReason::none:
    break;
  }
  return R_NilValue;
}

double RHost::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
}

StopReason RHost::ask() {
  if (!interrupted_)
    note_interrupt(ask_r([] { R_CheckUserInterrupt(); }));
  if (interrupted_ || (!stop_file_.empty() && std::ifstream(stop_file_)))
    return StopReason::interrupt;
  return seconds() >= time_limit_ ? StopReason::time_limit : StopReason::none;
}

void RHost::report(double done, double total) {
  if (seconds() - last_report_ < kSecondsBetweenReports)
    return;
  last_report_ = seconds();
  const Rcpp::Language call(Rcpp::Function(static_cast<SEXP>(report_)), std::min(done, total),
                            total);
  note_interrupt(ask_r([&] { Rf_eval(call, R_GlobalEnv); }));
}

void RHost::show(double done, double total) {
  const bool searching = std::isfinite(score_);
  if (total <= 0 && !searching)
    return;
  if (report_ != R_NilValue)
    return total > 0 ? report(done, total) : void();
  if (!show_progress_)
    return;
  note_interrupt(ask_r([&] {
    if (bar_ != R_NilValue && total != bar_total_) { // another phase of the job
      cli_progress_done(bar_);
      bar_ = R_NilValue;
    }
    if (bar_ == R_NilValue)
      open_bar(total, searching);
    if (!CLI_SHOULD_TICK)
      return;
    if (searching)
      cli_progress_set_status(bar_, status().c_str());
    if (total > 0)
      cli_progress_set(bar_, std::min(done, total));
    else
      cli_progress_add(bar_, 1);
  }));
}

// Work of unknown size has no bar and no remaining time; a search shows its score and bound.
void RHost::open_bar(double total, bool searching) {
  bar_total_ = total;
  bar_ = cli_progress_bar(total > 0 ? total : NA_REAL, R_NilValue);
  cli_progress_set_name(bar_, label_.c_str());
  if (searching)
    cli_progress_set_format(
        bar_, "%s",
        total > 0 ? "{cli::pb_name} {cli::pb_bar} {cli::pb_percent} {cli::pb_status}"
                  : "{cli::pb_spin} {cli::pb_name} {cli::pb_status} [{cli::pb_elapsed}]");
}

std::string RHost::status() const {
  std::ostringstream words;
  words << std::fixed << std::setprecision(1) << "score " << score_;
  if (std::isfinite(bound_))
    words << ", bound " << bound_ << ", gap " << bound_ - score_;
  return words.str();
}

// R reports an interrupt only once, so it is stored here.
void RHost::note_interrupt(bool uninterrupted) { interrupted_ = interrupted_ || !uninterrupted; }

SEXP core_failure(const char *kind, const std::string &message, const Rcpp::List &facts) {
  Rcpp::List failure = Rcpp::List::create(Rcpp::_["kind"] = kind, Rcpp::_["message"] = message,
                                          Rcpp::_["facts"] = facts);
  failure.attr("class") = "core_failure";
  return failure;
}

// [[Rcpp::export(rng = false)]]
int core_hardware_threads() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// Blocks Ctrl-C, or unblocks it, and returns whether it was blocked before. One that was blocked is
// delivered when it is unblocked. On Windows, where Ctrl-C is no signal, does nothing.
// [[Rcpp::export(rng = false)]]
bool core_hold_interrupts(bool hold) {
#ifdef _WIN32
  return false;
#else
  sigset_t interrupts, before;
  sigemptyset(&interrupts);
  sigaddset(&interrupts, SIGINT);
  pthread_sigmask(hold ? SIG_BLOCK : SIG_UNBLOCK, &interrupts, &before);
  return sigismember(&before, SIGINT) == 1;
#endif
}

// Memory that can be used without swapping, in bytes; infinite where the system does not say, or
// says 0, as virtual machines do while they are given their memory.
// [[Rcpp::export(rng = false)]]
double core_free_memory() {
  std::ifstream meminfo("/proc/meminfo");
  std::string key, unit;
  double kilobytes;
  while (meminfo >> key >> kilobytes) {
    if (key == "MemAvailable:")
      return kilobytes > 0 ? kilobytes * 1024 : R_PosInf;
    std::getline(meminfo, unit);
  }
  return R_PosInf;
}
