// Contingency counting: how often each joint configuration of some columns occurs.
//
// A score of a table never asks *which* configuration occurs how often, only how often
// configurations occur: the Spectrum of a column set, the counts of its occupied cells. Zero cells
// cost nothing, so a set of many columns costs no more than the rows.
//
// CellCounter walks column sets in lexicographic order and keeps, for every prefix of the present
// set, the rows grouped by the prefix's cells; the next set that shares the prefix only splits
// those groups by its own last column. A prefix is kept in one of two forms:
//   bits   one bit map of the rows per occupied cell, split by AND and counted by population count:
//          best while cells are few (columns with few levels);
//   rows   row numbers grouped by cell, cells of one row dropped and only counted (they can never
//          split again): best when cells are many; this is the sparse form, of any arity.
// The form is a property of the prefix alone, so counts come in the same order whatever was counted
// before. A counter belongs to one thread; BitColumns is shared read-only.
#pragma once

#include "core/data/dataset.h"

#include <cstdint>
#include <vector>

namespace optbn {

// Counts of the occupied cells of a column set.
struct Spectrum {
  std::vector<std::uint32_t> counts; // occupied cells, save those in `singles`
  std::uint32_t singles = 0;         // cells that hold exactly one row

  std::size_t occupied() const { return counts.size() + singles; }
};

// One bit map per level of every column with few levels; bit i of a map is row i.
class BitColumns {
public:
  static constexpr unsigned kMaxLevels = 16;

  // Of a weighted data set nothing is packed: bits cannot carry weights.
  explicit BitColumns(const Dataset &data);

  bool packed(Node column) const { return !maps_[column].empty(); }
  const std::uint64_t *map(Node column, unsigned level) const {
    return maps_[column].data() + level * words_;
  }
  std::size_t words() const { return words_; }

private:
  std::size_t words_;
  std::vector<std::vector<std::uint64_t>> maps_;
};

class CellCounter {
public:
  CellCounter(const Dataset &data, const BitColumns &bits);

  // The spectrum of `size` ascending discrete columns. Valid until the next call.
  const Spectrum &count(const Node *columns, unsigned size);

private:
  // The rows grouped by the cells of a prefix of the present set.
  struct Prefix {
    Node last = 0;                    // its last column
    bool as_bits = false;             // which of the two forms below is filled
    std::vector<std::uint64_t> bits;  // words() words per occupied cell
    std::vector<std::uint32_t> sizes; // rows per cell of `bits`
    std::vector<std::uint32_t> rows;  // row numbers, cell after cell
    std::vector<std::uint32_t> ends;  // end of each cell in `rows`
    std::uint32_t singles = 0;        // cells dropped from `rows`
  };

  void begin(Prefix &prefix) const;
  void split(const Prefix &parent, Node column, Prefix &child);
  void split_bits(const Prefix &parent, Node column, Prefix &child) const;
  void split_rows(const Prefix &parent, Node column, Prefix &child);
  void list_rows(const Prefix &parent, Prefix &listed) const;
  void count_bits(const Prefix &parent, Node column);
  void count_rows(const Prefix &parent, Node column);
  bool keeps_alone(std::uint32_t row) const { return data_.weighted() && data_.weights[row] > 1; }

  const Dataset &data_;
  const BitColumns &bits_;
  std::vector<Prefix> prefixes_;             // prefixes_[d]: the first d columns of the present set
  unsigned depth_ = 0;                       // how many of them are valid
  Prefix scratch_;                           // the row form of a prefix kept as bits
  std::vector<std::uint32_t> tally_, place_; // per level
  std::vector<std::uint32_t> inside_, rest_; // per cell
  Spectrum spectrum_;
};

// The joint counts of some columns as a full table in mixed radix, first column fastest. Its size
// is the product of the levels: for tables that a model stores, not for scoring.
std::vector<std::uint64_t> count_table(const Dataset &data, const std::vector<Node> &columns);

} // namespace optbn
