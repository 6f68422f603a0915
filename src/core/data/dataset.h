// Dataset: a data frame as the core sees it, columns of level codes or of real numbers.
//
// A row may stand for several identical ones (`weights`, whole counts). Code that builds a Dataset
// has refused infinite values and empty columns before. A value may be missing only in a column
// that says so (`holes`), and such columns are only for scores of the rows where nothing is missing
// (node averages). Immutable, and so safe to share between threads. Rows that do not fit into
// memory stay with a source (row_source.h): then `rows` is 0 and the columns have levels only.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace optbn {

using Node = std::uint16_t; // a column, a variable, a node of the network: one thing, one number
constexpr Node kNoNode = static_cast<Node>(-1);

struct Column {
  unsigned levels = 0;              // declared levels of a discrete column; 0 for a continuous one
  bool ordered = false;             // discrete: do the levels have an order?
  bool holes = false;               // may values be missing?
  std::vector<std::uint16_t> codes; // discrete: level of each row, from 0; `levels` where missing
  std::vector<double> values;       // continuous: value of each row; NaN where missing

  bool discrete() const { return levels > 0; }
  bool missing(std::size_t row) const {
    return holes && (discrete() ? codes[row] == levels : std::isnan(values[row]));
  }
};

class RowSource;

struct Dataset {
  std::size_t rows = 0;
  std::vector<Column> columns;
  std::vector<std::uint32_t> weights; // empty when every row counts once
  std::uint64_t total = 0;            // sum of the weights: N in every score
  std::shared_ptr<RowSource> source;  // of rows that are not in memory

  bool weighted() const { return !weights.empty(); }
  std::uint32_t weight(std::size_t row) const { return weighted() ? weights[row] : 1; }
  Node size() const { return static_cast<Node>(columns.size()); }
  bool holes() const {
    return std::any_of(columns.begin(), columns.end(),
                       [](const Column &column) { return column.holes; });
  }
};

// Declared levels by column; 0 for a continuous one.
inline std::vector<unsigned> levels_of(const Dataset &data) {
  std::vector<unsigned> levels;
  for (const Column &column : data.columns)
    levels.push_back(column.levels);
  return levels;
}

} // namespace optbn
