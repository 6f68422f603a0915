// SimplexProgram: a linear program over a product of simplices, solved roughly and fast.
//
//   minimise cost x  subject to  A x >= rhs,  x >= 0,  the x of every block add up to 1
//
// The linear relaxation of structure search has this shape: a block is a node, a column one of its
// sets, a row a cluster. Its Lagrangian dual needs only multipliers y >= 0 of the rows: every y
// gives the bound rhs y + sum over blocks of the least reduced cost. The primal-dual hybrid
// gradient method (Chambolle & Pock 2011, doi 10.1007/s10851-010-0251-1) approaches the optimum of
// both sides, projecting every block onto its simplex, with the step rule, the averages, the
// restarts and the primal weight of PDLP (Applegate et al. 2021, arXiv:2106.04756).
//
// One step is linear in the entries of A. Doubles, because nothing depends on their exactness: a
// caller that needs a proof computes it from the multipliers. Pure.
#pragma once

#include "core/base/host.h"

#include <cstdint>
#include <vector>

namespace optbn {

struct SimplexProgram {
  std::vector<std::uint32_t> block{0}; // block b holds the columns block[b] .. block[b + 1] - 1
  std::vector<double> cost;            // of a column
  std::vector<std::uint32_t> start{0}; // column j holds the entries start[j] .. start[j + 1] - 1
  std::vector<std::uint32_t> row;      // of an entry
  std::vector<double> value;           // of an entry
  std::vector<double> rhs;             // of a row

  std::size_t blocks() const { return block.size() - 1; }
  std::size_t columns() const { return cost.size(); }
  std::size_t rows() const { return rhs.size(); }

  // Columns are written one after the other: their entries, then their end; after its last column
  // the block ends.
  void add_entry(std::uint32_t of_row, double entry) {
    row.push_back(of_row);
    value.push_back(entry);
  }
  void end_column(double column_cost) {
    cost.push_back(column_cost);
    start.push_back(static_cast<std::uint32_t>(row.size()));
  }
  void end_block() { block.push_back(static_cast<std::uint32_t>(cost.size())); }
};

struct PrimalDualIterate {
  std::vector<double> x, y; // the present pair: a good one to seek violated rows of
  std::vector<double> best; // the multipliers of the largest bound seen
  double bound = 0;         // that bound
  double weight = 0;        // primal weight: of a move in x against one in y; 0: not known yet
};

// Continues from x (projected onto the simplices first), y and weight, which it updates, for so
// many steps, or until the watch stops, or the pair is within `tolerance` of an optimal one (in
// units of cost, roughly). Returns how many steps it took.
unsigned primal_dual_hybrid_gradient(PrimalDualIterate &iterate, const SimplexProgram &program,
                                     unsigned steps, double tolerance, Watch &watch);

} // namespace optbn
