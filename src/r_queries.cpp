#include "r_queries.h"

#include <algorithm>

using namespace optbn;

namespace {

// query(model, watch), or the failure that it threw.
template <class Query> SEXP run_query(SEXP pointer, const Rcpp::List &options, Query query) {
  ModelPointer model(pointer);
  RHost host(options);
  return guarded([&]() -> SEXP {
    Watch watch(host.host());
    try {
      return Rcpp::wrap(query(*model, watch));
    } catch (const ImpossibleEvidence &e) {
      return core_failure("impossible", e.what(), Rcpp::List::create());
    }
  });
}

} // namespace

Evidence as_evidence(const Rcpp::List &encoded, Node nodes) {
  const Rcpp::IntegerVector node = encoded["node"], level = encoded["level"];
  const Rcpp::IntegerVector weighed = encoded["weighed"];
  const Rcpp::List likelihood = encoded["likelihood"];
  Evidence evidence(nodes);
  for (R_xlen_t i = 0; i < node.size(); ++i)
    evidence.observe(static_cast<Node>(node[i] - 1), static_cast<unsigned>(level[i]));
  for (R_xlen_t i = 0; i < weighed.size(); ++i)
    evidence.add_likelihood(static_cast<Node>(weighed[i] - 1),
                            Rcpp::as<std::vector<double>>(likelihood[i]));
  return evidence;
}

Rcpp::List as_posteriors(const std::vector<double> &all, const ExactModel &model,
                         const Rcpp::List &dimnames) {
  Rcpp::List posteriors(model.size());
  auto next = all.begin();
  for (Node v = 0; v < model.size(); ++v) {
    const auto end = next + model.levels(v);
    Rcpp::NumericVector posterior(next, end);
    posterior.attr("dim") = static_cast<int>(model.levels(v));
    posterior.attr("dimnames") = dimnames[v];
    posteriors[v] = posterior;
    next = end;
  }
  posteriors.names() = dimnames.names();
  return posteriors;
}

PartialRows as_rows(const Rcpp::List &columns, int rows) {
  PartialRows partial;
  partial.rows = static_cast<std::size_t>(rows);
  for (const Rcpp::IntegerVector column : columns) {
    partial.columns.emplace_back();
    for (const int code : column)
      partial.columns.back().push_back(code == NA_INTEGER ? PartialRows::kMissing
                                                          : static_cast<std::uint16_t>(code));
  }
  return partial;
}

// The object that core_set_compiled_from() stored with a pointer; NULL for a pointer from another
// session, which external pointers do not outlive.
// [[Rcpp::export(rng = false)]]
SEXP core_compiled_from(SEXP pointer) {
  if (TYPEOF(pointer) != EXTPTRSXP || R_ExternalPtrAddr(pointer) == nullptr)
    return R_NilValue;
  return ModelPointer(pointer)->compiled_from;
}

// Stores an object with the model itself, which is in no file: as an attribute in R it would double
// the size of the file.
// [[Rcpp::export(rng = false)]]
void core_set_compiled_from(SEXP pointer, SEXP compiled_from) {
  ModelPointer(pointer)->compiled_from = compiled_from;
}

// [[Rcpp::export(rng = false)]]
SEXP core_log_probability(SEXP pointer, const Rcpp::List &evidence, const Rcpp::List &options) {
  return run_query(pointer, options, [&](ExactModel &model, Watch &watch) {
    return model.log_probability(as_evidence(evidence, model.size()), watch);
  });
}

// As as_posteriors() has them.
// [[Rcpp::export(rng = false)]]
SEXP core_marginals(SEXP pointer, const Rcpp::List &evidence, const Rcpp::List &dimnames,
                    const Rcpp::List &options) {
  return run_query(pointer, options, [&](ExactModel &model, Watch &watch) {
    return as_posteriors(model.marginals(as_evidence(evidence, model.size()), watch), model,
                         dimnames);
  });
}

// The joint posterior of nodes (numbers from 1), the first fastest.
// [[Rcpp::export(rng = false)]]
SEXP core_joint_posterior(SEXP pointer, const Rcpp::List &evidence,
                          const Rcpp::IntegerVector &nodes, const Rcpp::List &options) {
  return run_query(pointer, options, [&](ExactModel &model, Watch &watch) {
    std::vector<Node> queried;
    for (const int node : nodes)
      queried.push_back(static_cast<Node>(node - 1));
    return model.joint_posterior(as_evidence(evidence, model.size()), queried, watch);
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_most_probable(SEXP pointer, const Rcpp::List &evidence, const Rcpp::List &options) {
  return run_query(pointer, options, [&](ExactModel &model, Watch &watch) {
    const State state = model.most_probable(as_evidence(evidence, model.size()), watch);
    return Rcpp::List::create(Rcpp::_["codes"] =
                                  Rcpp::IntegerVector(state.row.begin(), state.row.end()),
                              Rcpp::_["log_probability"] = state.log_probability,
                              Rcpp::_["exact"] = model.exact_most_probable());
  });
}

// Columns of codes by node. The core draws few rows at a time, so that memory is that of the
// columns, and the watch is polled between the chunks.
// [[Rcpp::export(rng = false)]]
SEXP core_draw_rows(SEXP pointer, const Rcpp::List &evidence, int rows, const Rcpp::List &options) {
  constexpr int kChunk = 1 << 14;
  return run_query(pointer, options, [&](ExactModel &model, Watch &watch) {
    const Node nodes = model.size();
    const Evidence known = as_evidence(evidence, nodes);
    Random random(watch.host().seed(0));
    std::vector<Rcpp::IntegerVector> columns;
    for (Node v = 0; v < nodes; ++v)
      columns.emplace_back(Rcpp::no_init(rows));
    int first = 0;
    do {
      const int count = std::min(kChunk, rows - first);
      const std::vector<std::uint16_t> drawn =
          model.draw_rows(known, static_cast<std::size_t>(count), random, watch);
      for (Node v = 0; v < nodes; ++v)
        for (int i = 0; i < count; ++i)
          columns[v][first + i] = drawn[static_cast<std::size_t>(i) * nodes + v];
      first += count;
      throw_if_stopped(watch);
    } while (first < rows);
    return Rcpp::List(columns.begin(), columns.end());
  });
}

// Nodes (numbers from 1) whose evidence conflicts.
// [[Rcpp::export(rng = false)]]
SEXP core_conflicting_nodes(SEXP pointer, const Rcpp::List &evidence, const Rcpp::List &options) {
  return run_query(pointer, options, [&](ExactModel &model, Watch &watch) {
    Rcpp::IntegerVector nodes =
        Rcpp::wrap(model.conflicting_nodes(as_evidence(evidence, model.size()), watch));
    nodes = nodes + 1;
    return nodes;
  });
}

// By row log P of what is not missing.
// [[Rcpp::export(rng = false)]]
SEXP core_row_log_probabilities(SEXP pointer, const Rcpp::List &columns, int rows,
                                const Rcpp::List &options) {
  return run_query(pointer, options, [&](ExactModel &model, Watch &watch) {
    watch.restart(rows);
    return model.log_probabilities(as_rows(columns, rows), watch);
  });
}

// By row the posterior of a node (from 1) given what else is not missing: a matrix with a column
// per row.
// [[Rcpp::export(rng = false)]]
SEXP core_row_posteriors(SEXP pointer, const Rcpp::List &columns, int rows, int node,
                         const Rcpp::List &options) {
  return run_query(pointer, options, [&](ExactModel &model, Watch &watch) {
    watch.restart(rows);
    const Node queried = static_cast<Node>(node - 1);
    const std::vector<double> results = model.posteriors(as_rows(columns, rows), queried, watch);
    Rcpp::NumericVector matrix(results.begin(), results.end());
    matrix.attr("dim") = Rcpp::IntegerVector::create(static_cast<int>(model.levels(queried)), rows);
    return matrix;
  });
}
