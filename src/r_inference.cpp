#include "r_data.h"
#include "r_queries.h"

#include "core/graph/tree_decomposition.h"
#include "core/inference/batch_queries.h"

#include <memory>

using namespace optbn;

namespace {

class CompiledNetwork : public ExactModel {
public:
  CompiledNetwork(DiscreteNetwork network, const TreeDecomposition &decomposition,
                  double memory_limit)
      : tree_(std::move(network), decomposition), propagation_(tree_, memory_limit) {}

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

private:
  const JunctionTree tree_;
  Propagation propagation_;
};

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
// its own parent), cells; and the bytes that the network's tables and a query for all posteriors
// take.
// [[Rcpp::export(rng = false)]]
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
    for (std::size_t m = clique.residual; m < clique.members.size(); ++m)
      separator *= levels[clique.members[m]];
    cells += 2 * separator; // a message in each direction
    for (const Node v : clique.families)
      cells += cells_of_family(levels, v, parents[v]);
  }
  return Rcpp::List::create(Rcpp::_["members"] = members, Rcpp::_["parent"] = parent,
                            Rcpp::_["cells"] = tree.cells,
                            Rcpp::_["bytes"] = cells * sizeof(double));
}

// A pointer to a model. `tables`: by node, the node fastest, then its parents.
// [[Rcpp::export(rng = false)]]
SEXP core_compile(const Rcpp::List &network, const Rcpp::List &tables,
                  const Rcpp::IntegerVector &order, double memory_limit) {
  return guarded([&] {
    DiscreteNetwork discrete{levels_of(network), parents_of(network),
                             Rcpp::as<std::vector<std::vector<double>>>(tables)};
    check(discrete);
    return model_pointer(std::make_unique<CompiledNetwork>(
        std::move(discrete), decomposition_of(network, order), memory_limit));
  });
}
