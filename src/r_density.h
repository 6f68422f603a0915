// Mixtures of cutset networks between R and the core.
//
// A component in R is a list of vectors that mirror core/density/density.h, with numbers from 1. By
// cut node: `cut` (the variable, 0 at a leaf), `first` (the child of the first level, or the leaf)
// and `weight`. By leaf: `members`, the number of nodes of its tree. By node of these trees, those
// of the first leaf first: `variable` (0 if hidden), `states`, `parent` (an index within the leaf,
// 0 for a root). And `tables`, all of them one after another.
#pragma once

#include "core/density/density.h"

#include <Rcpp.h>

optbn::CutsetNetwork as_cutset_network(const Rcpp::List &component);

// `weights`: by component.
optbn::DensityMixture as_mixture(const Rcpp::IntegerVector &sizes,
                                 const Rcpp::NumericVector &weights, const Rcpp::List &components);

Rcpp::List to_r(const optbn::CutsetNetwork &network);

// The list of components.
Rcpp::List to_r(const std::vector<optbn::CutsetNetwork> &components);
