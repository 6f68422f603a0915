// k-trees for R.
#pragma once

#include "core/treewidth/k_tree.h"

#include <Rcpp.h>

// list(members = matrix with a bag a row, parent, introduced), all from 1.
Rcpp::List to_r(const optbn::KTree &tree);
