// DistributedScore: a score whose large batches are computed in several processes at once.
//
// The caller provides `send`, which takes the chunks of a batch and returns their scores, which
// must be those of the same score on the same data. A family's score depends on nothing but these
// two, so it is the same to the last bit wherever it is computed.
//
// How a batch is split decides the speed, since families share work (LocalScore::sharing):
//   joint sets   each child with its parents is counted once for all families that are that set,
//                and sets with the same two largest members share a prefix when they are counted:
//                such pairs are distributed round-robin, the same in every batch, so that many sets
//                that are parents now have been counted in the same process before;
//   parents      what concerns the parents is done once for all their children, and may take long
//                for few parent sets: these are distributed by a hash.
// Sending takes time, too. Batches that are forecast to be quick are scored locally; the forecast
// assumes that the time for a family grows from batch to batch as it has grown before.
#pragma once

#include "core/score/local_score.h"

#include <functional>

namespace optbn {

class DistributedScore final : public LocalScore {
public:
  // Scores of a chunk that was not finished in time are empty.
  using Send = std::function<std::vector<FamilyScores>(const std::vector<FamilyBatch> &)>;

  // A batch is split into `chunks` at most. One that takes less than `seconds` is scored locally.
  DistributedScore(std::unique_ptr<LocalScore> local, unsigned chunks, double seconds, Send send);

  void score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) override;
  // Always local: computing them takes less time than sending them.
  std::vector<double> score_nearly(const FamilyBatch &batch, Watch &watch) override;
  void extend(std::vector<Extensions> &batch, Watch &watch) override;
  void reduce(std::vector<Reductions> &batch, Watch &watch) override;
  bool extends_fast() const override { return local_->extends_fast(); }
  Sharing sharing() const override { return local_->sharing(); }
  bool admits(Node child, Node parent) const override { return local_->admits(child, parent); }
  double bound(Node child, const Node *parents, unsigned size) const override {
    return local_->bound(child, parents, size);
  }
  const Dataset *rows_of(Node child) const override { return local_->rows_of(child); }
  Regret regret() const override { return local_->regret(); }
  double least_regret(Node child, const Occupation &known) const override {
    return local_->least_regret(child, known);
  }
  bool bounds_gain() const override { return local_->bounds_gain(); }
  double gain_bound(Node child, Node added, const Node *parents, unsigned size,
                    double score_of_added) const override {
    return local_->gain_bound(child, added, parents, size, score_of_added);
  }

private:
  bool is_worth_sending(const FamilyBatch &batch) const;
  void score_locally(const FamilyBatch &batch, Watch &watch, FamilyScores &result);
  // False if there was no time.
  bool score_remotely(const FamilyBatch &batch, FamilyScores &result);

  const std::unique_ptr<LocalScore> local_;
  const unsigned chunks_;
  const double seconds_;
  const Send send_;
  double seconds_per_family_ = 0; // forecast for the next batch
  double last_seconds_ = 0;       // per family of the last batch that was scored locally
};

// For every family of a batch the number of its chunk, below `chunks`.
std::vector<unsigned> split_batch(const FamilyBatch &batch, LocalScore::Sharing sharing,
                                  unsigned chunks);

} // namespace optbn
