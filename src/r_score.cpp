#include "r_data.h"
#include "r_host.h"

#include "core/score/enumeration.h"

using namespace optbn;

// options: max_parents, required, forbidden (per node), slack, memory_limit.
// [[Rcpp::export]]
SEXP core_parent_sets(const Rcpp::List &encoded, const Rcpp::List &score, const Rcpp::List &options,
                      const Rcpp::List &host) {
  return guarded([&] {
    const Dataset data = as_dataset(encoded);
    const auto local_score = make_score(data, as_score_settings(score));
    EnumerationOptions chosen;
    chosen.max_parents = Rcpp::as<std::vector<unsigned>>(options["max_parents"]);
    chosen.required = as_node_sets(options["required"]);
    chosen.forbidden = as_node_sets(options["forbidden"]);
    chosen.slack = Rcpp::as<double>(options["slack"]);
    chosen.memory_limit = Rcpp::as<double>(options["memory_limit"]);
    const RHost r(host);
    Watch watch(r.host());
    const EnumerationResult found = enumerate_parent_sets(data, *local_score, chosen, watch);
    return Rcpp::List::create(
        Rcpp::_["sets"] = to_r(found.sets), Rcpp::_["considered"] = Rcpp::wrap(found.considered),
        Rcpp::_["counted"] = Rcpp::wrap(found.counted), Rcpp::_["seconds"] = r.seconds());
  });
}

// The local score of every node of a network given as its parents, per node.
// [[Rcpp::export]]
SEXP core_score_network(const Rcpp::List &encoded, const Rcpp::List &score,
                        const Rcpp::List &parents) {
  return guarded([&] {
    const Dataset data = as_dataset(encoded);
    const auto local_score = make_score(data, as_score_settings(score));
    const std::vector<std::vector<Node>> sets = as_node_sets(parents);
    const Host host;
    Watch watch(host);
    Rcpp::NumericVector scores(parents.size());
    for (Node v = 0; v < data.size(); ++v) {
      FamilyBatch family;
      family.parents = static_cast<unsigned>(sets[v].size());
      family.add(v, sets[v].data());
      FamilyScores result;
      local_score->score(family, watch, result);
      scores[v] = result.score[0];
    }
    return scores;
  });
}
