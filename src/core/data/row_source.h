// RowSource: rows that are kept elsewhere, as in a database, and are only seen in groups.
//
// A Dataset with a source has columns with levels but no rows. Code that counts asks the source for
// the rows grouped by *blocks*: some discrete columns whose cells are few enough to be held. All
// sets within a block can then be counted in memory.
#pragma once

#include "core/data/dataset.h"

#include <vector>

namespace optbn {

using Block = std::vector<Node>; // discrete columns, ascending

// The rows of one cell as their continuous columns see them, in the order of the columns.
struct Moments {
  double rows = 0;
  std::vector<double> mean;
  std::vector<double> products; // sums of products about the mean, a square matrix
};

class RowSource {
public:
  virtual ~RowSource() = default;

  // The rows grouped by each block: data of the block's columns alone (others are left without
  // levels), with a row per occupied cell that weighs as many as the cell holds.
  virtual std::vector<Dataset> cells(const std::vector<Block> &blocks) = 0;

  // The moments of the continuous columns in every occupied cell of a block; of an empty one, in
  // all rows.
  virtual std::vector<Moments> moments(const Block &block) = 0;
};

} // namespace optbn
