// AverageRegression ("nal-g", "pnal-g", "nal-cg", "pnal-cg"): the mean log-density of a linear
// regression over the rows in which the family is known (Bodewes & Scutari 2021).
//
// As RegressionScore, on the n rows that know the child and all parents, of N rows in all: the
// log-likelihood of cell_regression.h divided by n, minus k / N per parameter. Every declared
// configuration of the discrete parents needs a density: where one has too few rows, or no residual
// variance, the family scores -infinity. With more parents a configuration has no more rows, so
// then all supersets score -infinity, too, if rows are too few.
//
// The residual sum of squares is at least that of the rows in which all is known, given all other
// columns: fewer rows and more regressors leave less. That bounds the mean, which is greatest with
// most rows and fewest regressors. With configurations a fit could be infinitely good: no bound
// then. Discrete children are tables and go to NodeAverage; they admit no continuous parent.
//
// Cost of a joint set of child and parents: O(N g^2), from cross products within the cells, for all
// children that it can have.
#pragma once

#include "core/score/gaussian/cell_factors.h"
#include "core/score/gaussian/cell_regression.h"
#include "core/score/table/node_average.h"

namespace optbn {

class AverageRegression final : public LocalScore {
public:
  // k: of all rows, per parameter.
  AverageRegression(const Dataset &data, double k);

  void score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) override;
  Sharing sharing() const override { return Sharing::joint_sets; }
  bool admits(Node child, Node parent) const override;
  double bound(Node child, const Node *parents, unsigned size) const override;

private:
  // The families of a batch with one joint set.
  struct Task {
    std::vector<Node> discrete, continuous;
    std::vector<std::size_t> families;
  };
  // False when the watch stops.
  bool find_least_residuals(Watch &watch);
  std::vector<Task> tasks_of(const FamilyBatch &batch) const;
  void score_tables(const FamilyBatch &batch, Watch &watch, FamilyScores &result);
  void score_task(const Task &task, const FamilyBatch &batch, Watch &watch,
                  FamilyScores &result) const;
  double penalty(const Node *parents, unsigned size) const;

  const Dataset &data_;
  const double penalty_;               // per parameter
  std::vector<double> known_;          // by continuous column, its rows
  std::vector<double> least_residual_; // by column: RSS given all others; 0 if unknown
  bool prepared_ = false;
  NodeAverage tables_; // scores discrete children
};

} // namespace optbn
