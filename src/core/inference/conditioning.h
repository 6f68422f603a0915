// Conditioning: exact queries of networks whose junction tree does not fit into memory.
//
// Observed nodes have one level in all tables, so a tree that is too large fits once the nodes of a
// *cutset* are observed as well. A query is then the sum, over the configurations c of the cutset,
// of queries given c, one *pass* each: P(x, e) = sum of P(x, e, c) (Pearl 1986, doi
// 10.1016/0004-3702(86)90072-X). Nodes of the cutset that are observed anyway, that are barren, or
// that fit without being observed once the evidence is set, need no passes.
//
// Passes come in the order of an upper bound on P(e, c): the product, over the nodes of evidence
// and cutset, of the largest probability that their values have given any values of unobserved
// parents; the other nodes sum to 1. What the bounds of the passes to come add up to bounds what is
// missing, so that a sum that is stopped early is an answer with known bounds (bounded
// conditioning: Horvitz, Suermondt & Cooper 1989). Time is linear in passes and cells, memory that
// of one pass and two numbers for each configuration.
#pragma once

#include "core/data/partial_rows.h"
#include "core/inference/propagation.h"
#include "core/inference/queries.h"

#include <vector>

namespace optbn {

// The configurations of the nodes that a query conditions on, by descending bound; impossible ones
// are left out.
class Configurations {
public:
  // `cutset`: a node is given up again before those that come earlier.
  Configurations(const JunctionTree &tree, const std::vector<Node> &cutset,
                 const Evidence &evidence, const std::vector<char> &relevant, double memory_limit);

  std::size_t size() const { return order_.size(); }
  Evidence evidence(std::size_t i) const;
  double log_bound(std::size_t i) const { return log_bounds_[order_[i]]; }
  // On the sum of P(e, c) over the configurations from this one on.
  double log_rest(std::size_t i) const { return log_rest_[i]; }
  // On P(e) itself.
  double log_most() const { return log_most_; }

private:
  void choose(const std::vector<Node> &cutset, const std::vector<char> &relevant,
              double memory_limit);
  void bound();
  void bound_family(Node v);
  void sort();

  const JunctionTree &tree_;
  const Evidence &evidence_;
  std::vector<Node> nodes_; // that are conditioned on
  std::vector<double> log_bounds_;
  std::vector<std::size_t> order_; // configurations: numbers whose digits are levels
  std::vector<double> log_rest_;
  double log_most_ = 0;
};

// What passes add up to.
struct ConditionedSum {
  double log_probability;        // of the evidence together with the configurations so far
  double log_rest;               // an upper bound on that of all others
  std::vector<double> posterior; // given the configurations so far
  std::size_t passes = 0, done = 0;
  StopReason reason = StopReason::none;
};

// The joint posterior of some nodes, or those of all nodes where `nodes` is empty: as the functions
// of queries.h return them. Stops early after so many passes, if there is anything by then, and when
// the watch does, and throws only when there is nothing yet; throws ImpossibleEvidence, and MemoryLimit where the nodes do not fit.
ConditionedSum conditioned_posterior(Propagation &propagation, const std::vector<Node> &cutset,
                                     const Evidence &evidence, const std::vector<Node> &nodes,
                                     Watch &watch,
                                     double most_passes = std::numeric_limits<double>::infinity());

// The same without a posterior, of possible and impossible evidence.
ConditionedSum
conditioned_probability(Propagation &propagation, const std::vector<Node> &cutset,
                        const Evidence &evidence, Watch &watch,
                        double most_passes = std::numeric_limits<double>::infinity());

// As the functions of queries.h and batch_queries.h: exact or nothing.
State most_probable(Propagation &propagation, const std::vector<Node> &cutset,
                    const Evidence &evidence, Watch &watch);
std::vector<std::uint16_t> draw_rows(Propagation &propagation, const std::vector<Node> &cutset,
                                     const Evidence &evidence, std::size_t rows, Random &random,
                                     Watch &watch);
std::vector<double> log_probabilities(Propagation &propagation, const std::vector<Node> &cutset,
                                      const PartialRows &rows, Watch &watch);
std::vector<double> posteriors(Propagation &propagation, const std::vector<Node> &cutset,
                               const PartialRows &rows, Node node, Watch &watch);
bool is_possible(Propagation &propagation, const std::vector<Node> &cutset,
                 const Evidence &evidence, Watch &watch);

} // namespace optbn
