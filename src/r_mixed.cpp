// Glue of core/mixed: exact questions to conditional Gaussian networks.

#include "r_data.h"
#include "r_queries.h"

#include "core/mixed/mixed_queries.h"
#include "core/mixed/mixed_rows.h"

#include <algorithm>

#include <cmath>
#include <limits>
#include <vector>

using namespace optbn;

namespace {

std::vector<Node> nodes_from(const Rcpp::IntegerVector &numbers) {
  std::vector<Node> nodes;
  for (const int number : numbers)
    nodes.push_back(static_cast<Node>(number - 1));
  return nodes;
}

std::vector<double> numbers_from(const Rcpp::List &list, const char *name) {
  return list.containsElementNamed(name) ? Rcpp::as<std::vector<double>>(list[name])
                                         : std::vector<double>{};
}

// evidence: as as_evidence() takes it, and `values`, by node, NA where nothing is known.
MixedEvidence as_mixed_evidence(const Rcpp::List &encoded, Node nodes) {
  MixedEvidence evidence{as_evidence(encoded, nodes),
                         Rcpp::as<std::vector<double>>(encoded["values"])};
  for (double &value : evidence.values)
    if (std::isnan(value))
      value = std::numeric_limits<double>::quiet_NaN();
  return evidence;
}

// ask(query), or the failure that it threw. `limit`: in bytes.
template <class Ask>
SEXP ask_mixed(const Rcpp::List &network, const Rcpp::List &evidence, double limit,
               const Rcpp::List &options, Ask ask) {
  const RHost host(options);
  return guarded([&]() -> SEXP {
    const MixedNetwork model = as_mixed_network(network);
    const MixedEvidence known = as_mixed_evidence(evidence, model.size());
    Watch watch(host.host());
    try {
      return Rcpp::wrap(ask(MixedQuery{model, known, limit, watch}, host));
    } catch (const ImpossibleEvidence &e) {
      return core_failure("impossible", e.what(), Rcpp::List::create());
    }
  });
}

// Columns by node: codes from 0, or values.
Rcpp::List columns_of(const std::vector<MixedRow> &rows, const MixedNetwork &network) {
  Rcpp::List columns;
  const auto size = static_cast<R_xlen_t>(rows.size());
  for (Node v = 0; v < network.size(); ++v) {
    Rcpp::IntegerVector codes(network.discrete(v) ? size : 0);
    Rcpp::NumericVector values(network.discrete(v) ? 0 : size);
    for (R_xlen_t i = 0; i < size; ++i)
      if (network.discrete(v))
        codes[i] = rows[static_cast<std::size_t>(i)].levels[v];
      else
        values[i] = rows[static_cast<std::size_t>(i)].values[v];
    network.discrete(v) ? columns.push_back(codes) : columns.push_back(values);
  }
  return columns;
}

} // namespace

MixedNetwork as_mixed_network(const Rcpp::List &network) {
  MixedNetwork out;
  out.levels = Rcpp::as<std::vector<unsigned>>(network["levels"]);
  for (const Rcpp::List node : Rcpp::List(network["nodes"]))
    out.nodes.push_back({nodes_from(node["discrete"]), nodes_from(node["continuous"]),
                         numbers_from(node, "table"), numbers_from(node, "coefficients"),
                         numbers_from(node, "variance")});
  return out;
}

// [[Rcpp::export(rng = false)]]
SEXP core_mixed_log_density(const Rcpp::List &network, const Rcpp::List &evidence, double limit,
                            const Rcpp::List &host) {
  return ask_mixed(network, evidence, limit, host,
                   [](const MixedQuery &query, const RHost &) { return log_density(query); });
}

// The joint posterior of discrete nodes (numbers from 1), the first fastest.
// [[Rcpp::export(rng = false)]]
SEXP core_mixed_levels(const Rcpp::List &network, const Rcpp::List &evidence,
                       const Rcpp::IntegerVector &nodes, double limit, const Rcpp::List &host) {
  return ask_mixed(network, evidence, limit, host, [&](const MixedQuery &query, const RHost &) {
    return joint_levels(query, nodes_from(nodes));
  });
}

// Component by component: levels (from 0) of the discrete nodes, weights, means, covariances.
// [[Rcpp::export(rng = false)]]
SEXP core_mixed_components(const Rcpp::List &network, const Rcpp::List &evidence,
                           const Rcpp::IntegerVector &discrete,
                           const Rcpp::IntegerVector &continuous, double limit,
                           const Rcpp::List &host) {
  return ask_mixed(network, evidence, limit, host, [&](const MixedQuery &query, const RHost &) {
    const MixtureComponents found =
        joint_mixture(query, nodes_from(discrete), nodes_from(continuous));
    return Rcpp::List::create(Rcpp::_["levels"] =
                                  Rcpp::IntegerVector(found.levels.begin(), found.levels.end()),
                              Rcpp::_["weights"] = found.weights, Rcpp::_["means"] = found.means,
                              Rcpp::_["covariances"] = found.covariances);
  });
}

// By node the probabilities of its levels, or mean and standard deviation.
// [[Rcpp::export(rng = false)]]
SEXP core_mixed_posteriors(const Rcpp::List &network, const Rcpp::List &evidence, double limit,
                           const Rcpp::List &host) {
  return ask_mixed(network, evidence, limit, host, [](const MixedQuery &query, const RHost &) {
    Rcpp::List nodes;
    for (const NodePosterior &posterior : each_posterior(query))
      nodes.push_back(posterior.levels.empty()
                          ? Rcpp::NumericVector::create(posterior.mean, posterior.sd)
                          : Rcpp::NumericVector(posterior.levels.begin(), posterior.levels.end()));
    return nodes;
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_mixed_most_probable(const Rcpp::List &network, const Rcpp::List &evidence, double limit,
                              const Rcpp::List &host) {
  return ask_mixed(network, evidence, limit, host, [](const MixedQuery &query, const RHost &) {
    return columns_of({most_probable_row(query)}, query.network);
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_mixed_draws(const Rcpp::List &network, const Rcpp::List &evidence, double rows,
                      double limit, const Rcpp::List &host) {
  return ask_mixed(network, evidence, limit, host, [&](const MixedQuery &query, const RHost &r) {
    Random random(r.host().seed(0));
    return columns_of(draw_mixed_rows(query, static_cast<std::size_t>(rows), random),
                      query.network);
  });
}

// The discrete nodes (from 1) whose evidence cannot hold together.
// [[Rcpp::export(rng = false)]]
SEXP core_mixed_conflict(const Rcpp::List &network, const Rcpp::List &evidence, double limit,
                         const Rcpp::List &host) {
  return ask_mixed(network, evidence, limit, host, [](const MixedQuery &query, const RHost &) {
    const std::vector<Node> nodes = conflicting_levels(query);
    return Rcpp::IntegerVector(Rcpp::IntegerVector(nodes.begin(), nodes.end()) + 1);
  });
}

// The logarithm of the density of what is known in each row.
// [[Rcpp::export(rng = false)]]
SEXP core_mixed_row_log_densities(const Rcpp::List &data, const Rcpp::List &network, double limit,
                                  const Rcpp::List &host) {
  const RHost r(host);
  return guarded([&] {
    Watch watch(r.host());
    return log_densities_by_queries(as_dataset(data), as_mixed_network(network), limit, watch);
  });
}

// As core_partial_posteriors().
// [[Rcpp::export(rng = false)]]
SEXP core_mixed_row_posteriors(const Rcpp::List &data, const Rcpp::List &network, int node,
                               const Rcpp::NumericVector &values, double limit,
                               const Rcpp::List &host) {
  const RHost r(host);
  return guarded([&] {
    Watch watch(r.host());
    const Eigen::MatrixXd found = posteriors_by_queries(
        as_dataset(data), as_mixed_network(network), static_cast<Node>(node - 1),
        std::vector<double>(values.begin(), values.end()), limit, watch);
    Rcpp::NumericMatrix answers(static_cast<int>(found.rows()), static_cast<int>(found.cols()));
    std::copy(found.data(), found.data() + found.size(), answers.begin());
    return answers;
  });
}
