// Glue of core/completion: parameters from rows with missing values, and completed rows.

#include "r_data.h"
#include "r_host.h"

#include "core/completion/completions.h"
#include "core/completion/expectation_maximisation.h"
#include "core/completion/row_answers.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace optbn;

namespace {

Rcpp::List to_r(const CompletedRows &rows, const Dataset &data) {
  Rcpp::List columns;
  for (Node v = 0; v < data.size(); ++v)
    if (data.columns[v].discrete())
      columns.push_back(Rcpp::IntegerVector(rows.codes[v].begin(), rows.codes[v].end()));
    else
      columns.push_back(Rcpp::NumericVector(rows.values[v].begin(), rows.values[v].end()));
  const auto from_one = [](const std::vector<std::uint32_t> &numbers) {
    return Rcpp::IntegerVector(Rcpp::IntegerVector(numbers.begin(), numbers.end()) + 1);
  };
  return Rcpp::List::create(Rcpp::_["columns"] = columns, Rcpp::_["row"] = from_one(rows.row),
                            Rcpp::_["weight"] =
                                Rcpp::NumericVector(rows.weight.begin(), rows.weight.end()),
                            Rcpp::_["drawn"] = static_cast<double>(rows.drawn),
                            Rcpp::_["impossible"] = from_one(rows.impossible));
}

} // namespace

// how: by node imaginary, region (from 0), least_variance and fixed, as Estimation has them;
// tolerance, iterations. Returns the nodes' new parameters, and by node `counts`: the expected
// rows of each cell of a table, or of each configuration of a regression.
// [[Rcpp::export(rng = false)]]
SEXP core_expectation_maximisation(const Rcpp::List &data, const Rcpp::List &network,
                                   const Rcpp::List &how, const Rcpp::List &host) {
  return guarded([&] {
    const Dataset dataset = as_dataset(data);
    const MixedNetwork start = as_mixed_network(network);
    Estimation estimation;
    estimation.imaginary = Rcpp::as<std::vector<std::vector<double>>>(how["imaginary"]);
    estimation.region = Rcpp::as<std::vector<std::vector<std::uint32_t>>>(how["region"]);
    estimation.least_variance = Rcpp::as<std::vector<double>>(how["least_variance"]);
    for (const Rcpp::LogicalVector fixed : Rcpp::List(how["fixed"]))
      estimation.fixed.emplace_back(fixed.begin(), fixed.end());
    const Convergence convergence{Rcpp::as<double>(how["tolerance"]),
                                  Rcpp::as<unsigned>(how["iterations"])};
    const RHost r(host);
    Watch watch(r.host());
    const EmResult found = expectation_maximisation(dataset, start, estimation, convergence, watch);
    Rcpp::List nodes;
    for (Node v = 0; v < found.network.size(); ++v) {
      const NodeModel &model = found.network.nodes[v];
      std::vector<double> counts = found.statistics.counts(v);
      if (!found.network.discrete(v)) {
        counts.clear();
        for (std::size_t q = 0; q < found.network.configurations(v); ++q)
          counts.push_back(found.statistics.products(v, q)(0, 0));
      }
      nodes.push_back(Rcpp::List::create(
          Rcpp::_["table"] = model.table, Rcpp::_["coefficients"] = model.coefficients,
          Rcpp::_["variance"] = model.variance, Rcpp::_["counts"] = counts,
          Rcpp::_["log_density"] = found.statistics.expected_log_density(found.network, v)));
    }
    return Rcpp::List::create(
        Rcpp::_["nodes"] = nodes, Rcpp::_["log_likelihood"] = found.log_likelihood,
        Rcpp::_["objective"] = found.objective, Rcpp::_["converged"] = found.converged);
  });
}

// The logarithm of the density of what is known in each row.
// [[Rcpp::export(rng = false)]]
SEXP core_partial_log_densities(const Rcpp::List &data, const Rcpp::List &network,
                                const Rcpp::List &host) {
  return guarded([&] {
    const RHost r(host);
    Watch watch(r.host());
    return log_densities(as_dataset(data), as_mixed_network(network), watch);
  });
}

// A row for each row of the data: the probabilities of the node's levels; or mean, standard
// deviation and the density at `values`. `node`: from 1.
// [[Rcpp::export(rng = false)]]
SEXP core_partial_posteriors(const Rcpp::List &data, const Rcpp::List &network, int node,
                             const Rcpp::NumericVector &values, const Rcpp::List &host) {
  return guarded([&] {
    const RHost r(host);
    Watch watch(r.host());
    const Eigen::MatrixXd found =
        posteriors(as_dataset(data), as_mixed_network(network), static_cast<Node>(node - 1),
                   std::vector<double>(values.begin(), values.end()), watch);
    Rcpp::NumericMatrix answers(static_cast<int>(found.rows()), static_cast<int>(found.cols()));
    std::copy(found.data(), found.data() + found.size(), answers.begin());
    return answers;
  });
}

// kind: "weighted" (by scale and most), "draw" or "most probable". Rows without holes: columns,
// the row of the data that each comes from, weight, how many rows are drawn, and impossible ones.
// [[Rcpp::export(rng = false)]]
SEXP core_completions(const Rcpp::List &data, const Rcpp::List &network, const std::string &kind,
                      double scale, double most, const Rcpp::List &host) {
  return guarded([&] {
    const Dataset dataset = as_dataset(data);
    const MixedNetwork model = as_mixed_network(network);
    const RHost r(host);
    Watch watch(r.host(), static_cast<double>(dataset.rows));
    Random random(r.host().seed(0));
    if (kind == "weighted")
      return to_r(weighted_completions(dataset, model, static_cast<std::uint32_t>(scale),
                                       static_cast<std::size_t>(most), random, watch),
                  dataset);
    return to_r(kind == "draw" ? draw_completions(dataset, model, random, watch)
                               : most_probable_completions(dataset, model, watch),
                dataset);
  });
}
