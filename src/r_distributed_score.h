// Scores as R asks for them: of the core, of a function of R's, or of other processes.
#pragma once

#include "core/score/local_score.h"

#include <Rcpp.h>
#include <memory>

// The score of that list: a score of the core with such settings, or, where the list has an element
// `ask`, what this function of a batch, list(parents, child, members) with nodes from 0, answers:
// list(score, superset_bound). It is asked for about `ask_seconds` of work at once.
std::unique_ptr<optbn::LocalScore> make_r_score(const optbn::Dataset &data,
                                                const optbn::ScoreSettings &settings,
                                                const Rcpp::List &score);

// `distribution`: NULL, or list(chunks, seconds, send) as DistributedScore takes them. send() gets
// a list of batches, list(parents, child, members) with nodes from 0, and returns for each the list
// that core_score_families() makes.
std::unique_ptr<optbn::LocalScore> distribute(std::unique_ptr<optbn::LocalScore> local,
                                              SEXP distribution);
