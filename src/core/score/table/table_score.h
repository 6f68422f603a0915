// Scores of conditional probability tables.
//
// Every one of them is a difference of two sums over occupied cells (CellCounts in core/data):
//     score(v given P) = sum over cells n of P+v of w(a, n) - sum over cells n of P of w(b, n) -
//     penalty
// with w(a, n) = log Γ(a + n) - log Γ(a) for the Bayesian scores, and n log n for the likelihood:
//     label        a (cells of P+v)     b (cells of P)     penalty
//     loglik       w = n log n          w = n log n        0
//     bic, aic     w = n log n          w = n log n        k (r - 1) q
//     fnml         w = n log n          w = n log n        0        Silander et al. 2008
//                                         + regret(n, r)
//     qnml         w = n log n          w = n log n        regret(N, r q) - regret(N, q)
//                                                                   Silander et al. 2018
//     bde          iss / (r q)          iss / q            0        Heckerman et al. 1995 (BDeu)
//     bds          iss / (r q~)         iss / q~           0        Scutari 2016, q~ occupied cells
//     k2           1                    r                  0        Cooper & Herskovits 1992
//     bdj          1/2                  r/2                0        Jeffreys prior
// where r counts declared levels of v, q declared joint levels of P, and N rows (regret:
// nml_regret.h). So each column set is counted once for all its families, as P+v of some and as P of
// others.
//
// Cost of a batch: one count per distinct column set (SetCounter).
#pragma once

#include "core/base/log_gamma.h"
#include "core/base/n_log_n.h"
#include "core/data/set_counter.h"
#include "core/score/local_score.h"
#include "core/score/set_table.h"
#include "core/score/table/nml_regret.h"

#include <map>
#include <memory>

namespace optbn {

// uniform: the same alpha in every cell, as for k2 and bdj.
enum class TableKind { likelihood, fnml, qnml, bde, bds, uniform };

class TableScore final : public LocalScore {
public:
  // parameter: penalty per free parameter (likelihood), imaginary sample size (bde, bds), or alpha
  // (uniform).
  TableScore(const Dataset &data, TableKind kind, double parameter = 0);

  void score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) override;
  void extend(std::vector<Extensions> &batch, Watch &watch) override;
  bool extends_fast() const override { return true; }
  Sharing sharing() const override { return Sharing::joint_sets; }

  // Log-likelihoods are at most 0, so a table scores at most minus its penalty.
  double bound(Node child, const Node *parents, unsigned size) const override;

  // Likelihoods: the penalty. Bayesian scores with one imaginary sample for the whole table: see
  // table_score.cpp.
  Regret regret() const override;
  double least_regret(Node child, const Occupation &known) const override;

  // Given any superset of P, adding y gains at most N H(y | P) in likelihood, and costs at least
  // k (r_v - 1)(r_y - 1) q(P) (de Campos, Scanagatta, Corani & Zaffalon 2018,
  // doi 10.1016/j.artint.2018.02.006).
  bool bounds_gain() const override;
  double gain_bound(Node child, Node added, const Node *parents, unsigned size,
                    double score_of_added) const override;

private:
  // Column sets, and for each the sums over its cells that families need: `stride` slots per set,
  // each for one cell weight w.
  struct Sums {
    SetTable sets;
    unsigned stride = 1;
    std::vector<std::uint32_t> weight; // number of w; kNone in a free slot
    std::vector<double> sum;           // sum of w over the cells, by slot
    std::vector<std::uint32_t> occupied;

    Sums(SetTable table, unsigned slots) : sets(std::move(table)), stride(slots) {}
    // The slot of w among the sums of the set; adds either if it is new.
    std::size_t slot(const Node *set, std::uint32_t w);
    // The slot of w among the sums of the set, or kNoSlot.
    std::size_t find_slot(std::uint32_t set, std::uint32_t w) const;
  };
  static constexpr std::uint32_t kNone = UINT32_MAX;
  static constexpr std::size_t kNoSlot = SIZE_MAX;

  double levels(Node v) const { return levels_[v]; }
  Node nodes() const { return static_cast<Node>(levels_.size()); }
  double cells(const Node *set, unsigned size) const;
  // Of a child with so many levels, given parents with so many joint levels.
  double penalty(double child_levels, double parent_cells) const;
  // A log-likelihood, less a penalty or regrets?
  bool is_likelihood() const { return kind_ <= TableKind::qnml; }
  // The numbers of a and b in the table above.
  std::uint32_t joint_weight(Node child, const Node *parents, unsigned size, double occupied);
  std::uint32_t parent_weight(Node child, const Node *parents, unsigned size, double occupied);
  std::uint32_t weight_of(double alpha);
  std::uint32_t regret_weight_of(double child_levels);
  double weigh(const CellCounts &cells, std::uint32_t w) const;
  // Add the sets of a batch, and return for each family the slot of its sum.
  std::vector<std::size_t> assign_parent_slots(const FamilyBatch &batch, Sums &parents,
                                               Watch &watch);
  std::vector<std::size_t> assign_joint_slots(const FamilyBatch &batch, const Sums &parents,
                                              const std::vector<std::size_t> &parent_slot,
                                              Sums &joint, Watch &watch);
  // Copies the sums of a set from `known`; false if some are not there.
  bool copy_known(Sums &sums, std::uint32_t set, const Sums &known) const;
  // The numbers of the weights of every extension of a family, by levels of the added column.
  struct ExtensionWeights {
    std::map<unsigned, std::uint32_t> joint, parent;
  };
  class Extender;
  ExtensionWeights extension_weights(const Extensions &family);
  // Fills sum and occupied of every set; counts the sets that are not in `known`.
  void evaluate(Sums &sums, const Sums &known, double families, Watch &watch);

  const std::unique_ptr<SetCounter> counter_;
  const TableKind kind_;
  const double parameter_;
  const std::uint64_t total_;
  const std::vector<unsigned> levels_; // by column
  unsigned distinct_levels_ = 0;       // among the columns
  std::map<double, std::uint32_t> weight_numbers_;
  std::vector<LogRising> weights_; // of Bayesian scores
  NLogN n_log_n_;
  NmlRegret nml_regret_;                  // of fnml and qnml
  std::vector<RegrettedCount> regretted_; // of fnml: w(b, n), numbered from 1; w(a, n) has number 0
  Sums last_joint_{SetTable(), 1};        // P+v of the batch before: the P of this one
  std::vector<std::shared_ptr<Extender>> extenders_; // by worker
};

} // namespace optbn
