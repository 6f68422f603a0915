// Dataset: a data frame as the core sees it, columns of level codes or of real numbers.
//
// Rows may stand for several identical ones (`weights`, whole counts). Nothing is missing: whoever
// builds a Dataset has refused NA, infinite values and empty columns before. Immutable once built,
// and so safe to share between threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optbn {

using Node = std::uint16_t; // a column, a variable, a node of the network: one thing, one number

struct Column {
  unsigned levels = 0;              // declared levels of a discrete column; 0 for a continuous one
  bool ordered = false;             // discrete: do the levels have an order?
  std::vector<std::uint16_t> codes; // discrete: level of each row, from 0
  std::vector<double> values;       // continuous: value of each row

  bool discrete() const { return levels > 0; }
};

struct Dataset {
  std::size_t rows = 0;
  std::vector<Column> columns;
  std::vector<std::uint32_t> weights; // empty when every row counts once
  std::uint64_t total = 0;            // sum of the weights: N in every score

  bool weighted() const { return !weights.empty(); }
  std::uint32_t weight(std::size_t row) const { return weighted() ? weights[row] : 1; }
  Node size() const { return static_cast<Node>(columns.size()); }
};

} // namespace optbn
