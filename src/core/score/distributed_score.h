// A score whose large batches are worked out in several places at once, such as other processes.
//
// Its maker says how to have parts of a batch scored: `send` takes some parts and returns
// their scores, which must be those of the same score on the same data. A family's score depends on
// nothing but these two, so it does not matter where it is worked out, to the last bit.
//
// How a batch is cut decides the speed, since families share work (LocalScore::sharing):
//   joint sets   each child with its parents is counted once for all families that are that set,
//                and sets with the same two largest members share what these are counted by: such
//                pairs are distributed round-robin, the same in every batch, so that many sets that
//                are parents now have been counted in the same place before;
//   parents      what concerns the parents is done once for all their children, and may take long
//                for few parent sets: these are distributed by a hash.
// Sending takes time itself. Batches that are forecast to be done soon enough here are done here:
// what a family takes is taken to grow from batch to batch as it has grown before.
#pragma once

#include "core/score/local_score.h"

#include <functional>

namespace optbn {

class DistributedScore final : public LocalScore {
public:
  // Where time was up before a batch was scored, its answer is empty.
  using Send = std::function<std::vector<FamilyScores>(const std::vector<FamilyBatch> &)>;

  // `parts`: the most that a batch is cut into. `seconds`: what takes less here is done here.
  DistributedScore(std::unique_ptr<LocalScore> here, unsigned parts, double seconds, Send send);

  void score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) override;
  // What is sooner done than sent is done here.
  std::vector<double> score_nearly(const FamilyBatch &batch, Watch &watch) override;
  void extend(std::vector<Extensions> &batch, Watch &watch) override;
  void reduce(std::vector<Reductions> &batch, Watch &watch) override;
  bool extends_fast() const override { return here_->extends_fast(); }
  Sharing sharing() const override { return here_->sharing(); }
  bool admits(Node child, Node parent) const override { return here_->admits(child, parent); }
  double bound(Node child, const Node *parents, unsigned size) const override {
    return here_->bound(child, parents, size);
  }
  Regret regret() const override { return here_->regret(); }
  double least_regret(Node child, const Occupation &known) const override {
    return here_->least_regret(child, known);
  }
  bool bounds_gain() const override { return here_->bounds_gain(); }
  double gain_bound(Node child, Node added, const Node *parents, unsigned size,
                    double score_of_added) const override {
    return here_->gain_bound(child, added, parents, size, score_of_added);
  }

private:
  bool is_worth_sending(const FamilyBatch &batch) const;
  void score_here(const FamilyBatch &batch, Watch &watch, FamilyScores &result);
  // False when time was up.
  bool score_elsewhere(const FamilyBatch &batch, FamilyScores &result);

  const std::unique_ptr<LocalScore> here_;
  const unsigned parts_;
  const double seconds_;
  const Send send_;
  double seconds_per_family_ = 0; // forecast for the next batch
  double last_seconds_ = 0;       // what a family of the last batch that was scored here took
};

// For every family of a batch the number of its part, below `parts`.
std::vector<unsigned> cut_batch(const FamilyBatch &batch, LocalScore::Sharing sharing,
                                unsigned parts);

} // namespace optbn
