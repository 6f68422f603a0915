// Scores of families that other processes work out: this end of it.
#pragma once

#include "core/score/local_score.h"

#include <Rcpp.h>
#include <memory>

// `elsewhere`: NULL, or list(parts, seconds, send) as DistributedScore takes them. send() gets a
// list of batches, list(parents, child, members) with nodes from 0, and returns for each the list
// that core_score_families() makes.
std::unique_ptr<optbn::LocalScore> share_out(std::unique_ptr<optbn::LocalScore> here,
                                             SEXP elsewhere);
