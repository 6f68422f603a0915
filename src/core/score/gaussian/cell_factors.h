// CellFactors: regressions within the cells of some discrete columns, by QR decompositions.
//
// Columns that are nearly collinear need more digits than their cross products have
// (residual_products.h). Up to 128 continuous columns are decomposed together, when a set of
// discrete columns first needs it: O(N n^2) for N rows and n columns, and O(n k) to O(n k^2) for
// each family of k columns from then on. If there are more, only the columns of a family are:
// O(N k^2). Which of the two depends only on the data, so a family's score is the same to the last
// bit for every caller. Thread-safe.
#pragma once

#include "core/base/host.h"
#include "core/score/cell_rows.h"
#include "core/score/gaussian/column_factor.h"

#include <map>
#include <memory>
#include <mutex>

namespace optbn {

class CellFactors {
public:
  // The rows of one configuration: their weight, and the factor of their centred columns.
  struct Cell {
    double total;
    ColumnFactor factor;
  };
  using Cells = std::vector<Cell>;

  // The cells of these rows, with factors of these columns. Empty when the watch stops.
  static Cells factorise(const Dataset &data, const CellRows &rows,
                         const std::vector<Node> &columns, Watch &watch);

  // For these continuous columns, identified by their position in the list. The data must outlive
  // it.
  CellFactors(const Dataset &data, std::vector<Node> columns);

  // Are all columns decomposed together?
  bool joint() const { return columns_.size() <= kMostJoint; }

  // The cells with factors of all columns. Null when the watch stops.
  std::shared_ptr<const Cells> of_all(const std::vector<Node> &discrete, Watch &watch);
  // The cells with factors of these columns only, in this order. Empty when the watch stops.
  Cells of(const std::vector<Node> &discrete, const std::vector<Eigen::Index> &columns,
           Watch &watch) const;

private:
  static constexpr std::size_t kMostJoint = 128;

  struct CacheEntry {
    std::mutex mutex; // held while the cells are decomposed
    Cells cells;
  };

  std::shared_ptr<CacheEntry> entry(const std::vector<Node> &discrete);
  void limit_memory(const Cells &cells); // clears the cache if it has grown too large

  const Dataset &data_;
  const std::vector<Node> columns_;
  std::mutex mutex_; // of the following
  std::map<std::vector<Node>, std::shared_ptr<CacheEntry>> cache_;
  double bytes_ = 0;
};

// The log-likelihood of a child given some columns, summed over the cells; -infinity where a cell
// has none. `bases` is scratch space of the same cells.
double log_likelihood(const CellFactors::Cells &cells, const std::vector<Eigen::Index> &given,
                      Eigen::Index child, std::vector<ColumnFactor::Basis> &bases);

} // namespace optbn
