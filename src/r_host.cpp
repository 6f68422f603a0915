#include "r_host.h"

#include <R_ext/Utils.h>
#include <cli/progress.h>
#include <fstream>
#include <thread>

using namespace optbn;

namespace {

// R leaves a function by a long jump, which must not cross C++ frames: everything that the host
// asks of R runs at R's top level, where a jump ends. False when there was one.
template <class Body> bool at_top_level(Body body) {
  return R_ToplevelExec([](void *data) { (*static_cast<Body *>(data))(); }, &body) == TRUE;
}

} // namespace

RHost::RHost(const Rcpp::List &options)
    : time_limit_(Rcpp::as<double>(options["time_limit"])),
      show_progress_(Rcpp::as<bool>(options["progress"])),
      label_(Rcpp::as<std::string>(options["label"])) {
  const Rcpp::NumericVector halves = options["seed"];
  const std::uint64_t seed =
      (static_cast<std::uint64_t>(halves[0]) << 32) ^ static_cast<std::uint64_t>(halves[1]);
  host_.threads = Rcpp::as<unsigned>(options["threads"]);
  host_.seed = [seed](std::uint64_t i) { return seed + i * 0x9e3779b97f4a7c15u; };
  host_.should_stop = [this] { return ask(); };
  host_.progress = [this](double done, double total) { show(done, total); };
}

RHost::~RHost() {
  if (bar_ != R_NilValue)
    at_top_level([this] { cli_progress_done(bar_); });
}

double RHost::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
}

StopReason RHost::ask() {
  if (!at_top_level([] { R_CheckUserInterrupt(); }))
    return StopReason::interrupt;
  return seconds() >= time_limit_ ? StopReason::time_limit : StopReason::none;
}

void RHost::show(double done, double total) {
  if (!show_progress_ || total <= 0)
    return;
  at_top_level([&] {
    if (bar_ != R_NilValue && total != bar_total_) { // another stretch of the job
      cli_progress_done(bar_);
      bar_ = R_NilValue;
    }
    if (bar_ == R_NilValue) {
      bar_total_ = total;
      bar_ = cli_progress_bar(total, R_NilValue);
      cli_progress_set_name(bar_, label_.c_str());
    }
    if (CLI_SHOULD_TICK)
      cli_progress_set(bar_, std::min(done, total));
  });
}

SEXP core_failure(const char *kind, const std::string &message, const Rcpp::List &facts) {
  Rcpp::List failure = Rcpp::List::create(Rcpp::_["kind"] = kind, Rcpp::_["message"] = message,
                                          Rcpp::_["facts"] = facts);
  failure.attr("class") = "core_failure";
  return failure;
}

// [[Rcpp::export]]
int core_hardware_threads() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// Memory that can be used without swapping, in bytes; infinite where the system does not say, or
// says 0, as virtual machines do while they are given their memory.
// [[Rcpp::export]]
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
