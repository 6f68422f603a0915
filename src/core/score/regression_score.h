// Scores of linear regressions: Gaussian nodes, and conditional Gaussian ones with a regression per
// configuration of their discrete parents.
//
// With N rows and g continuous parents, least squares leaves the residual sum of squares RSS, and
//     log-likelihood = -N/2 log(2 pi s^2) - (N - g - 1)/2,   s^2 = RSS / (N - g - 1)
// (the unbiased variance, as bnlearn and lm use it). Discrete parents split the rows: one such
// regression per occupied configuration, summed. The penalty counts g + 2 parameters per declared
// configuration. A configuration with N <= g + 1 rows, or without residual variance, has no
// density: the family scores -infinity. Discrete children are tables and go to TableScore; they
// admit no continuous parent.
//
// Cost: one QR decomposition (ColumnFactor) of the rows per distinct set of discrete parents, then
// O(n g^2) per family and configuration, whatever N. Of rows that a source keeps, one question for
// their moments takes the place of each decomposition.
#pragma once

#include "core/data/row_source.h"
#include "core/score/column_factor.h"
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
  bool extends_fast() const override { return true; }
  bool admits(Node child, Node parent) const override;

  // No set of parents leaves less residual variance than all columns together do. Only without
  // discrete columns: configurations would make infinitely good fits thinkable.
  double bound(Node child, const Node *parents, unsigned size) const override;

private:
  // Rows that share a configuration of some discrete columns: how many, and the geometry of their
  // centred continuous columns.
  struct Cell {
    double total;
    ColumnFactor factor;
  };
  // The same as extend() wants them.
  struct CellProducts {
    double total;
    Eigen::MatrixXd products; // of the centred continuous columns
  };
  // The cells of some discrete columns that extend() has asked about, for whoever comes next.
  struct KeptCells {
    std::vector<Cell> cells;
    std::vector<CellProducts> products;
  };
  // Scratch space of one thread.
  struct Work {
    Eigen::MatrixXd basis;
    std::vector<Eigen::Index> columns; // the family's continuous parents, then its child
    std::vector<double> lengths;
  };

  // Works out what regressions on all rows want, and what extend() wants besides. False when the
  // watch stops.
  bool prepare(Watch &watch);
  bool prepare_to_extend(Watch &watch);
  bool find_least_residuals(Watch &watch);
  std::vector<Cell> make_cells(const std::vector<Node> &discrete) const;
  static Cell make_cell(const Moments &moments);
  Cell make_cell(const std::vector<std::size_t> &rows) const;
  double family_score(const std::vector<Cell> &cells, Node child, const Node *parents,
                      unsigned size, Work &work) const;
  double log_likelihood(const Cell &cell, Work &work) const;
  std::vector<Node> discrete_among(const Node *parents, unsigned size) const;
  // The positions of the others.
  std::vector<Eigen::Index> regressors_of(const Node *parents, unsigned size) const;
  // The rows by their configuration, and how many the smallest of these groups weighs: with as many
  // regressors there is no family. (Infinite where the rows stay with an engine: nobody knows.)
  std::map<std::vector<std::uint16_t>, std::vector<std::size_t>>
  group_rows(const std::vector<Node> &discrete) const;
  double least_total(const std::vector<Node> &discrete);
  std::vector<std::uint32_t> number_cells(const std::vector<Node> &discrete,
                                          std::size_t &count) const;
  const KeptCells &kept_cells(const std::vector<Node> &discrete);
  void extend_tables(std::vector<Extensions> &batch, const std::vector<std::size_t> &which,
                     Watch &watch);
  // The cells of some discrete columns for one family alone: products of given columns, in this
  // order, and a child.
  std::vector<CellProducts> products_of_family(const std::vector<Node> &discrete,
                                               const std::vector<Eigen::Index> &given,
                                               Eigen::Index child) const;
  // The log-likelihood from these.
  double log_likelihood_alone(const std::vector<Node> &discrete,
                              const std::vector<Eigen::Index> &given, Eigen::Index child) const;
  // The cells that a family has and those that it gets with a further parent; null where that is
  // no discrete one, or the cells are not kept.
  struct FamilyCells {
    const KeptCells *own;
    std::vector<const std::vector<CellProducts> *> split;
  };
  FamilyCells cells_of(const Extensions &family);
  // Scores what it can, and lists in `others` what is to be scored by itself.
  void extend_regression(Extensions &family, const FamilyCells &cells,
                         std::vector<std::size_t> &others) const;
  void extend_within_cells(Extensions &family, const KeptCells &cells,
                           const std::vector<Eigen::Index> &given) const;
  // The log-likelihoods in a cell of the child with each of some further regressors.
  void extend_in_cell(const Cell &cell, const CellProducts &products, Eigen::Index child,
                      const std::vector<Eigen::Index> &given,
                      const std::vector<Eigen::Index> &added, std::vector<double> &found) const;
  // NaN where cross products hold too few digits.
  double log_likelihood(const std::vector<CellProducts> &cells,
                        const std::vector<Eigen::Index> &given, Eigen::Index child) const;
  double penalty(const Node *parents, unsigned size) const;

  const Dataset &data_;
  const double penalty_;
  std::vector<Node> continuous_;                    // column numbers
  std::vector<Eigen::Index> position_;              // of a column among them
  std::vector<Cell> whole_;                         // the one cell of all rows
  std::map<std::vector<Node>, KeptCells> kept_;     // by discrete parents
  std::map<std::vector<Node>, double> least_total_; // likewise
  std::vector<double> least_residual_; // RSS of each column given all others; 0 where unknown
  bool prepared_ = false;
  std::unique_ptr<LocalScore> tables_; // scores discrete children
};

} // namespace optbn
