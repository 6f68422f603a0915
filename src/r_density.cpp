#include "r_density.h"
#include "r_queries.h"

#include "core/density/density_queries.h"

using namespace optbn;

namespace {

// `end`: of the numbers that tables are read from.
TreeDensity as_tree(const int *variable, const int *states, const int *parent, int members,
                    const double *tables, const double *end) {
  constexpr int kMostLevels = 0xffff;
  TreeDensity tree;
  tree.members.reserve(static_cast<std::size_t>(members)); // of ensembles there are millions
  std::size_t cells = 0;
  for (int m = 0; m < members; ++m) {
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

CutsetNetwork as_cutset_network(const Rcpp::List &body) {
  const auto numbers = [&body](const char *part) {
    const SEXP values = body[part];
    require_well_formed(TYPEOF(values) == INTSXP, "parts of a component are no whole numbers");
    return Rcpp::IntegerVector(values);
  };
  const Rcpp::IntegerVector cut = numbers("cut"), first = numbers("first");
  const Rcpp::IntegerVector members = numbers("members"), variable = numbers("variable");
  const Rcpp::IntegerVector states = numbers("states"), parent = numbers("parent");
  const Rcpp::NumericVector weight = body["weight"], tables = body["tables"];
  require_well_formed(first.size() == cut.size() && weight.size() == cut.size() &&
                          states.size() == variable.size() && parent.size() == variable.size(),
                      "parts of a component differ in length");
  CutsetNetwork network;
  for (R_xlen_t i = 0; i < cut.size(); ++i) {
    require_well_formed(cut[i] >= 0 && cut[i] <= CutsetNetwork::kLeaf && first[i] > 0,
                        "the cuts are no tree");
    network.places.push_back({cut[i] == 0 ? CutsetNetwork::kLeaf : static_cast<Node>(cut[i] - 1),
                              static_cast<std::uint32_t>(first[i] - 1), weight[i]});
  }
  R_xlen_t member = 0, cell = 0;
  for (const int count : members) {
    require_well_formed(count >= 0 && count <= variable.size() - member,
                        "parts of a component differ in length");
    network.leaves.push_back(as_tree(variable.begin() + member, states.begin() + member,
                                     parent.begin() + member, count, tables.begin() + cell,
                                     tables.end()));
    member += count;
    cell += static_cast<R_xlen_t>(network.leaves.back().tables.size());
  }
  require_well_formed(member == variable.size() && cell == tables.size(),
                      "parts of a component differ in length");
  return network;
}

DensityMixture as_mixture(const Rcpp::IntegerVector &sizes, const Rcpp::NumericVector &weights,
                          const Rcpp::List &bodies) {
  DensityMixture mixture;
  mixture.levels.assign(sizes.begin(), sizes.end());
  mixture.weights.assign(weights.begin(), weights.end());
  for (const Rcpp::List body : bodies)
    mixture.components.push_back(as_cutset_network(body));
  return mixture;
}

Rcpp::List to_r(const CutsetNetwork &network) {
  std::vector<int> cut, first, members, variable, states, parent;
  std::vector<double> weight, tables;
  for (const CutsetNetwork::Place &place : network.places) {
    cut.push_back(place.cut == CutsetNetwork::kLeaf ? 0 : place.cut + 1);
    first.push_back(static_cast<int>(place.first) + 1);
    weight.push_back(place.weight);
  }
  for (const TreeDensity &leaf : network.leaves) {
    members.push_back(static_cast<int>(leaf.members.size()));
    for (const TreeDensity::Member &member : leaf.members) {
      variable.push_back(member.variable == TreeDensity::kHidden ? 0 : member.variable + 1);
      states.push_back(member.levels);
      parent.push_back(member.parent == TreeDensity::kRoot ? 0
                                                           : static_cast<int>(member.parent) + 1);
    }
    tables.insert(tables.end(), leaf.tables.begin(), leaf.tables.end());
  }
  return Rcpp::List::create(Rcpp::_["cut"] = cut, Rcpp::_["first"] = first,
                            Rcpp::_["weight"] = weight, Rcpp::_["members"] = members,
                            Rcpp::_["variable"] = variable, Rcpp::_["states"] = states,
                            Rcpp::_["parent"] = parent, Rcpp::_["tables"] = tables);
}

Rcpp::List to_r(const std::vector<CutsetNetwork> &components) {
  Rcpp::List bodies(components.size());
  for (std::size_t c = 0; c < components.size(); ++c)
    bodies[c] = to_r(components[c]);
  return bodies;
}

// The pointer to a model. `sizes`: levels by variable.
// [[Rcpp::export]]
SEXP core_density(const Rcpp::IntegerVector &sizes, const Rcpp::NumericVector &weights,
                  const Rcpp::List &components) {
  return guarded([&] {
    DensityMixture mixture = as_mixture(sizes, weights, components);
    check(mixture);
    return model_pointer(std::make_unique<Density>(std::move(mixture)));
  });
}

// By component the log-densities of all rows: a matrix with a row per row.
// [[Rcpp::export]]
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
// [[Rcpp::export]]
double core_density_parameters(SEXP pointer) {
  const ModelPointer model(pointer);
  return parameters(dynamic_cast<const Density &>(*model).mixture());
}
