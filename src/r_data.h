// R's lists as the core's types, and back.
#pragma once

#include "core/completion/mixed_network.h"
#include "core/data/dataset.h"
#include "core/score/local_score.h"
#include "core/score/parent_sets.h"

#include <Rcpp.h>

// From the list that encode_data() makes in R.
optbn::Dataset as_dataset(const Rcpp::List &encoded);

// A level of a discrete column as the core has it: R's NA is the number of levels.
inline std::uint16_t as_code(int level, const optbn::Column &column) {
  return static_cast<std::uint16_t>(level == NA_INTEGER ? static_cast<int>(column.levels) : level);
}

// From a score object with its numbers filled in (complete_score() in R).
optbn::ScoreSettings as_score_settings(const Rcpp::List &score);

// From the `sets` of a parent_sets object: per node list(score, size, parents), nodes from 1.
optbn::ParentSets as_parent_sets(const Rcpp::List &sets);

Rcpp::List to_r(const optbn::ParentSets &sets);

// Per node a vector of node numbers from 1, as ascending numbers from 0.
std::vector<std::vector<optbn::Node>> as_node_sets(const Rcpp::List &sets);

// From network_for_core() in R: levels (0 of continuous nodes), and of each node of `nodes`:
// discrete and continuous (parents, numbers from 1), and table, or coefficients and variance.
optbn::MixedNetwork as_mixed_network(const Rcpp::List &network);
