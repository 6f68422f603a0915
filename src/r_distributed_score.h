// Distributed scoring: families that other processes score.
#pragma once

#include "core/score/local_score.h"

#include <Rcpp.h>
#include <memory>

// `distribution`: NULL, or list(chunks, seconds, send) as DistributedScore takes them. send() gets
// a list of batches, list(parents, child, members) with nodes from 0, and returns for each the list
// that core_score_families() makes.
std::unique_ptr<optbn::LocalScore> distribute(std::unique_ptr<optbn::LocalScore> local,
                                              SEXP distribution);
