// Contingency counting: how often each joint configuration of some columns occurs.
//
// The score of a table does not depend on *which* configuration occurs how often, only on the
// multiset of counts: the CellCounts of a column set, the counts of its occupied cells. Empty cells
// cost nothing, so a set of many columns costs no more than the rows.
//
// CellCounter visits column sets in lexicographic order and keeps, for every prefix of the current
// set, the rows grouped by the prefix's cells; the next set that shares the prefix only splits
// those groups by its own last column. A prefix is stored in one of three forms:
//   bits   one bit map of the rows per occupied cell, split by AND and counted by population count:
//          best while cells are few (columns with few levels);
//   keys   every row's cell, a number with its levels as digits: best while the possible cells are
//          no more than the rows (the dense form);
//   rows   row numbers grouped by cell, without cells of one row, of which only the counts are kept
//          (they can never split again): best when cells are many (the sparse form).
// A row in which a value of the set is missing is in no cell; then single rows are kept, as they may
// leave their cell with another column.
// Identical rows are one row with a weight (distinct_rows) and have adjacent bits in a bit map. The
// form depends on the prefix alone, so counts come in the same order whatever was counted before. A
// counter belongs to one thread; BitColumns is shared read-only.
#pragma once

#include "core/data/dataset.h"

#include <cstdint>
#include <vector>

namespace optbn {

// Counts of the occupied cells of a column set.
struct CellCounts {
  std::vector<std::uint32_t> counts; // occupied cells but those in `singletons`
  std::uint32_t singletons = 0;      // cells that hold exactly one row

  std::size_t occupied() const { return counts.size() + singletons; }
};

// The discrete columns alone, identical rows merged into one with the sum of their weights.
// Continuous columns are left empty.
Dataset distinct_rows(const Dataset &data);

// One bit map per level of every column with few levels. A row of weight w has w adjacent bits.
class BitColumns {
public:
  static constexpr unsigned kMaxLevels = 16;

  // Where weights are large nothing is packed: then counting rows is cheaper than counting bits.
  explicit BitColumns(const Dataset &data);

  bool packed(Node column) const { return !maps_[column].empty(); }
  const std::uint64_t *map(Node column, unsigned level) const {
    return maps_[column].data() + level * words_;
  }
  std::size_t words() const { return words_; }                         // 0 when nothing is packed
  const std::vector<std::uint32_t> &row_of() const { return row_of_; } // of every bit
  const std::vector<std::uint64_t> &first_bits() const { return first_bits_; } // one a row

private:
  std::size_t words_ = 0;
  std::vector<std::vector<std::uint64_t>> maps_;
  std::vector<std::uint32_t> row_of_;
  std::vector<std::uint64_t> first_bits_;
};

class CellCounter {
public:
  CellCounter(const Dataset &data, const BitColumns &bits);

  // The cells of `size` ascending discrete columns. Valid until the next call.
  const CellCounts &count(const Node *columns, unsigned size);

private:
  // The rows grouped by the cells of a prefix of the current set.
  struct Prefix {
    Node last = 0;                             // its last column
    double cells = 1;                          // joint levels of its columns
    bool as_bits = false;                      // bits and sizes are filled, not rows and ends
    std::vector<std::uint32_t> keys;           // each row's cell, `cells` if it is in none; empty
                                               // until needed (keys_of)
    std::vector<std::uint64_t> bits;           // words() words per occupied cell
    std::vector<std::uint32_t> sizes;          // rows per cell of `bits`
    std::vector<std::uint32_t> rows;           // row numbers, cell after cell
    std::vector<std::uint32_t> ends;           // end of each cell in `rows`
    std::vector<std::uint32_t> removed_counts; // of cells that are not in `rows`, but those of 1
    std::uint32_t singletons = 0;              // cells of count 1 that are not in `rows`
  };

  bool is_dense(double cells) const;
  const std::vector<std::uint32_t> &keys_of(unsigned depth);
  void start(Prefix &prefix) const;
  void split(unsigned depth, Node column);
  void split_bits(const Prefix &parent, Node column, Prefix &child) const;
  void split_rows(const Prefix &parent, Node column, Prefix &child);
  void list_rows(unsigned depth);
  void list_bits(const Prefix &parent, Prefix &listed) const;
  void list_keys(const std::vector<std::uint32_t> &keys, std::size_t cells, Prefix &listed);
  void count_bits(const Prefix &parent, Node column);
  void count_keys(unsigned depth, Node column);
  void count_rows(const Prefix &parent, Node column);
  void remove_single(std::uint32_t row, Prefix &prefix) const;

  const Dataset &data_;
  const BitColumns &bits_;
  const bool holes_;             // are there missing values?
  const std::uint32_t fewest_;   // cells of fewer rows are not kept
  std::vector<Prefix> prefixes_; // prefixes_[d]: the first d columns of the current set
  unsigned depth_ = 0;           // how many of them are valid
  Prefix scratch_;               // the sparse form of a prefix that has another
  std::vector<std::uint32_t> tally_, position_; // per level
  std::vector<std::uint32_t> key_counts_;       // per possible cell; all 0 between counts
  std::vector<std::uint32_t> inside_, rest_;    // per cell
  CellCounts cells_;
};

} // namespace optbn
