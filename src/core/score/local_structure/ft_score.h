// FT: the score of a node by the best full table over its discretised parents.
//
// Talvitie, Eggeling & Koivisto (2018), section 3.2. Every continuous parent is cut into bins by
// one of the binnings given for its column (2 to 7 quantile bins); with F running over all joint
// choices,
//     score(v, P) = max over F of the sum of leaf_v(R) over the cells R of the table
// leaves as in leaf.h; the response is not discretised, and no choice is penalised. On discrete
// columns this is the Jeffreys score with alpha per cell. Not score-equivalent.
//
// The cuts of all binnings together define fine bins, and the bins of each binning are runs of
// these. Rows are tallied once per parent set over the occupied fine cells; then, depth first, the
// cells are merged into the bins of one binning of one parent after the other, so that all choices
// for the remaining parents share the merged cells.
//
// Cost of a parent set with b continuous parents and w binnings each: about w^b small tables,
// whatever the number of rows. Thread-safe after construction, except score() itself.
#pragma once

#include "core/score/local_score.h"
#include "core/score/local_structure/cell_tally.h"

namespace optbn {

class FtScore final : public LocalScore {
public:
  FtScore(const Dataset &data, const ScoreSettings &settings);

  void score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) override;

  // For each parent the binning that reaches the score of the family; 0 for discrete ones.
  std::vector<std::size_t> best_binnings(Node child, const std::vector<Node> &parents,
                                         Watch &watch) const;

private:
  class Worker;

  // A column as a predictor: its fine bins or levels row by row, and for every binning the bin that
  // contains each fine bin.
  struct Predictor {
    std::vector<std::uint32_t> fine_of_row;
    std::uint32_t radix = 1;
    std::vector<std::vector<std::uint32_t>>
        bin;                         // by binning, then fine bin; none for a discrete column
    std::vector<std::uint32_t> bins; // by binning
  };
  static Predictor make_predictor(const Column &column, const BinCuts &binnings);

  const Dataset &data_;
  const ScoreSettings settings_;
  std::vector<Predictor> predictor_; // per column
  const Responses responses_;
  const NormalLeaves normal_;
};

} // namespace optbn
