// RowSource: rows that stay outside memory, as in a database, and are only read in groups.
//
// A Dataset with a source has columns with levels but no rows. Code that counts queries the source
// for the rows grouped by *blocks*: some discrete columns with few enough cells for memory. All
// sets within a block can then be counted in memory.
#pragma once

#include "core/data/dataset.h"

#include <vector>

namespace optbn {

using Block = std::vector<Node>; // discrete columns, ascending

// Sums over the continuous columns in the rows of one cell, in the order of the columns.
struct Moments {
  double rows = 0;
  std::vector<double> mean;
  std::vector<double> products; // sums of products about the mean, a square matrix
};

class RowSource {
public:
  virtual ~RowSource() = default;

  // The rows grouped by each block: data of the block's columns alone (others have no levels), one
  // row per occupied cell, its weight the number of rows in the cell.
  virtual std::vector<Dataset> cells(const std::vector<Block> &blocks) = 0;

  // The moments of the continuous columns in every occupied cell of a block; for an empty block, in
  // all rows.
  virtual std::vector<Moments> moments(const Block &block) = 0;
};

} // namespace optbn
