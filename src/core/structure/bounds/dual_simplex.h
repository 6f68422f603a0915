// The dual simplex method for a SimplexProgram (primal_dual.h), from any basis.
//
// Exact up to the rounding of doubles where primal_dual_hybrid_gradient() is rough, and quick to
// optimise again after some rows were added or columns forbidden: the relaxation at a node of a
// search tree, and the trials of strong branching.
//
// Every variable has two bounds: columns 0 and 1, the surplus of a row 0 and the most that its
// columns allow. So any basis is dual feasible, once each variable outside it is at the bound that
// its reduced cost asks for: no first phase, whatever basis is given. Dual steepest edge (Forrest &
// Goldfarb 1992, doi 10.1007/BF01581089); ratio test that lets variables flip between their bounds
// (Maros 2003, doi 10.1016/S0377-2217(02)00798-9) within tolerances (Harris 1973, doi
// 10.1007/BF01580108); costs slightly perturbed against cycling.
//
// Most rows are not tight: their surpluses are basic. What is left of the basis is a square matrix
// with a row for every block and tight row and a column for every basic column of the program. Its
// explicit inverse is all that is kept: with hundreds of blocks and tight rows a pivot takes tens
// of microseconds.
#pragma once

#include "core/base/host.h"
#include "core/structure/bounds/primal_dual.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace optbn {

class DualSimplex {
public:
  enum class Status {
    optimal,
    enough,     // the objective has reached what was asked for
    infeasible, // no x satisfies all rows; the prices prove that the objective is at least `enough`
    stopped     // after so many pivots, or by the watch
  };

  // A variable is a column of the program, or the surplus of row r: variable columns() + r. basis:
  // the variables of a basis to begin with, or of a part of one; may be empty.
  DualSimplex(SimplexProgram program, const std::vector<std::uint32_t> &basis);

  // The column must be 0 from now on.
  void forbid(std::uint32_t column);

  // Continues until optimal, until the objective is `enough`, or for so many pivots.
  Status run(double enough, unsigned pivots, Watch &watch);

  double objective() const;            // at most the optimum, but for rounding and perturbation
  std::vector<double> weights() const; // of the columns: x
  std::vector<double> prices() const;  // of the rows: multipliers >= 0
  bool is_basic(std::uint32_t variable) const;
  double pivots() const { return pivots_; }
  double work() const { return work_; } // multiplications, about

private:
  using Vector = std::vector<double>;
  static constexpr std::uint32_t kNone = ~0u;

  // The program with its rows as lists of columns; shared by copies.
  struct Matrix;

  // A basic variable that leaves the basis for one of its bounds.
  struct Leaving {
    std::uint32_t variable = kNone;
    double violation = 0; // how far it is beyond that bound
    bool to_upper = false;
  };

  std::uint32_t columns() const;
  std::uint32_t blocks() const;
  std::uint32_t rows() const;
  bool is_column(std::uint32_t variable) const { return variable < columns(); }
  std::size_t size() const { return basic_.size(); }
  double *inverse_row(std::size_t slot) { return inverse_.data() + slot * stride_; }
  const double *inverse_row(std::size_t slot) const { return inverse_.data() + slot * stride_; }

  void invert(const std::vector<std::uint32_t> &basis);
  void invert_again();
  void compute_edges();
  void compute_duals();
  void compute_primal();
  Vector inverse_times(const Vector &in_block, const Vector &in_row) const;
  void add_row_of_surplus(std::uint32_t row, Vector &to) const;
  void add_to_surpluses(const Vector &change, Vector &surpluses) const;

  Leaving choose_leaving() const;
  void compute_row(const Leaving &leaving);
  double entry_towards(std::uint32_t variable, bool to_upper) const;
  std::uint32_t choose_entering(Leaving &leaving);
  void follow_ray(const Leaving &leaving, double enough);
  void flip(const std::vector<std::uint32_t> &variables);
  void compute_column(std::uint32_t entering);
  void update_duals(const Leaving &leaving, std::uint32_t entering, double step);
  void update_edges(const Leaving &leaving, std::uint32_t entering, double entry);
  void update_primal(const Leaving &leaving, std::uint32_t entering, double entry);
  void update_inverse(const Leaving &leaving, std::uint32_t entering, double entry);
  void make_room();
  void remove_place(std::uint32_t row);

  double &value_of(std::uint32_t variable);
  double entry_of(std::uint32_t variable) const; // in the entering column

  std::shared_ptr<const Matrix> matrix_;
  Vector cost_;                        // perturbed
  Vector upper_;                       // bounds of all variables
  std::vector<std::uint8_t> at_upper_; // of variables outside the basis
  std::vector<std::uint8_t> stuck_;    // forbidden columns that cannot leave the basis

  std::vector<std::uint32_t> basic_;    // the columns of the basis
  std::vector<std::uint32_t> slot_;     // of a column in the basis, or kNone
  std::vector<std::uint32_t> in_place_; // row at a place of the inverse, behind those of the blocks
  std::vector<std::uint32_t> place_;    // of a row in the inverse if it is tight, or kNone
  std::size_t stride_ = 0;
  Vector inverse_; // row by row: [slot of a column][block, then place of a tight row]

  Vector value_;                        // of the basic columns, by slot,
  Vector surplus_;                      // and of the surpluses, by row
  Vector block_dual_, price_, reduced_; // dual values of blocks and rows; reduced costs of columns
  Vector edge_; // squared norms of the rows of the whole inverse, by variable

  // Of the present pivot:
  Vector row_;       // the row of the inverse of the leaving variable, by place
  Vector row_entry_; // the row of the tableau, by variable outside the basis
  std::vector<std::uint32_t> flips_;
  Vector column_, surplus_column_; // the column of the tableau, by slot and by row
  unsigned since_inversion_ = 0;
  double pivots_ = 0, work_ = 0;
};

} // namespace optbn
