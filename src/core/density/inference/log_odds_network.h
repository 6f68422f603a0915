// LogOddsNetwork: a cutset network without hidden members, made ready to give the log densities of
// complete rows as fast as it goes.
//
// A tree density is written as the log probability of the row that is all usual, and what each item
// (complete_rows.h) changes about it. With t_m(x, y) = log P(m = x | parent = y), and 0 for usual,
//
//   log P(row) = sum_m t_m(0, 0) + sum over items x_m of G_m(x_m, y_m)
//   G_m(x, y) = t_m(x, y) - t_m(0, y) + sum over children c of m of [t_c(0, x) - t_c(0, 0)]
//
// since G_m takes back what an unusual parent has said of a usual m. That is one addition for every
// item: few where variables are many, as in shopping baskets or texts. Probabilities of 0 count 0
// in t and are counted beside it, in whole numbers. Rows are first parted by the leaves they come
// to, so that what one leaf needs stays in the nearest cache.
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
  // Holds on to the network.
  LogOddsNetwork(const CutsetNetwork &network, const UsualLevels &usual);

  // Rows on their way down the cuts.
  struct Workspace {
    std::vector<std::uint16_t> order, spare;
  };

  // log P of those of the rows that are complete; other answers are left alone.
  void log_densities(const CompleteRows &rows, Workspace &workspace, double *answers) const;

private:
  // An item at a leaf: its gains by level of the parent, which is the cell that is always 0 for
  // roots and for variables that the leaf has not.
  struct Cell {
    std::uint32_t gains, parent;
  };
  struct Leaf {
    double usual = 0; // log probability of being here and all usual, zeros left out
    double zeros = 0; // how many factors of it are 0
  };

  void lay_ways(const UsualLevels &usual);
  // Says where the gains of each item of a leaf are, beginning at `end`, and gives their new end.
  static std::size_t lay_cells(const TreeDensity &tree, const UsualLevels &usual, Cell *cells,
                               std::size_t end);
  // G of the equations above, `factors` in the place of t; gives the sum of those that are usual.
  static double lay_gains(const TreeDensity &tree, const UsualLevels &usual,
                          const std::vector<double> &factors, const Cell *cells,
                          std::vector<double> &below, std::vector<double> &gains);
  // Answers `count` rows that have come to a place; their numbers are moved about in both arrays.
  void go(std::size_t place, std::uint16_t *rows, std::uint16_t *spare, std::size_t count,
          const CompleteRows &data, double *answers) const;
  template <bool kZeros>
  double log_density(const Leaf &leaf, const Cell *cells, const CompleteRows &rows,
                     std::size_t row) const;

  const CutsetNetwork &network_;
  std::size_t items_; // and the one that stands for nothing
  std::vector<Leaf> leaves_;
  std::vector<Cell> cells_;   // by leaf and item
  std::vector<double> gains_; // G; the first is 0
  std::vector<double> zeros_; // zeros gained; empty when no probability is 0
};

} // namespace optbn
