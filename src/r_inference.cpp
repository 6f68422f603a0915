#include "r_data.h"
#include "r_host.h"

#include "core/graph/tree_decomposition.h"
#include "core/inference/row_questions.h"

#include <memory>

using namespace optbn;

namespace {

// What the external pointer of a compiled network points to.
struct Compiled {
  Compiled(DiscreteNetwork network, const TreeDecomposition &decomposition, double memory_limit)
      : tree(std::move(network), decomposition), propagation(tree, memory_limit) {}

  const JunctionTree tree;
  Propagation propagation;
};

using Pointer = Rcpp::XPtr<Compiled>;

// `network` of a compiled network: sizes (levels by node) and parents (node numbers from 1, in the
// order of the tables' dimensions).
std::vector<unsigned> levels_of(const Rcpp::List &network) {
  return Rcpp::as<std::vector<unsigned>>(network["sizes"]);
}

std::vector<std::vector<Node>> parents_of(const Rcpp::List &network) {
  const Rcpp::List sets = network["parents"];
  std::vector<std::vector<Node>> parents;
  for (const Rcpp::IntegerVector set : sets) {
    parents.emplace_back();
    for (const int parent : set)
      parents.back().push_back(static_cast<Node>(parent - 1));
  }
  return parents;
}

double cells_of_family(const std::vector<unsigned> &levels, Node v,
                       const std::vector<Node> &parents) {
  double cells = levels[v];
  for (const Node parent : parents)
    cells *= levels[parent];
  return cells;
}

TreeDecomposition decomposition_of(const Rcpp::List &network, const Rcpp::IntegerVector &order) {
  std::vector<Node> nodes;
  for (const int node : order)
    nodes.push_back(static_cast<Node>(node - 1));
  return decompose(moral_graph(as_node_sets(network["parents"])), nodes);
}

// From what encode_evidence_list() makes in R: node (from 1) and level (from 0) of those observed,
// weighed (from 1) and likelihood of the others.
Evidence as_evidence(const Rcpp::List &encoded, Node nodes) {
  const Rcpp::IntegerVector node = encoded["node"], level = encoded["level"];
  const Rcpp::IntegerVector weighed = encoded["weighed"];
  const Rcpp::List likelihood = encoded["likelihood"];
  Evidence evidence(nodes);
  for (R_xlen_t i = 0; i < node.size(); ++i)
    evidence.observe(static_cast<Node>(node[i] - 1), static_cast<unsigned>(level[i]));
  for (R_xlen_t i = 0; i < weighed.size(); ++i)
    evidence.weigh(static_cast<Node>(weighed[i] - 1), Rcpp::as<std::vector<double>>(likelihood[i]));
  return evidence;
}

// Columns of codes from 0, NA where missing.
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

// answer(compiled, watch), or the failure that it threw.
template <class Answer> SEXP ask(SEXP pointer, const Rcpp::List &options, Answer answer) {
  Pointer compiled(pointer);
  RHost host(options);
  return guarded([&]() -> SEXP {
    Watch watch(host.host());
    try {
      return Rcpp::wrap(answer(*compiled, watch));
    } catch (const ImpossibleEvidence &e) {
      return core_failure("impossible", e.what(), Rcpp::List::create());
    }
  });
}

} // namespace

// The cliques that an elimination order makes: members (node numbers from 1), parent (from 1; the
// root's own number), cells; and the bytes that the network's tables and a question for all
// posteriors take.
// [[Rcpp::export]]
Rcpp::List core_clique_tree(const Rcpp::List &network, const Rcpp::IntegerVector &order) {
  const std::vector<unsigned> levels = levels_of(network);
  const std::vector<std::vector<Node>> parents = parents_of(network);
  const CliqueTree tree = make_clique_tree(levels, parents, decomposition_of(network, order));
  Rcpp::List members;
  Rcpp::IntegerVector parent;
  double cells = tree.total_cells;
  for (const Clique &clique : tree.cliques) {
    members.push_back(Rcpp::IntegerVector(clique.members.begin(), clique.members.end()) + 1);
    parent.push_back(static_cast<int>(clique.parent) + 1);
    double separator = 1;
    for (std::size_t m = clique.own; m < clique.members.size(); ++m)
      separator *= levels[clique.members[m]];
    cells += 2 * separator; // a message each way
    for (const Node v : clique.families)
      cells += cells_of_family(levels, v, parents[v]);
  }
  return Rcpp::List::create(Rcpp::_["members"] = members, Rcpp::_["parent"] = parent,
                            Rcpp::_["cells"] = tree.cells,
                            Rcpp::_["bytes"] = cells * sizeof(double));
}

// The external pointer. `tables`: by node, the node fastest, then its parents.
// [[Rcpp::export]]
SEXP core_compile(const Rcpp::List &network, const Rcpp::List &tables,
                  const Rcpp::IntegerVector &order, double memory_limit) {
  return guarded([&] {
    DiscreteNetwork discrete{levels_of(network), parents_of(network),
                             Rcpp::as<std::vector<std::vector<double>>>(tables)};
    return Pointer(
        new Compiled(std::move(discrete), decomposition_of(network, order), memory_limit));
  });
}

// External pointers do not outlive the session that made them.
// [[Rcpp::export]]
bool core_is_live(SEXP pointer) {
  return TYPEOF(pointer) == EXTPTRSXP && R_ExternalPtrAddr(pointer) != nullptr;
}

// [[Rcpp::export]]
SEXP core_log_probability(SEXP pointer, const Rcpp::List &evidence, const Rcpp::List &options) {
  return ask(pointer, options, [&](Compiled &compiled, Watch &watch) {
    return log_probability(compiled.propagation, as_evidence(evidence, compiled.tree.size()),
                           watch);
  });
}

// Posteriors of all nodes as arrays of one dimension, with these dimnames.
// [[Rcpp::export]]
SEXP core_marginals(SEXP pointer, const Rcpp::List &evidence, const Rcpp::List &dimnames,
                    const Rcpp::List &options) {
  return ask(pointer, options, [&](Compiled &compiled, Watch &watch) {
    const Node nodes = compiled.tree.size();
    const std::vector<double> all =
        marginals(compiled.propagation, as_evidence(evidence, nodes), watch);
    Rcpp::List answer(nodes);
    auto next = all.begin();
    for (Node v = 0; v < nodes; ++v) {
      const auto end = next + compiled.tree.levels(v);
      Rcpp::NumericVector posterior(next, end);
      posterior.attr("dim") = static_cast<int>(compiled.tree.levels(v));
      posterior.attr("dimnames") = dimnames[v];
      answer[v] = posterior;
      next = end;
    }
    answer.names() = dimnames.names();
    return answer;
  });
}

// The joint posterior of nodes (numbers from 1), the first fastest.
// [[Rcpp::export]]
SEXP core_joint_posterior(SEXP pointer, const Rcpp::List &evidence,
                          const Rcpp::IntegerVector &nodes, const Rcpp::List &options) {
  return ask(pointer, options, [&](Compiled &compiled, Watch &watch) {
    std::vector<Node> asked;
    for (const int node : nodes)
      asked.push_back(static_cast<Node>(node - 1));
    return joint_posterior(compiled.propagation, as_evidence(evidence, compiled.tree.size()), asked,
                           watch);
  });
}

// [[Rcpp::export]]
SEXP core_most_probable(SEXP pointer, const Rcpp::List &evidence, const Rcpp::List &options) {
  return ask(pointer, options, [&](Compiled &compiled, Watch &watch) {
    const State state =
        most_probable(compiled.propagation, as_evidence(evidence, compiled.tree.size()), watch);
    return Rcpp::List::create(Rcpp::_["codes"] =
                                  Rcpp::IntegerVector(state.row.begin(), state.row.end()),
                              Rcpp::_["log_probability"] = state.log_probability);
  });
}

// Columns of codes by node.
// [[Rcpp::export]]
SEXP core_draw_rows(SEXP pointer, const Rcpp::List &evidence, int rows, const Rcpp::List &options) {
  return ask(pointer, options, [&](Compiled &compiled, Watch &watch) {
    const Node nodes = compiled.tree.size();
    Random random(watch.host().seed(0));
    const std::vector<std::uint16_t> drawn =
        draw_rows(compiled.propagation, as_evidence(evidence, nodes),
                  static_cast<std::size_t>(rows), random, watch);
    Rcpp::List columns(nodes);
    for (Node v = 0; v < nodes; ++v) {
      Rcpp::IntegerVector column(rows);
      for (int i = 0; i < rows; ++i)
        column[i] = drawn[static_cast<std::size_t>(i) * nodes + v];
      columns[v] = column;
    }
    return columns;
  });
}

// Nodes (numbers from 1) whose evidence cannot hold together.
// [[Rcpp::export]]
SEXP core_conflicting_nodes(SEXP pointer, const Rcpp::List &evidence, const Rcpp::List &options) {
  return ask(pointer, options, [&](Compiled &compiled, Watch &watch) {
    const std::vector<Node> nodes =
        conflicting_nodes(compiled.propagation, as_evidence(evidence, compiled.tree.size()), watch);
    return Rcpp::IntegerVector(nodes.begin(), nodes.end()) + 1;
  });
}

// By row log P of what is not missing.
// [[Rcpp::export]]
SEXP core_row_log_probabilities(SEXP pointer, const Rcpp::List &columns, int rows,
                                const Rcpp::List &options) {
  return ask(pointer, options, [&](Compiled &compiled, Watch &watch) {
    watch.restart(rows);
    return log_probabilities(compiled.tree, as_rows(columns, rows),
                             compiled.propagation.memory_limit(), watch);
  });
}

// By row the posterior of a node (from 1) given what else is not missing: a matrix with a column
// per row.
// [[Rcpp::export]]
SEXP core_row_posteriors(SEXP pointer, const Rcpp::List &columns, int rows, int node,
                         const Rcpp::List &options) {
  return ask(pointer, options, [&](Compiled &compiled, Watch &watch) {
    watch.restart(rows);
    const Node asked = static_cast<Node>(node - 1);
    const std::vector<double> answers = posteriors(compiled.tree, as_rows(columns, rows), asked,
                                                   compiled.propagation.memory_limit(), watch);
    Rcpp::NumericVector matrix(answers.begin(), answers.end());
    matrix.attr("dim") =
        Rcpp::IntegerVector::create(static_cast<int>(compiled.tree.levels(asked)), rows);
    return matrix;
  });
}
