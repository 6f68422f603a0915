#include "r_data.h"
#include "r_queries.h"

#include "core/graph/tree_decomposition.h"
#include "core/inference/batch_queries.h"
#include "core/inference/conditioning.h"

#include <memory>

using namespace optbn;

namespace {

class CompiledNetwork : public ExactModel {
public:
  // `table_bytes`: what the network itself takes of the memory.
  CompiledNetwork(DiscreteNetwork network, const TreeDecomposition &decomposition,
                  double memory_limit, double table_bytes)
      : tree_(std::move(network), decomposition), propagation_(tree_, memory_limit, table_bytes) {}

  Node size() const override { return tree_.size(); }
  unsigned levels(Node node) const override { return tree_.levels(node); }

  double log_probability(const Evidence &evidence, Watch &watch) override {
    return optbn::log_probability(propagation_, evidence, watch);
  }
  std::vector<double> marginals(const Evidence &evidence, Watch &watch) override {
    return optbn::marginals(propagation_, evidence, watch);
  }
  std::vector<double> joint_posterior(const Evidence &evidence, const std::vector<Node> &nodes,
                                      Watch &watch) override {
    return optbn::joint_posterior(propagation_, evidence, nodes, watch);
  }
  State most_probable(const Evidence &evidence, Watch &watch) override {
    return optbn::most_probable(propagation_, evidence, watch);
  }
  std::vector<std::uint16_t> draw_rows(const Evidence &evidence, std::size_t rows, Random &random,
                                       Watch &watch) override {
    return optbn::draw_rows(propagation_, evidence, rows, random, watch);
  }
  std::vector<Node> conflicting_nodes(const Evidence &evidence, Watch &watch) override {
    return optbn::conflicting_nodes(propagation_, evidence, watch);
  }
  std::vector<double> log_probabilities(const PartialRows &rows, Watch &watch) override {
    return optbn::log_probabilities(tree_, rows, propagation_.memory_limit(), watch);
  }
  std::vector<double> posteriors(const PartialRows &rows, Node node, Watch &watch) override {
    return optbn::posteriors(tree_, rows, node, propagation_.memory_limit(), watch);
  }

protected:
  const JunctionTree tree_;
  Propagation propagation_;
};

// A network that is conditioned on a cutset.
class ConditionedNetwork : public CompiledNetwork {
public:
  ConditionedNetwork(DiscreteNetwork network, const TreeDecomposition &decomposition,
                     double memory_limit, double table_bytes, std::vector<Node> cutset)
      : CompiledNetwork(std::move(network), decomposition, memory_limit, table_bytes),
        cutset_(std::move(cutset)) {}

  ConditionedSum sum(const Evidence &evidence, const std::vector<Node> &nodes, Watch &watch,
                     double most_passes = std::numeric_limits<double>::infinity()) {
    return conditioned_posterior(propagation_, cutset_, evidence, nodes, watch, most_passes);
  }
  ConditionedSum sum_probability(const Evidence &evidence, Watch &watch,
                                 double most_passes = std::numeric_limits<double>::infinity()) {
    return conditioned_probability(propagation_, cutset_, evidence, watch, most_passes);
  }

  double log_probability(const Evidence &evidence, Watch &watch) override {
    return complete(sum_probability(evidence, watch), watch).log_probability;
  }
  std::vector<double> marginals(const Evidence &evidence, Watch &watch) override {
    return complete(sum(evidence, {}, watch), watch).posterior;
  }
  std::vector<double> joint_posterior(const Evidence &evidence, const std::vector<Node> &nodes,
                                      Watch &watch) override {
    return complete(sum(evidence, nodes, watch), watch).posterior;
  }
  State most_probable(const Evidence &evidence, Watch &watch) override {
    return optbn::most_probable(propagation_, cutset_, evidence, watch);
  }
  std::vector<std::uint16_t> draw_rows(const Evidence &evidence, std::size_t rows, Random &random,
                                       Watch &watch) override {
    return optbn::draw_rows(propagation_, cutset_, evidence, rows, random, watch);
  }
  std::vector<Node> conflicting_nodes(const Evidence &evidence, Watch &watch) override {
    return smallest_conflict(evidence, [&](const Evidence &without) {
      return !is_possible(propagation_, cutset_, without, watch);
    });
  }
  std::vector<double> log_probabilities(const PartialRows &rows, Watch &watch) override {
    return optbn::log_probabilities(propagation_, cutset_, rows, watch);
  }
  std::vector<double> posteriors(const PartialRows &rows, Node node, Watch &watch) override {
    return optbn::posteriors(propagation_, cutset_, rows, node, watch);
  }

private:
  static ConditionedSum complete(ConditionedSum sum, Watch &watch) {
    throw_if_stopped(watch);
    return sum;
  }

  const std::vector<Node> cutset_;
};

Rcpp::List as_list(const ConditionedSum &sum, const Rcpp::RObject &posterior, const RHost &host) {
  return Rcpp::List::create(
      Rcpp::_["posterior"] = posterior, Rcpp::_["log_probability"] = sum.log_probability,
      Rcpp::_["log_rest"] = sum.log_rest, Rcpp::_["passes"] = static_cast<double>(sum.passes),
      Rcpp::_["done"] = static_cast<double>(sum.done), Rcpp::_["reason"] = host.reason(sum.reason));
}

// network: sizes (levels by node) and parents (node numbers from 1, in the order of the tables'
// dimensions).
std::vector<unsigned> levels_of(const Rcpp::List &network) {
  return Rcpp::as<std::vector<unsigned>>(network["sizes"]);
}

std::vector<std::vector<Node>> parents_of(const Rcpp::List &network) {
  const Rcpp::List sets = network["parents"];
  std::vector<std::vector<Node>> parents;
  for (const Rcpp::IntegerVector set : sets) {
    parents.emplace_back();
    for (const int parent : set) {
      require_well_formed(parent > 0 && parent <= sets.size(), "a parent is no node");
      parents.back().push_back(static_cast<Node>(parent - 1));
    }
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
  const Rcpp::List parents = network["parents"];
  std::vector<bool> seen(static_cast<std::size_t>(parents.size()), false);
  std::vector<Node> nodes;
  for (const int node : order) {
    require_well_formed(node > 0 && node <= parents.size() &&
                            !seen[static_cast<std::size_t>(node - 1)],
                        "its elimination order is none");
    seen[static_cast<std::size_t>(node - 1)] = true;
    nodes.push_back(static_cast<Node>(node - 1));
  }
  require_well_formed(nodes.size() == seen.size(), "its elimination order is none");
  return decompose(moral_graph(as_node_sets(network["parents"])), nodes);
}

} // namespace

// The cliques of an elimination order: members (node numbers from 1), parent (from 1; the root is
// its own parent), cells; and the cells of the network's own tables, and of all messages.
// [[Rcpp::export(rng = false)]]
Rcpp::List core_clique_tree(const Rcpp::List &network, const Rcpp::IntegerVector &order) {
  const std::vector<unsigned> levels = levels_of(network);
  const std::vector<std::vector<Node>> parents = parents_of(network);
  const CliqueTree tree = make_clique_tree(levels, parents, decomposition_of(network, order));
  Rcpp::List members;
  Rcpp::IntegerVector parent;
  double tables = 0, messages = 0;
  for (const Clique &clique : tree.cliques) {
    members.push_back(Rcpp::IntegerVector(clique.members.begin(), clique.members.end()) + 1);
    parent.push_back(static_cast<int>(clique.parent) + 1);
    double separator = 1;
    for (std::size_t m = clique.residual; m < clique.members.size(); ++m)
      separator *= levels[clique.members[m]];
    messages += 2 * separator; // one in each direction
    for (const Node v : clique.families)
      tables += cells_of_family(levels, v, parents[v]);
  }
  return Rcpp::List::create(Rcpp::_["members"] = members, Rcpp::_["parent"] = parent,
                            Rcpp::_["cells"] = tree.cells, Rcpp::_["tables"] = tables,
                            Rcpp::_["messages"] = messages);
}

// A pointer to a model. `tables`: by node, the node fastest, then its parents. `cutset`: the nodes
// (from 1) that it is conditioned on.
// [[Rcpp::export(rng = false)]]
SEXP core_compile(const Rcpp::List &network, const Rcpp::List &tables,
                  const Rcpp::IntegerVector &order, double memory_limit,
                  const Rcpp::IntegerVector &cutset) {
  return guarded([&] {
    DiscreteNetwork discrete{levels_of(network), parents_of(network),
                             Rcpp::as<std::vector<std::vector<double>>>(tables)};
    check(discrete);
    const TreeDecomposition decomposition = decomposition_of(network, order);
    double bytes = 0;
    for (const std::vector<double> &table : discrete.tables)
      bytes += static_cast<double>(table.size() * sizeof(double));
    if (cutset.size() == 0)
      return model_pointer(std::make_unique<CompiledNetwork>(std::move(discrete), decomposition,
                                                             memory_limit, bytes));
    std::vector<Node> nodes;
    for (const int node : cutset) {
      require_well_formed(node > 0 && static_cast<std::size_t>(node) <= discrete.levels.size(),
                          "a node that it is conditioned on is none");
      nodes.push_back(static_cast<Node>(node - 1));
    }
    return model_pointer(std::make_unique<ConditionedNetwork>(
        std::move(discrete), decomposition, memory_limit, bytes, std::move(nodes)));
  });
}

// Of a conditioned network: the joint posterior of nodes (from 1), or, if there are none, those of
// all nodes with these dimnames; the log-probability of the evidence and a bound on what is missing
// of it; passes in all and done; and the reason why they are not all done.
// [[Rcpp::export(rng = false)]]
SEXP core_conditioned_posterior(SEXP pointer, const Rcpp::List &evidence,
                                const Rcpp::IntegerVector &nodes, const Rcpp::List &dimnames,
                                double most_passes, const Rcpp::List &options) {
  ModelPointer model(pointer);
  RHost host(options);
  return guarded([&]() -> SEXP {
    Watch watch(host.host());
    std::vector<Node> queried;
    for (const int node : nodes)
      queried.push_back(static_cast<Node>(node - 1));
    try {
      const ConditionedSum sum = dynamic_cast<ConditionedNetwork &>(*model).sum(
          as_evidence(evidence, model->size()), queried, watch, most_passes);
      Rcpp::RObject posterior;
      if (queried.empty())
        posterior = as_posteriors(sum.posterior, *model, dimnames);
      else
        posterior = Rcpp::wrap(sum.posterior);
      return as_list(sum, posterior, host);
    } catch (const ImpossibleEvidence &e) {
      return core_failure("impossible", e.what(), Rcpp::List::create());
    }
  });
}

// The same without a posterior.
// [[Rcpp::export(rng = false)]]
SEXP core_conditioned_probability(SEXP pointer, const Rcpp::List &evidence, double most_passes,
                                  const Rcpp::List &options) {
  ModelPointer model(pointer);
  RHost host(options);
  return guarded([&]() -> SEXP {
    Watch watch(host.host());
    return as_list(dynamic_cast<ConditionedNetwork &>(*model).sum_probability(
                       as_evidence(evidence, model->size()), watch, most_passes),
                   R_NilValue, host);
  });
}
