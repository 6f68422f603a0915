#include "r_distributed_score.h"
#include "r_data.h"
#include "r_host.h"

#include "core/score/distributed_score.h"
#include "core/score/foreign_score.h"

using namespace optbn;

namespace {

Rcpp::List to_r(const FamilyBatch &batch) {
  return Rcpp::List::create(
      Rcpp::_["parents"] = static_cast<int>(batch.parents),
      Rcpp::_["child"] = Rcpp::IntegerVector(batch.child.begin(), batch.child.end()),
      Rcpp::_["members"] = Rcpp::IntegerVector(batch.members.begin(), batch.members.end()));
}

FamilyBatch as_batch(const Rcpp::List &from) {
  const Rcpp::IntegerVector child = from["child"], members = from["members"];
  FamilyBatch batch;
  batch.parents = Rcpp::as<unsigned>(from["parents"]);
  batch.child.assign(child.begin(), child.end());
  batch.members.assign(members.begin(), members.end());
  return batch;
}

// A score and its data.
struct Scorer {
  Dataset data;
  std::unique_ptr<LocalScore> score;

  Scorer(const Rcpp::List &encoded, const ScoreSettings &settings)
      : data(as_dataset(encoded)), score(make_score(data, settings)) {}
  Scorer(const Scorer &) = delete; // the score refers to the data
  Scorer &operator=(const Scorer &) = delete;
};

FamilyScores as_scores(const Rcpp::List &found) {
  return {Rcpp::as<std::vector<double>>(found["score"]),
          Rcpp::as<std::vector<double>>(found["superset_bound"])};
}

} // namespace

std::unique_ptr<LocalScore> make_r_score(const Dataset &data, const ScoreSettings &settings,
                                         const Rcpp::List &score) {
  if (!score.containsElementNamed("ask"))
    return make_score(data, settings);
  const Rcpp::Function ask = score["ask"];
  return std::make_unique<ForeignScore>(
      [ask](const FamilyBatch &batch) { return as_scores(ask(to_r(batch))); },
      Rcpp::as<double>(score["ask_seconds"]));
}

std::unique_ptr<LocalScore> distribute(std::unique_ptr<LocalScore> local, SEXP distribution) {
  if (Rf_isNull(distribution))
    return local;
  const Rcpp::List how(distribution);
  const Rcpp::Function send = how["send"];
  return std::make_unique<DistributedScore>(
      std::move(local), Rcpp::as<unsigned>(how["chunks"]), Rcpp::as<double>(how["seconds"]),
      [send](const std::vector<FamilyBatch> &chunks) {
        Rcpp::List batches(static_cast<R_xlen_t>(chunks.size()));
        for (std::size_t i = 0; i < chunks.size(); ++i)
          batches[static_cast<R_xlen_t>(i)] = to_r(chunks[i]);
        const Rcpp::List found = send(batches);
        std::vector<FamilyScores> scores;
        for (const Rcpp::List one : found)
          scores.push_back(as_scores(one));
        return scores;
      });
}

// [[Rcpp::export(rng = false)]]
SEXP core_scorer(const Rcpp::List &encoded, const Rcpp::List &score, double memory_limit) {
  return guarded([&] {
    ScoreSettings settings = as_score_settings(score);
    settings.memory_limit = memory_limit;
    return Rcpp::XPtr<Scorer>(new Scorer(encoded, settings));
  });
}

// `families`: list(parents, child, members), nodes from 0.
// [[Rcpp::export(rng = false)]]
SEXP core_score_families(SEXP scorer, const Rcpp::List &families, const Rcpp::List &options) {
  const RHost host(options);
  return guarded([&] {
    const Rcpp::XPtr<Scorer> known(scorer);
    const FamilyBatch batch = as_batch(families);
    FamilyScores scores;
    Watch watch(host.host(), static_cast<double>(batch.size()));
    if (batch.size() > 0)
      known->score->score(batch, watch, scores);
    throw_if_stopped(watch);
    return Rcpp::List::create(Rcpp::_["score"] = scores.score,
                              Rcpp::_["superset_bound"] = scores.superset_bound);
  });
}
