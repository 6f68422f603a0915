// CellRows: the rows of a data set by their configuration of some discrete columns.
//
// A cell is the set of rows of one configuration that occurs. Continuous columns are given cell
// after cell, centred within each and multiplied by the root of each row's weight: the dot product
// of two of them over a cell is their cross product there, the same to the last bit for every
// caller.
#pragma once

#include "core/data/dataset.h"

#include <Eigen/Core>

#include <limits>
#include <vector>

namespace optbn {

class CellRows {
public:
  CellRows() = default; // no cells
  // Without the rows that miss a value of the discrete columns, or of these continuous ones.
  CellRows(const Dataset &data, const std::vector<Node> &discrete,
           const std::vector<Node> &continuous = {});

  std::size_t size() const { return total_.size(); }
  double total(std::size_t cell) const { return total_[cell]; } // its weight
  const std::vector<double> &totals() const { return total_; }
  double least_total() const { return least_total_; } // infinite where there are no cells
  Eigen::Index count(std::size_t cell) const { return first_[cell + 1] - first_[cell]; } // of rows
  // The rows of a cell, from begin to end.
  const std::uint32_t *begin(std::size_t cell) const { return row_.data() + first_[cell]; }
  const std::uint32_t *end(std::size_t cell) const { return row_.data() + first_[cell + 1]; }
  double bytes() const { return static_cast<double>(row_.size()) * sizeof(row_[0]); }

  // A continuous column, cell after cell.
  Eigen::VectorXd centred(const Dataset &data, Node column) const;

  // The part of such a column in one cell, and the cross product of two columns there.
  Eigen::Ref<const Eigen::VectorXd> in_cell(const Eigen::VectorXd &centred,
                                            std::size_t cell) const {
    return centred.segment(first_[cell], first_[cell + 1] - first_[cell]);
  }
  double product(const Eigen::VectorXd &a, const Eigen::VectorXd &b, std::size_t cell) const;

private:
  std::vector<std::uint32_t> row_;  // cell after cell
  std::vector<Eigen::Index> first_; // of every cell, then the end
  std::vector<double> weight_;      // of rows in this order; empty when every row counts once
  std::vector<double> total_;
  double least_total_ = std::numeric_limits<double>::infinity();
};

} // namespace optbn
