// CellFactors: regressions within the cells of some discrete columns, by decomposing the rows.
//
// Columns that are nearly collinear want more digits than their cross products hold
// (residual_products.h). Of a few dozen continuous columns all are decomposed together, when a set
// of discrete columns first needs it: O(N n^2) for N rows and n columns, and O(n k) to O(n k^2) for
// each family of k columns from then on. Of more columns a family's own are: O(N k^2). Which of the
// two depends on nothing but the data, so a family's score is the same to the last bit whichever
// caller asks for it. Thread-safe.
#pragma once

#include "core/base/host.h"
#include "core/score/gaussian/cell_rows.h"
#include "core/score/gaussian/column_factor.h"

#include <map>
#include <memory>
#include <mutex>

namespace optbn {

class CellFactors {
public:
  // Rows that share a configuration: how many, and the geometry of their centred columns.
  struct Cell {
    double total;
    ColumnFactor factor;
  };
  using Cells = std::vector<Cell>;

  // Of these continuous columns, which go by their place in the list. The data must outlive it.
  CellFactors(const Dataset &data, std::vector<Node> columns);

  // Are all columns decomposed together?
  bool joint() const { return columns_.size() <= kMostJoint; }

  // Of all columns. Null when the watch stops.
  std::shared_ptr<const Cells> of_all(const std::vector<Node> &discrete, Watch &watch);
  // Of these alone, by their place among them. Nothing when the watch stops.
  Cells of(const std::vector<Node> &discrete, const std::vector<Eigen::Index> &columns,
           Watch &watch) const;

private:
  static constexpr std::size_t kMostJoint = 128;

  struct Known {
    std::mutex mutex; // held while the cells are decomposed
    Cells cells;
  };

  std::shared_ptr<Known> entry(const std::vector<Node> &discrete);
  void count(const Cells &cells); // what has been decomposed, to limit it

  const Dataset &data_;
  const std::vector<Node> columns_;
  std::mutex mutex_; // of the following
  std::map<std::vector<Node>, std::shared_ptr<Known>> known_;
  double bytes_ = 0;
};

// The log-likelihood of a child given some columns, summed over the cells; -infinity where a cell
// has none. `bases` is scratch space of the same cells.
double log_likelihood(const CellFactors::Cells &cells, const std::vector<Eigen::Index> &given,
                      Eigen::Index child, std::vector<ColumnFactor::Basis> &bases);

} // namespace optbn
