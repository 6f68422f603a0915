// ExactModel: the interface of R to all models with exact queries, behind one pointer.
//
// Junction trees and densities compute the same queries; this interface lets R's verbs call one set
// of functions for both. A model belongs to R's thread.
#pragma once

#include "r_host.h"

#include "core/base/random.h"
#include "core/data/evidence.h"
#include "core/data/partial_rows.h"

#include <memory>
#include <vector>

class ExactModel {
public:
  using Node = optbn::Node;
  using Evidence = optbn::Evidence;
  using PartialRows = optbn::PartialRows;
  using Watch = optbn::Watch;

  virtual ~ExactModel() = default;

  virtual Node size() const = 0;
  virtual unsigned levels(Node node) const = 0;

  // As the functions of the same names in core/inference/{queries,batch_queries}.h and in
  // core/density/density_queries.h.
  virtual double log_probability(const Evidence &evidence, Watch &watch) = 0;
  virtual std::vector<double> marginals(const Evidence &evidence, Watch &watch) = 0;
  virtual std::vector<double> joint_posterior(const Evidence &evidence,
                                              const std::vector<Node> &nodes, Watch &watch) = 0;
  virtual optbn::State most_probable(const Evidence &evidence, Watch &watch) = 0;
  virtual bool exact_most_probable() const { return true; }
  virtual std::vector<std::uint16_t> draw_rows(const Evidence &evidence, std::size_t rows,
                                               optbn::Random &random, Watch &watch) = 0;
  virtual std::vector<Node> conflicting_nodes(const Evidence &evidence, Watch &watch) = 0;
  virtual std::vector<double> log_probabilities(const PartialRows &rows, Watch &watch) = 0;
  virtual std::vector<double> posteriors(const PartialRows &rows, Node node, Watch &watch) = 0;

  // R's list that the model was compiled from; R compares its parts before it uses the model again.
  Rcpp::RObject compiled_from;
};

using ModelPointer = Rcpp::XPtr<ExactModel>;

inline ModelPointer model_pointer(std::unique_ptr<ExactModel> model) {
  return ModelPointer(model.release());
}

// From the list that encode_evidence_list() makes in R.
optbn::Evidence as_evidence(const Rcpp::List &encoded, optbn::Node nodes);

// Posteriors of all nodes, one after another, as arrays of one dimension with these dimnames.
Rcpp::List as_posteriors(const std::vector<double> &all, const ExactModel &model,
                         const Rcpp::List &dimnames);

// Columns of codes from 0, NA where missing.
optbn::PartialRows as_rows(const Rcpp::List &columns, int rows);

// From the list that encode_evidence_list() makes in R: node (from 1) and level (from 0) of
// observed nodes, weighed (from 1) and likelihood of the others.
optbn::Evidence as_evidence(const Rcpp::List &encoded, optbn::Node nodes);
