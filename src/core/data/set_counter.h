// SetCounter: the cell counts of many column sets, wherever the rows are.
//
// Scores and mutual informations are made of CellCounts (counting.h) and ask for those of all sets
// of a level at once. Rows in memory are counted set by set, on several threads (RowCounter, in the
// source file); rows that are kept elsewhere come grouped, and their groups are counted
// (source_counter.h).
#pragma once

#include "core/base/host.h"
#include "core/data/extension_counter.h"

#include <functional>
#include <memory>
#include <vector>

namespace optbn {

class SetCounter {
public:
  // Takes the cells of the i-th set. Called once for every i, in any order and by any worker.
  using Take = std::function<void(std::size_t i, const CellCounts &cells)>;

  virtual ~SetCounter() = default;

  // Counts sets of `size` ascending discrete columns; fastest when neighbours share their first
  // columns. The work is worth `units` of the watch's total. When the watch stops, some sets are
  // not taken.
  virtual void count(const std::vector<const Node *> &sets, unsigned size, double units,
                     Watch &watch, const Take &take) = 0;

  // The rows, where they are in memory.
  virtual const CountedRows *rows() const { return nullptr; }
};

// The sets of data in memory whose rows are distinct.
void count_rows(const Dataset &rows, const BitColumns &bits, const std::vector<const Node *> &sets,
                unsigned size, double units, Watch &watch, const SetCounter::Take &take);

// Of the discrete columns of data in memory or with a source.
std::unique_ptr<SetCounter> make_set_counter(const Dataset &data);

} // namespace optbn
