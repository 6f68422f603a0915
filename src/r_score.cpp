#include "r_data.h"
#include "r_distributed_score.h"
#include "r_host.h"
#include "r_search.h"

#include "core/data/cell_runs.h"
#include "core/score/enumeration.h"
#include "core/score/forward_selection.h"
#include "core/score/local_structure/ft_score.h"
#include "core/score/local_structure/pcart_score.h"
#include "core/score/mixed_families.h"

using namespace optbn;

// options: max_parents, required, forbidden (per node), slack, memory_limit, partial (see
// EnumerationOptions), budget (see EnumerationLimits), distribution (as distribute() takes it, which
// may change the state of R's random numbers: it must not be put back).
// [[Rcpp::export(rng = false)]]
SEXP core_parent_sets(const Rcpp::List &encoded, const Rcpp::List &score, const Rcpp::List &options,
                      const Rcpp::List &host) {
  return guarded([&] {
    const Dataset data = as_dataset(encoded);
    ScoreSettings settings = as_score_settings(score);
    settings.memory_limit = Rcpp::as<double>(options["memory_limit"]);
    const auto local_score =
        distribute(make_r_score(data, settings, score), options["distribution"]);
    EnumerationOptions chosen;
    chosen.rules.max_parents = Rcpp::as<std::vector<unsigned>>(options["max_parents"]);
    chosen.rules.required = as_node_sets(options["required"]);
    chosen.rules.forbidden = as_node_sets(options["forbidden"]);
    chosen.slack = Rcpp::as<double>(options["slack"]);
    chosen.memory_limit = Rcpp::as<double>(options["memory_limit"]);
    chosen.partial = Rcpp::as<bool>(options["partial"]);
    EnumerationLimits limits;
    limits.budget = Rcpp::as<double>(options["budget"]);
    const RHost r(host);
    Watch watch(r.host());
    const EnumerationResult found =
        enumerate_parent_sets(data, *local_score, chosen, watch, limits);
    return Rcpp::List::create(
        Rcpp::_["sets"] = to_r(found.sets), Rcpp::_["considered"] = Rcpp::wrap(found.considered),
        Rcpp::_["counted"] = Rcpp::wrap(found.counted), Rcpp::_["complete"] = found.complete,
        Rcpp::_["reason"] = r.reason(watch.reason()), Rcpp::_["seconds"] = r.seconds());
  });
}

// Per node, so many parents by forward selection. options: most, required, forbidden (per node).
// [[Rcpp::export(rng = false)]]
SEXP core_forward_selection(const Rcpp::List &encoded, const Rcpp::List &score,
                            const Rcpp::List &options, const Rcpp::List &host) {
  return guarded([&] {
    const Dataset data = as_dataset(encoded);
    const auto local_score = make_r_score(data, as_score_settings(score), score);
    FamilyRules rules;
    rules.required = as_node_sets(options["required"]);
    rules.forbidden = as_node_sets(options["forbidden"]);
    const RHost r(host);
    Watch watch(r.host());
    const auto found =
        forward_selection(*local_score, rules, Rcpp::as<unsigned>(options["most"]), watch);
    return column_of<Rcpp::List>(found,
                                 [](const std::vector<Node> &nodes) { return from_one(nodes); });
  });
}

// The local score of every node of a network given as its parents, per node.
// [[Rcpp::export(rng = false)]]
SEXP core_score_network(const Rcpp::List &encoded, const Rcpp::List &score,
                        const Rcpp::List &parents) {
  return guarded([&] {
    const Dataset data = as_dataset(encoded);
    const auto local_score = make_r_score(data, as_score_settings(score), score);
    const std::vector<std::vector<Node>> sets = as_node_sets(parents);
    const Host host;
    Watch watch(host);
    MixedFamilies families;
    for (Node v = 0; v < data.size(); ++v)
      families.add(v, sets[v]);
    return families.score(*local_score, watch);
  });
}

namespace {

// A tree as the columns of its table of nodes, numbers from 1, levels from 0.
Rcpp::List tree_to_r(const Tree &tree) {
  const auto count = static_cast<R_xlen_t>(tree.nodes.size());
  Rcpp::IntegerVector parent(count, NA_INTEGER), left(count, NA_INTEGER), right(count, NA_INTEGER),
      cell(count, NA_INTEGER);
  Rcpp::NumericVector rows(count);
  Rcpp::List left_codes(count);
  for (R_xlen_t i = 0; i < count; ++i) {
    const TreeNode &node = tree.nodes[static_cast<std::size_t>(i)];
    rows[i] = node.rows;
    if (node.parent == TreeNode::kLeaf)
      continue;
    parent[i] = node.parent + 1;
    left[i] = static_cast<int>(node.left) + 1;
    right[i] = static_cast<int>(node.right) + 1;
    if (node.levels.empty())
      cell[i] = static_cast<int>(node.cell);
    else
      left_codes[i] = Rcpp::IntegerVector(node.levels.begin(), node.levels.end());
  }
  return Rcpp::List::create(Rcpp::_["parent"] = parent, Rcpp::_["left"] = left,
                            Rcpp::_["right"] = right, Rcpp::_["cell"] = cell,
                            Rcpp::_["rows"] = rows, Rcpp::_["left_codes"] = left_codes,
                            Rcpp::_["log_leaf"] = tree.log_leaf,
                            Rcpp::_["log_norm"] = tree.log_norm, Rcpp::_["score"] = tree.score);
}

} // namespace

// Per node of a network given as its parents: its best tree, for a score of trees; for one of
// discretised tables the binning of each parent, as a number from 1.
// [[Rcpp::export(rng = false)]]
SEXP core_local_structures(const Rcpp::List &encoded, const Rcpp::List &score,
                           const Rcpp::List &parents, const Rcpp::List &host) {
  return guarded([&] {
    const Dataset data = as_dataset(encoded);
    const ScoreSettings settings = as_score_settings(score);
    const std::vector<std::vector<Node>> sets = as_node_sets(parents);
    const RHost r(host);
    Watch watch(r.host());
    Rcpp::List found(parents.size());
    if (settings.label.rfind("pcart", 0) == 0) {
      const PcartScore trees(data, settings);
      for (Node v = 0; v < data.size(); ++v)
        found[v] = tree_to_r(trees.best_tree(v, sets[v], watch));
    } else {
      const FtScore tables(data, settings);
      for (Node v = 0; v < data.size(); ++v) {
        const std::vector<std::size_t> binnings = tables.best_binnings(v, sets[v], watch);
        found[v] = Rcpp::IntegerVector(binnings.begin(), binnings.end()) + 1;
      }
    }
    if (watch.stopped())
      throw Interrupted();
    return found;
  });
}

// Sums over runs of cells (core/data/cell_runs.h). end: by cell; configuration: by row in the order
// of the cells, from 1; rise: a row for each function, a column for each count. Gives a matrix with
// a row for each run and a column for each function.
// [[Rcpp::export(rng = false)]]
SEXP core_sums_over_runs(const Rcpp::IntegerVector &end, const Rcpp::IntegerVector &configuration,
                         const Rcpp::NumericMatrix &rise, const Rcpp::List &host) {
  return guarded([&] {
    CellOrder rows;
    rows.end.assign(end.begin(), end.end());
    for (const int c : configuration) {
      rows.configuration.push_back(static_cast<std::uint32_t>(c - 1));
      rows.configurations = std::max(rows.configurations, rows.configuration.back() + 1);
    }
    const auto functions = static_cast<std::size_t>(rise.nrow());
    const RHost r(host);
    Watch watch(r.host());
    const auto sums = sums_over_runs(rows, Rcpp::as<std::vector<double>>(rise), functions, watch);
    Rcpp::NumericMatrix out(static_cast<int>(run_index(0, rows.cells())), rise.nrow());
    for (std::size_t i = 0; i < functions; ++i)
      std::copy(sums[i].begin(), sums[i].end(), out.column(static_cast<int>(i)).begin());
    return out;
  });
}
