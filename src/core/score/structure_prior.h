// StructurePrior: adds to any score what each arc, and each node, is worth beforehand.
//
//     score(v, P) = base score(v, P) + constant(v) + sum over u in P of worth(u, v)
// Every prior in which arcs are independent, but for their direction, is of this form (Castelo &
// Siebes 2000, doi 10.1016/S0888-613X(99)00041-9): of a pair of nodes it takes log p(u -> v),
// log p(v -> u) or log p(no arc); the last one is the constant, counted at one of the two, and an
// arc is worth the difference. A penalty for each parent is one, too.
//
// A bound of the base score on supersets of P bounds the sum with what P is worth and what those of
// the others are that are worth more than nothing.
#pragma once

#include "core/score/local_score.h"

namespace optbn {

class StructurePrior final : public LocalScore {
public:
  StructurePrior(std::unique_ptr<LocalScore> base, ArcWorth worth);

  void score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) override;
  std::vector<double> score_nearly(const FamilyBatch &batch, Watch &watch) override;
  void extend(std::vector<Extensions> &batch, Watch &watch) override;
  void reduce(std::vector<Reductions> &batch, Watch &watch) override;
  bool extends_fast() const override { return base_->extends_fast(); }
  Sharing sharing() const override { return base_->sharing(); }
  bool admits(Node child, Node parent) const override { return base_->admits(child, parent); }
  double bound(Node child, const Node *parents, unsigned size) const override;
  Regret regret() const override { return base_->regret(); }
  double least_regret(Node child, const Occupation &known) const override;
  bool bounds_gain() const override { return base_->bounds_gain(); }
  double gain_bound(Node child, Node added, const Node *parents, unsigned size,
                    double score_of_added) const override;

private:
  // Of a child with these parents: what the prior adds; the most that it adds for further ones.
  double worth(Node child, const Node *parents, unsigned size) const;
  double worth_of_others(Node child, const Node *parents, unsigned size) const;

  const std::unique_ptr<LocalScore> base_;
  const ArcWorth worth_;
  std::vector<double> most_; // per child: worth of all parents that are worth more than nothing
};

} // namespace optbn
