#include "r_density.h"
#include "r_queries.h"

#include "core/density/density_queries.h"

using namespace optbn;

namespace {

// `end`: of the numbers that tables are read from.
TreeDensity as_tree(const int *variable, const int *states, const int *parent, int nodes,
                    const double *tables, const double *end) {
  constexpr int kMostLevels = 0xffff;
  TreeDensity tree;
  tree.nodes.reserve(static_cast<std::size_t>(nodes)); // of ensembles there are millions
  std::size_t cells = 0;
  for (int m = 0; m < nodes; ++m) {
    require_well_formed(variable[m] >= 0 && variable[m] <= kMostLevels && states[m] > 0 &&
                            states[m] <= kMostLevels && parent[m] >= 0 && parent[m] <= m,
                        "the members of a leaf are no forest");
    cells += std::size_t(states[m]) * (parent[m] == 0 ? 1 : states[parent[m] - 1]);
    require_well_formed(cells <= static_cast<std::size_t>(end - tables),
                        "tables have another size");
    tree.add(variable[m] == 0 ? TreeDensity::kHidden : static_cast<Node>(variable[m] - 1),
             static_cast<unsigned>(states[m]),
             parent[m] == 0 ? TreeDensity::kRoot : static_cast<std::uint32_t>(parent[m] - 1));
  }
  tree.tables = std::vector<double>(tables, tables + cells);
  return tree;
}

class Density : public ExactModel {
public:
  explicit Density(DensityMixture mixture) : mixture_(std::move(mixture)) {}

  const DensityMixture &mixture() const { return mixture_; }
  Node size() const override { return mixture_.size(); }
  unsigned levels(Node node) const override { return mixture_.levels[node]; }

  double log_probability(const Evidence &evidence, Watch &watch) override {
    return optbn::log_probability(mixture_, evidence, watch);
  }
  std::vector<double> marginals(const Evidence &evidence, Watch &watch) override {
    return optbn::marginals(mixture_, evidence, watch);
  }
  std::vector<double> joint_posterior(const Evidence &evidence, const std::vector<Node> &nodes,
                                      Watch &watch) override {
    return optbn::joint_posterior(mixture_, evidence, nodes, watch);
  }
  State most_probable(const Evidence &evidence, Watch &watch) override {
    return optbn::most_probable(mixture_, evidence, watch);
  }
  bool exact_most_probable() const override { return optbn::exact_most_probable(mixture_); }
  std::vector<std::uint16_t> draw_rows(const Evidence &evidence, std::size_t rows, Random &random,
                                       Watch &watch) override {
    return optbn::draw_rows(mixture_, evidence, rows, random, watch);
  }
  std::vector<Node> conflicting_nodes(const Evidence &evidence, Watch &watch) override {
    return optbn::conflicting_nodes(mixture_, evidence, watch);
  }
  std::vector<double> log_probabilities(const PartialRows &rows, Watch &watch) override {
    return optbn::log_densities(mixture_, rows, watch);
  }
  std::vector<double> posteriors(const PartialRows &rows, Node node, Watch &watch) override {
    return optbn::posteriors(mixture_, rows, node, watch);
  }

private:
  const DensityMixture mixture_;
};

} // namespace

CutsetNetwork as_cutset_network(const Rcpp::List &component) {
  const auto numbers = [&component](const char *part) {
    const SEXP values = component[part];
    require_well_formed(TYPEOF(values) == INTSXP, "parts of a component are no whole numbers");
    return Rcpp::IntegerVector(values);
  };
  const Rcpp::IntegerVector cut = numbers("cut"), first = numbers("first");
  const Rcpp::IntegerVector nodes = numbers("members"), variable = numbers("variable");
  const Rcpp::IntegerVector states = numbers("states"), parent = numbers("parent");
  const Rcpp::NumericVector weight = component["weight"], tables = component["tables"];
  require_well_formed(first.size() == cut.size() && weight.size() == cut.size() &&
                          states.size() == variable.size() && parent.size() == variable.size(),
                      "parts of a component differ in length");
  CutsetNetwork network;
  for (R_xlen_t i = 0; i < cut.size(); ++i) {
    require_well_formed(cut[i] >= 0 && cut[i] <= CutsetNetwork::kLeaf && first[i] > 0,
                        "the cuts are no tree");
    network.nodes.push_back({cut[i] == 0 ? CutsetNetwork::kLeaf : static_cast<Node>(cut[i] - 1),
                             static_cast<std::uint32_t>(first[i] - 1), weight[i]});
  }
  R_xlen_t node = 0, cell = 0;
  for (const int count : nodes) {
    require_well_formed(count >= 0 && count <= variable.size() - node,
                        "parts of a component differ in length");
    network.leaves.push_back(as_tree(variable.begin() + node, states.begin() + node,
                                     parent.begin() + node, count, tables.begin() + cell,
                                     tables.end()));
    node += count;
    cell += static_cast<R_xlen_t>(network.leaves.back().tables.size());
  }
  require_well_formed(node == variable.size() && cell == tables.size(),
                      "parts of a component differ in length");
  return network;
}

DensityMixture as_mixture(const Rcpp::IntegerVector &sizes, const Rcpp::NumericVector &weights,
                          const Rcpp::List &components) {
  DensityMixture mixture;
  mixture.levels.assign(sizes.begin(), sizes.end());
  mixture.weights.assign(weights.begin(), weights.end());
  for (const Rcpp::List component : components)
    mixture.components.push_back(as_cutset_network(component));
  return mixture;
}

Rcpp::List to_r(const CutsetNetwork &network) {
  std::vector<int> cut, first, nodes, variable, states, parent;
  std::vector<double> weight, tables;
  for (const CutsetNetwork::CutNode &node : network.nodes) {
    cut.push_back(node.cut == CutsetNetwork::kLeaf ? 0 : node.cut + 1);
    first.push_back(static_cast<int>(node.first) + 1);
    weight.push_back(node.weight);
  }
  for (const TreeDensity &leaf : network.leaves) {
    nodes.push_back(static_cast<int>(leaf.nodes.size()));
    for (const TreeDensity::TreeNode &node : leaf.nodes) {
      variable.push_back(node.variable == TreeDensity::kHidden ? 0 : node.variable + 1);
      states.push_back(node.levels);
      parent.push_back(node.parent == TreeDensity::kRoot ? 0 : static_cast<int>(node.parent) + 1);
    }
    tables.insert(tables.end(), leaf.tables.begin(), leaf.tables.end());
  }
  return Rcpp::List::create(Rcpp::_["cut"] = cut, Rcpp::_["first"] = first,
                            Rcpp::_["weight"] = weight, Rcpp::_["members"] = nodes,
                            Rcpp::_["variable"] = variable, Rcpp::_["states"] = states,
                            Rcpp::_["parent"] = parent, Rcpp::_["tables"] = tables);
}

Rcpp::List to_r(const std::vector<CutsetNetwork> &components) {
  Rcpp::List list(components.size());
  for (std::size_t c = 0; c < components.size(); ++c)
    list[c] = to_r(components[c]);
  return list;
}

// The pointer to a model. `sizes`: levels by variable.
// [[Rcpp::export(rng = false)]]
SEXP core_density(const Rcpp::IntegerVector &sizes, const Rcpp::NumericVector &weights,
                  const Rcpp::List &components) {
  return guarded([&] {
    DensityMixture mixture = as_mixture(sizes, weights, components);
    check(mixture);
    return model_pointer(std::make_unique<Density>(std::move(mixture)));
  });
}

// By component the log-densities of all rows: a matrix with a row per row.
// [[Rcpp::export(rng = false)]]
SEXP core_component_log_densities(SEXP pointer, const Rcpp::List &columns, int rows,
                                  const Rcpp::List &options) {
  const ModelPointer model(pointer);
  const DensityMixture &mixture = dynamic_cast<const Density &>(*model).mixture();
  RHost host(options);
  return guarded([&] {
    Watch watch(host.host(), static_cast<double>(rows) * mixture.components.size());
    const std::vector<double> all = component_log_densities(mixture, as_rows(columns, rows), watch);
    return Rcpp::NumericMatrix(rows, static_cast<int>(mixture.components.size()), all.begin());
  });
}

// Free parameters, the weights of the components among them.
// [[Rcpp::export(rng = false)]]
double core_density_parameters(SEXP pointer) {
  const ModelPointer model(pointer);
  return parameters(dynamic_cast<const Density &>(*model).mixture());
}
