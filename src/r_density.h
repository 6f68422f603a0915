// Mixtures of cutset networks between R and the core.
//
// A component in R, its "body", is a list of vectors that mirror core/density/density.h, numbers
// counting from 1: by place of the tree of cuts `cut` (the variable, 0 at a leaf), `first` (the
// child of the first level, or the leaf) and `weight`; `members`, how many the tree of each leaf
// has; and by member, those of the first leaf first, `variable` (0 if hidden), `states`, `parent`
// (a place within the leaf, 0 for a root); `tables`, all of them one after another.
#pragma once

#include "core/density/density.h"

#include <Rcpp.h>

optbn::CutsetNetwork as_cutset_network(const Rcpp::List &body);

// `weights` by component, `bodies` a list of components.
optbn::DensityMixture as_mixture(const Rcpp::IntegerVector &sizes,
                                 const Rcpp::NumericVector &weights, const Rcpp::List &bodies);

Rcpp::List to_r(const optbn::CutsetNetwork &network);

// The list of components.
Rcpp::List to_r(const std::vector<optbn::CutsetNetwork> &components);
