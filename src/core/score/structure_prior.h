// StructurePrior: adds to any score what each arc, each node and the number of parents are worth
// beforehand.
//
//     score(v, P) = base score(v, P) + constant(v) + size(|P|) + sum over u in P of worth(u, v)
// Every prior in which arcs are independent, but for their direction, is of this form (Castelo &
// Siebes 2000, doi 10.1016/S0888-613X(99)00041-9): of a pair of nodes it takes log p(u -> v),
// log p(v -> u) or log p(no arc); the last one is the constant, counted at one of the two, and an
// arc is worth the difference. A penalty for each parent is one, too.
//
// A bound of the base score on supersets of P bounds the sum with what P is worth, what those of
// the others are that are worth more than nothing, and the best of the sizes.
#pragma once

#include "core/score/local_score.h"

namespace optbn {

class StructurePrior final : public LocalScore {
public:
  StructurePrior(std::unique_ptr<LocalScore> base, StructureWorth worth);

  void score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) override;
  std::vector<double> score_nearly(const FamilyBatch &batch, Watch &watch) override;
  void extend(std::vector<Extensions> &batch, Watch &watch) override;
  void reduce(std::vector<Reductions> &batch, Watch &watch) override;
  bool extends_fast() const override { return base_->extends_fast(); }
  Sharing sharing() const override { return base_->sharing(); }
  bool admits(Node child, Node parent) const override { return base_->admits(child, parent); }
  double bound(Node child, const Node *parents, unsigned size) const override;
  const Dataset *rows_of(Node child) const override { return base_->rows_of(child); }
  Regret regret() const override { return base_->regret(); }
  double least_regret(Node child, const Occupation &known) const override;
  bool bounds_gain() const override { return worth_.size.empty() && base_->bounds_gain(); }
  double gain_bound(Node child, Node added, const Node *parents, unsigned size,
                    double score_of_added) const override;

private:
  // What the prior adds to a child with these parents; with them and any others, at most.
  double worth(Node child, const Node *parents, unsigned size) const;
  double worth_of_larger(Node child, const Node *parents, unsigned size) const;
  double worth_of_arcs(Node child, const Node *parents, unsigned size) const;

  const std::unique_ptr<LocalScore> base_;
  const StructureWorth worth_;
  std::vector<double>
      most_arcs_; // per child: worth of all parents that are worth more than nothing
  std::vector<double> most_size_; // of so many parents or more
};

// Uniform over the sizes of parent sets: of the n - 1 candidates, a set of size d has probability
// proportional to 1 / binom(n - 1, d) (Friedman & Koller 2003; Talvitie, Eggeling & Koivisto 2018,
// section 3.2).
StructureWorth uniform_over_sizes(Node nodes);

} // namespace optbn
