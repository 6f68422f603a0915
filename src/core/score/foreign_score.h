// ForeignScore: a score that somebody else computes, such as a function of R's.
//
// Nothing is known about it but what is answered: scores, and bounds on those of supersets. Families
// are asked for in blocks of about so many seconds, so that a search can be stopped in between.
#pragma once

#include "core/score/local_score.h"

namespace optbn {

class ForeignScore final : public LocalScore {
public:
  using Ask = std::function<FamilyScores(const FamilyBatch &)>;

  ForeignScore(Ask ask, double seconds) : ask_(std::move(ask)), seconds_(seconds) {}

  void score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) override;

private:
  const Ask ask_;
  const double seconds_;
  std::size_t block_ = 1; // families
};

} // namespace optbn
