#include "r_data.h"
#include "r_host.h"
#include "r_k_tree.h"
#include "r_search.h"

#include "core/treewidth/bounded_search.h"

using namespace optbn;

// options: treewidth, gap, memory_limit. `choice` and `tree` are empty when no network was found.
// [[Rcpp::export]]
SEXP core_learn_treewidth(const Rcpp::List &sets, const Rcpp::List &options,
                          const Rcpp::List &host) {
  return guarded([&] {
    const ParentSets candidates = as_parent_sets(sets);
    BoundedOptions chosen;
    chosen.gap = Rcpp::as<double>(options["gap"]);
    chosen.memory_limit = Rcpp::as<double>(options["memory_limit"]);
    chosen.seconds = Rcpp::as<double>(host["time_limit"]);
    const RHost r(host);
    Watch watch(r.host());
    const BoundedResult found =
        bounded_search(candidates, Rcpp::as<unsigned>(options["treewidth"]), chosen, watch);
    const bool local = found.engine == BoundedResult::Engine::local;
    return Rcpp::List::create(
        Rcpp::_["choice"] = from_one(found.network.choice), Rcpp::_["tree"] = to_r(found.tree),
        Rcpp::_["score"] = found.network.score, Rcpp::_["bound"] = found.bound,
        Rcpp::_["proved"] = found.proved, Rcpp::_["reason"] = reason_of(found.stop),
        Rcpp::_["engine"] = local ? "local" : "unbounded", Rcpp::_["nodes"] = found.nodes,
        Rcpp::_["subsets"] = found.subsets, Rcpp::_["steps"] = found.steps,
        Rcpp::_["trace"] = to_r(found.trace), Rcpp::_["seconds"] = r.seconds());
  });
}
