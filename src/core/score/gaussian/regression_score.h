// Scores of linear regressions: Gaussian nodes, and conditional Gaussian ones with a regression per
// configuration of their discrete parents.
//
// Discrete parents split the rows: one regression on the g continuous ones per occupied
// configuration (cell_regression.h), summed. The penalty counts g + 2 parameters per declared
// configuration. Discrete children are tables and go to TableScore; they admit no continuous
// parent.
//
// Cost: without discrete parents, one QR decomposition (ColumnFactor) of all rows, then O(n g) to
// O(n g^2) per family, whatever N. With them O(N g^2), from cross products within the cells
// (CellRows); where these have too few digits, a decomposition there (CellFactors). For rows of a
// source, one query for their moments per set of discrete parents replaces all this.
#pragma once

#include "core/data/row_source.h"
#include "core/score/gaussian/cell_factors.h"
#include "core/score/gaussian/cell_regression.h"
#include "core/score/local_score.h"

#include <map>

namespace optbn {

class RegressionScore final : public LocalScore {
public:
  // penalty: per parameter.
  RegressionScore(const Dataset &data, double penalty);

  void score(const FamilyBatch &batch, Watch &watch, FamilyScores &result) override;
  std::vector<double> score_nearly(const FamilyBatch &batch, Watch &watch) override;
  void extend(std::vector<Extensions> &batch, Watch &watch) override;
  void reduce(std::vector<Reductions> &batch, Watch &watch) override;
  bool extends_fast() const override { return true; }
  bool admits(Node child, Node parent) const override;

  // The residual variance given any parents is at least that given all other columns. Only without
  // discrete columns: with configurations a fit could be infinitely good.
  double bound(Node child, const Node *parents, unsigned size) const override;

private:
  using Cell = CellFactors::Cell;
  using Cells = CellFactors::Cells;
  // What extend() keeps for the cells of some discrete columns; factors only for the cell of all
  // rows and for cells of a source.
  struct CachedCells {
    CellProducts products;
    Cells cells;
  };
  // Families of a batch with the same discrete parents.
  struct Task {
    const std::vector<Node> *discrete;
    const std::size_t *begin, *end;
  };
  using Positions = std::vector<Eigen::Index>; // of continuous columns, among themselves

  // Computes what regressions on all rows need, and what extend() needs in addition. False when the
  // watch stops.
  bool prepare(Watch &watch);
  bool prepare_to_extend(Watch &watch);
  bool find_least_residuals(Watch &watch);
  Cells query_source(const std::vector<Node> &discrete) const;
  static CachedCells to_cached(Cells cells);
  Cell cell_of_all_rows() const;

  std::vector<Node> discrete_among(const Node *parents, unsigned size) const;
  Positions regressors_of(const Node *parents, unsigned size) const; // the others
  // The weight of the smallest cell: with as many regressors a family has no score. (Infinite for
  // rows of a source, where it is not known.)
  double least_total(const std::vector<Node> &discrete);

  void score_tables(const FamilyBatch &batch, const std::vector<std::size_t> &which, Watch &watch,
                    FamilyScores &result);
  std::size_t families_at_once(const FamilyBatch &batch, const std::vector<Node> &discrete,
                               const std::vector<std::size_t> &families) const;
  Positions columns_of(const FamilyBatch &batch, const std::size_t *begin,
                       const std::size_t *end) const;
  // The log-likelihoods of the families of a task: by the factors of cells; or by cross products,
  // and by factors for families for which these have too few digits.
  void score_by_factors(const FamilyBatch &batch, const Task &task, const Cells &cells,
                        Watch &watch, std::vector<double> &scores) const;
  void score_by_products(const FamilyBatch &batch, const Task &task, Watch &watch,
                         std::vector<double> &scores);
  // The same for one family: from the cache, or else from the columns of the family. By products
  // alone it is NaN if these have too few digits.
  double log_likelihood(const std::vector<Node> &discrete, const Positions &given,
                        Eigen::Index child, Watch &watch);
  double by_products(const std::vector<Node> &discrete, const Positions &given,
                     Eigen::Index child) const;
  double by_family_products(const std::vector<Node> &discrete, const Positions &given,
                            Eigen::Index child) const;
  // The factors of all columns within these cells: cached ones, or else a joint decomposition. Null
  // if there is neither, and when the watch stops.
  std::shared_ptr<const Cells> factors_of(const std::vector<Node> &discrete, Watch &watch);
  double by_factors(const std::vector<Node> &discrete, const Positions &given, Eigen::Index child,
                    Watch &watch);

  const CachedCells *find_cached(const std::vector<Node> &discrete) const;
  // Fills the cache for extending these families. False when the watch stops.
  bool compute_for(const std::vector<Extensions> &batch, const std::vector<std::size_t> &which,
                   Watch &watch);
  void extend_tables(std::vector<Extensions> &batch, const std::vector<std::size_t> &which,
                     Watch &watch);
  // Scores what it can, and lists in `others` the additions to be scored one by one.
  void extend_regression(Extensions &family, std::vector<std::size_t> &others, Watch &watch);
  void extend_within_cells(Extensions &family, const std::vector<Node> &discrete,
                           const Positions &given, Watch &watch);
  // Scores removals of continuous parents if the cells are cached; the others stay NaN.
  void reduce_regression(Reductions &family) const;
  double penalty(const Node *parents, unsigned size) const;

  const Dataset &data_;
  const double penalty_;
  std::vector<Node> continuous_; // column numbers
  Positions position_;           // of a column among them
  Cells all_rows_;               // the one cell of all rows
  std::unique_ptr<CellFactors> factors_;
  std::map<std::vector<Node>, CachedCells> cache_;  // by discrete parents
  std::map<std::vector<Node>, double> least_total_; // likewise
  std::vector<double> least_residual_; // RSS of each column given all others; 0 if unknown
  bool prepared_ = false;
  std::unique_ptr<LocalScore> tables_; // scores discrete children
};

} // namespace optbn
