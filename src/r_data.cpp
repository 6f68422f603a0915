#include "r_data.h"
#include "r_source.h"

#include <algorithm>

using namespace optbn;

Dataset as_dataset(const Rcpp::List &encoded) {
  const Rcpp::List columns = encoded["columns"], levels = encoded["levels"];
  const Rcpp::CharacterVector types = encoded["types"];
  const bool has_holes = encoded.containsElementNamed("holes") && !Rf_isNull(encoded["holes"]);
  const Rcpp::LogicalVector holes =
      has_holes ? Rcpp::LogicalVector(encoded["holes"]) : Rcpp::LogicalVector(columns.size());
  Dataset data;
  const bool has_source = encoded.containsElementNamed("source");
  if (!has_source)
    data.rows = Rcpp::as<std::size_t>(encoded["rows"]);
  data.total = static_cast<std::uint64_t>(Rcpp::as<double>(encoded["total"]));
  for (R_xlen_t i = 0; i < columns.size(); ++i) {
    Column column;
    column.levels = static_cast<unsigned>(Rf_length(levels[i])); // 0 of NULL
    column.ordered = types[i] == "ordered";
    column.holes = holes[i];
    if (!has_source && column.discrete()) {
      const Rcpp::IntegerVector codes = columns[i];
      column.codes.reserve(static_cast<std::size_t>(codes.size()));
      for (const int code : codes)
        column.codes.push_back(as_code(code, column));
    } else if (!has_source) {
      const Rcpp::NumericVector values = columns[i];
      column.values.assign(values.begin(), values.end());
    }
    data.columns.push_back(std::move(column));
  }
  if (!Rf_isNull(encoded["weights"]))
    data.weights = Rcpp::as<std::vector<std::uint32_t>>(encoded["weights"]);
  if (has_source)
    data.source = make_row_source(encoded["source"], data);
  return data;
}

namespace {

// The results of complete_columns() in R for each column; continuous ones have entries.
void add_columns(const Rcpp::List &columns, ScoreSettings &settings) {
  for (R_xlen_t i = 0; i < columns.size(); ++i) {
    Scale scale;
    Interval range;
    BinCuts cuts;
    if (!Rf_isNull(columns[i])) {
      const Rcpp::List column = columns[i];
      scale = {Rcpp::as<double>(column["centre"]), Rcpp::as<double>(column["spread"])};
      if (column.containsElementNamed("range")) {
        const Rcpp::NumericVector ends = column["range"];
        range = {ends[0], ends[1]};
      }
      if (column.containsElementNamed("cuts"))
        cuts = Rcpp::as<BinCuts>(column["cuts"]);
    }
    settings.scale.push_back(scale);
    settings.range.push_back(range);
    settings.cuts.push_back(std::move(cuts));
  }
}

} // namespace

ScoreSettings as_score_settings(const Rcpp::List &score) {
  ScoreSettings settings;
  settings.label = Rcpp::as<std::string>(score["label"]);
  const auto number = [&score](const char *name, auto &field) {
    if (score.containsElementNamed(name))
      field = Rcpp::as<std::decay_t<decltype(field)>>(score[name]);
  };
  if (score.containsElementNamed("set"))
    for (const Rcpp::IntegerVector rows : Rcpp::List(score["set"]))
      settings.set.emplace_back(rows.begin(), rows.end());
  if (score.containsElementNamed("left"))
    for (const Rcpp::RObject table : Rcpp::List(score["left"]))
      settings.left.push_back(table.isNULL()
                                  ? nullptr
                                  : std::make_shared<const Dataset>(as_dataset(Rcpp::List(table))));
  if (score.containsElementNamed("columns")) { // pcart and ft
    number("alpha", settings.leaf.alpha);
    number("iss", settings.leaf.iss);
    number("nu", settings.leaf.nu);
    number("lambda", settings.leaf.lambda);
    number("mu", settings.leaf.mu);
    number("a", settings.leaf.a);
    number("max_splits", settings.max_splits);
    number("max_levels", settings.max_levels);
    add_columns(score["columns"], settings);
    return settings;
  }
  number("iss", settings.iss);
  number("k", settings.k);
  number("l", settings.sizes);
  number("iss_mu", settings.iss_mu);
  number("iss_w", settings.iss_w);
  number("nu", settings.nu);
  if (score.containsElementNamed("new"))
    settings.newdata = as_dataset(score["new"]);
  if (score.containsElementNamed("worth")) {
    const Rcpp::List worth = score["worth"];
    settings.worth.constant = Rcpp::as<std::vector<double>>(worth["constant"]);
    if (worth.containsElementNamed("every"))
      settings.worth.every = Rcpp::as<double>(worth["every"]);
    else
      settings.worth.single = Rcpp::as<std::vector<double>>(worth["single"]);
  }
  return settings;
}

ParentSets as_parent_sets(const Rcpp::List &sets) {
  ParentSets out;
  out.nodes.resize(static_cast<std::size_t>(sets.size()));
  for (R_xlen_t v = 0; v < sets.size(); ++v) {
    const Rcpp::List node = sets[v];
    const Rcpp::NumericVector score = node["score"];
    const Rcpp::IntegerVector size = node["size"], parents = node["parents"];
    CandidateSets &candidates = out.nodes[static_cast<std::size_t>(v)];
    candidates.score.assign(score.begin(), score.end());
    candidates.offset.reserve(static_cast<std::size_t>(size.size()) + 1);
    for (const int members : size)
      candidates.offset.push_back(candidates.offset.back() + static_cast<std::uint32_t>(members));
    candidates.parents.reserve(static_cast<std::size_t>(parents.size()));
    for (const int parent : parents)
      candidates.parents.push_back(static_cast<Node>(parent - 1));
  }
  return out;
}

Rcpp::List to_r(const ParentSets &sets) {
  Rcpp::List out(static_cast<R_xlen_t>(sets.nodes.size()));
  for (std::size_t v = 0; v < sets.nodes.size(); ++v) {
    const CandidateSets &candidates = sets.nodes[v];
    Rcpp::IntegerVector size(static_cast<R_xlen_t>(candidates.size()));
    for (std::size_t i = 0; i < candidates.size(); ++i)
      size[static_cast<R_xlen_t>(i)] = static_cast<int>(candidates.size_of(i));
    Rcpp::IntegerVector parents(candidates.parents.begin(), candidates.parents.end());
    out[static_cast<R_xlen_t>(v)] =
        Rcpp::List::create(Rcpp::_["score"] = Rcpp::wrap(candidates.score), Rcpp::_["size"] = size,
                           Rcpp::_["parents"] = Rcpp::IntegerVector(parents + 1));
  }
  return out;
}

std::vector<std::vector<Node>> as_node_sets(const Rcpp::List &sets) {
  std::vector<std::vector<Node>> out;
  for (const Rcpp::IntegerVector set : sets) {
    std::vector<Node> nodes;
    for (const int node : set)
      nodes.push_back(static_cast<Node>(node - 1));
    std::sort(nodes.begin(), nodes.end());
    out.push_back(std::move(nodes));
  }
  return out;
}
