#include "r_data.h"
#include "r_distributed_score.h"
#include "r_host.h"
#include "r_search.h"

#include "core/demand/demand_search.h"

using namespace optbn;

// options: max_parents, required, forbidden (per node), slack, memory_limit, cycles, cost, effort,
// budget, quick (score and cost of one that takes less time, or NULL), start (the parents of every
// node in a network, or NULL), earlier (sets of an earlier search, or NULL), distribution (see
// core_parent_sets()).
// [[Rcpp::export(rng = false)]]
SEXP core_demand_search(const Rcpp::List &encoded, const Rcpp::List &score,
                        const Rcpp::List &options, const Rcpp::List &host) {
  return guarded([&] {
    const Dataset data = as_dataset(encoded);
    ScoreSettings settings = as_score_settings(score);
    DemandOptions chosen;
    chosen.memory_limit = settings.memory_limit = Rcpp::as<double>(options["memory_limit"]);
    chosen.cycles = Rcpp::as<double>(options["cycles"]);
    chosen.cost = Rcpp::as<std::vector<double>>(options["cost"]);
    chosen.effort = Rcpp::as<double>(options["effort"]);
    chosen.budget = Rcpp::as<double>(options["budget"]);
    chosen.slack = Rcpp::as<double>(options["slack"]);
    chosen.seconds = Rcpp::as<double>(host["time_limit"]);
    chosen.rules.max_parents = Rcpp::as<std::vector<unsigned>>(options["max_parents"]);
    chosen.rules.required = as_node_sets(options["required"]);
    chosen.rules.forbidden = as_node_sets(options["forbidden"]);
    if (!Rf_isNull(options["start"]))
      chosen.start = as_node_sets(options["start"]);
    if (!Rf_isNull(options["earlier"]))
      chosen.earlier = as_parent_sets(options["earlier"]);
    std::unique_ptr<LocalScore> quick;
    if (!Rf_isNull(options["quick"])) {
      const Rcpp::List given = options["quick"];
      quick = make_score(data, as_score_settings(given["score"]));
      chosen.quick = {quick.get(), Rcpp::as<std::vector<double>>(given["cost"])};
    }
    const auto local_score =
        distribute(make_r_score(data, settings, score), options["distribution"]);
    const RHost r(host);
    Watch watch(r.host());
    const auto begun = AnytimeRecord::Clock::now();
    const DemandResult found = demand_search(data, *local_score, chosen, watch);
    const auto seconds = [begun](const Improvement &improvement) {
      return std::chrono::duration<double>(improvement.when - begun).count();
    };
    const Rcpp::List improvements = Rcpp::List::create(
        Rcpp::_["seconds"] = column_of<Rcpp::NumericVector>(found.improvements, seconds),
        Rcpp::_["score"] = column_of<Rcpp::NumericVector>(
            found.improvements, [](const Improvement &one) { return one.score; }));
    return Rcpp::List::create(
        Rcpp::_["sets"] = to_r(found.pool), Rcpp::_["complete"] = found.complete,
        Rcpp::_["largest"] = found.largest, Rcpp::_["choice"] = from_one(found.network.choice),
        Rcpp::_["considered"] = found.considered, Rcpp::_["counted"] = found.counted,
        Rcpp::_["scored"] = found.scored, Rcpp::_["insertions"] = found.insertions,
        Rcpp::_["improvements"] = frame_of(improvements, found.improvements.size()),
        Rcpp::_["reason"] = r.reason(watch.reason()), Rcpp::_["seconds"] = r.seconds());
  });
}
