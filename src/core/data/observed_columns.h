// ObservedColumns: discrete columns, and columns that say in which rows these are known.
//
// A score of the rows in which a family is known divides by the counts of the parents' cells among
// the rows in which the child is known, too. So each column with holes has another of one level,
// which is missing where its value is: its set with the parents has those cells. Columns without
// holes share one that is known in every row. They come after the columns of the data.
#pragma once

#include "core/data/dataset.h"

#include <vector>

namespace optbn {

class ObservedColumns {
public:
  explicit ObservedColumns(const Dataset &data);

  const Dataset &data() const { return data_; } // without values of continuous columns
  // The column that is known where column v is.
  Node of(Node v) const { return observed_[v]; }

private:
  Dataset data_;
  std::vector<Node> observed_; // by column
};

} // namespace optbn
