// LogOddsNetwork: a cutset network without hidden nodes, preprocessed for fast log densities of
// complete rows.
//
// A tree density is written as the log probability of the row of all reference levels, plus a gain
// for each indicator (complete_rows.h) of the row. With t_m(x, y) = log P(m = x | parent = y), and
// 0 for the reference level,
//
//   log P(row) = sum_m t_m(0, 0) + sum over indicators x_m of G_m(x_m, y_m)
//   G_m(x, y) = t_m(x, y) - t_m(0, y) + sum over children c of m of [t_c(0, x) - t_c(0, 0)]
//
// since G_m corrects the term that a parent off its reference level has added for m at its
// reference level. That is one addition per indicator: few if most variables are at their reference
// level, as in shopping baskets or texts. Probabilities of 0 count as 0 in t, and their number is
// counted separately. Rows are first grouped by the leaves that they reach, so that the data of one
// leaf stay in the first-level cache.
//
// Immutable once made, so safe to share between threads.
#pragma once

#include "core/density/density.h"
#include "core/density/inference/complete_rows.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

class LogOddsNetwork {
public:
  // The network must outlive this object.
  LogOddsNetwork(const CutsetNetwork &network, const ReferenceLevels &reference);

  // Row numbers during the descent.
  struct Workspace {
    std::vector<std::uint16_t> order, buffer;
  };

  // log P of the complete rows; other answers are not changed.
  void log_densities(const CompleteRows &rows, Workspace &workspace, double *answers) const;

private:
  // An indicator at a leaf: where its gains by level of the parent begin, and the parent. For roots
  // and for variables that are not in the leaf the parent is the cell that is always 0.
  struct Cell {
    std::uint32_t gains, parent;
  };
  struct Leaf {
    double reference = 0; // log probability of this leaf and all reference levels, without zeros
    double zeros = 0;     // how many of its factors are 0
  };

  void set_log_paths(const ReferenceLevels &reference);
  // Sets where the gains of each indicator of a leaf are, beginning at `end`; returns the new end.
  static std::size_t index_cells(const TreeDensity &tree, const ReferenceLevels &reference,
                                 Cell *cells, std::size_t end);
  // Computes G of the equations above with `factors` for t; returns the sum over the reference
  // levels.
  static double compute_gains(const TreeDensity &tree, const ReferenceLevels &reference,
                              const std::vector<double> &factors, const Cell *cells,
                              std::vector<double> &from_children, std::vector<double> &gains);
  // Computes the answers of `count` rows that have reached a node; permutes their numbers in both
  // arrays.
  void descend(std::size_t node, std::uint16_t *rows, std::uint16_t *buffer, std::size_t count,
               const CompleteRows &data, double *answers) const;
  template <bool kZeros>
  double log_density(const Leaf &leaf, const Cell *cells, const CompleteRows &rows,
                     std::size_t row) const;

  const CutsetNetwork &network_;
  std::size_t indicators_; // including the padding
  std::vector<Leaf> leaves_;
  std::vector<Cell> cells_;   // by leaf and indicator
  std::vector<double> gains_; // G; the first is 0
  std::vector<double> zeros_; // changes in the number of zeros; empty when no probability is 0
};

} // namespace optbn
