// SetCounter: the cell counts of many column sets, wherever the rows are.
//
// Scores and mutual informations are computed from CellCounts (counting.h), of all sets of a level
// at once. Rows in memory are counted set by set, on several threads (RowCounter, in the source
// file); rows of a source come in groups, and the groups are counted (source_counter.h).
#pragma once

#include "core/base/host.h"
#include "core/data/counting.h"
#include "core/data/extension_counter.h"

#include <functional>
#include <memory>
#include <vector>

namespace optbn {

class SetCounter {
public:
  // Gets the cells of the i-th set. Called once for every i, in any order and by any worker.
  using Visit = std::function<void(std::size_t i, const CellCounts &cells)>;

  virtual ~SetCounter() = default;

  // Counts sets of `size` ascending discrete columns. The work is worth `units` of the watch's
  // total. When the watch stops, some sets are not visited.
  virtual void count(const std::vector<const Node *> &sets, unsigned size, double units,
                     Watch &watch, const Visit &visit) = 0;

  // The rows, where they are in memory and nothing is missing.
  virtual const CountedRows *rows() const { return nullptr; }
};

// Counts sets in data in memory.
void count_rows(const DistinctRows &rows, const std::vector<const Node *> &sets, unsigned size,
                double units, Watch &watch, const SetCounter::Visit &visit);

// Counts sets of discrete columns of data in memory or with a source. Rows in which a value of the
// set is missing are in none of its cells.
std::unique_ptr<SetCounter> make_set_counter(const Dataset &data);

} // namespace optbn
