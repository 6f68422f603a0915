// InterventionScore ("mbde"): BDeu of nodes that were set, not observed, in some rows.
//
// Such rows say nothing about how the node depends on its parents, and are left out of its families
// (Cooper & Yoo 1999); as parents they count. Nodes that were set in the same rows share a score, of
// the rows that are left.
#pragma once

#include "core/score/local_score.h"

namespace optbn {

class InterventionScore final : public LocalScore {
public:
  // set: by node, the rows in which it was, ascending.
  InterventionScore(const Dataset &data, const std::vector<std::vector<std::size_t>> &set,
                    double iss);

  void score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) override;
  void extend(std::vector<Extensions> &batch, Watch &watch) override;
  bool extends_fast() const override { return true; }
  Sharing sharing() const override { return Sharing::joint_sets; }

private:
  struct Part {
    Dataset rows;
    std::unique_ptr<LocalScore> score;
  };

  // The numbers of the families with these children, part by part.
  std::vector<std::vector<std::size_t>> by_part(const std::vector<Node> &children) const;

  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<std::size_t> part_; // by node
};

} // namespace optbn
