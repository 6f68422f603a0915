#include "r_data.h"
#include "r_host.h"
#include "r_search.h"

#include "core/graph/elimination.h"
#include "core/graph/tree_decomposition.h"
#include "core/graph/tree_width.h"

using namespace optbn;

namespace {

Rcpp::List sets_from_one(const std::vector<std::vector<Node>> &sets) {
  return column_of<Rcpp::List>(sets, [](const std::vector<Node> &set) { return from_one(set); });
}

// Bag numbers from 1; NA for a root.
Rcpp::IntegerVector parents_of(const TreeDecomposition &tree) {
  Rcpp::IntegerVector result(static_cast<R_xlen_t>(tree.size()));
  for (std::size_t i = 0; i < tree.size(); ++i)
    result[static_cast<R_xlen_t>(i)] =
        tree.parent[i] == i ? NA_INTEGER : static_cast<int>(tree.parent[i]) + 1;
  return result;
}

// Why the bounds differ, or NULL.
SEXP reason_of_gap(const TreeWidth &found, StopReason stop, const RHost &host) {
  if (found.lower.width == found.upper)
    return R_NilValue;
  return stop == StopReason::none ? Rcpp::wrap("size") : host.reason(stop);
}

} // namespace

// parents: by node the numbers of its parents. `minor`: by node of the minor the nodes of the
// network that were contracted into it.
// [[Rcpp::export(rng = false)]]
SEXP core_tree_width(const Rcpp::List &parents, double memory_limit, const Rcpp::List &host) {
  return guarded([&] {
    const UndirectedGraph graph = moral_graph(as_node_sets(parents));
    const RHost r(host);
    Watch watch(r.host());
    Random random(r.host().seed(0));
    const TreeWidth found = tree_width(graph, memory_limit, random, watch);
    const TreeDecomposition tree = decompose(graph, found.order);
    return Rcpp::List::create(
        Rcpp::_["lower"] = static_cast<int>(found.lower.width),
        Rcpp::_["upper"] = static_cast<int>(found.upper), Rcpp::_["order"] = from_one(found.order),
        Rcpp::_["minor"] = sets_from_one(found.lower.minor),
        Rcpp::_["searched"] = found.lower.searched, Rcpp::_["cliques"] = sets_from_one(tree.bags),
        Rcpp::_["tree"] = parents_of(tree),
        Rcpp::_["reason"] = reason_of_gap(found, watch.reason(), r),
        Rcpp::_["seconds"] = r.seconds());
  });
}

// The order of fewest cells that is found; log_levels: by node, or empty when all are equal.
// [[Rcpp::export(rng = false)]]
SEXP core_fewest_cells_order(const Rcpp::List &parents, const std::vector<double> &log_levels,
                             const Rcpp::List &host) {
  return guarded([&] {
    const UndirectedGraph graph = moral_graph(as_node_sets(parents));
    const RHost r(host);
    Watch watch(r.host());
    Random random(r.host().seed(0));
    const std::vector<Node> order =
        best_elimination_order(graph, log_levels, EliminationGoal::cells, random, watch).order;
    if (watch.reason() == StopReason::interrupt)
      throw Interrupted();
    return from_one(order);
  });
}
