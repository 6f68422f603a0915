// Contingency counting: how often each joint configuration of some columns occurs.
//
// The score of a table does not depend on *which* configuration occurs how often, only on the
// multiset of counts: the CellCounts of a column set, the counts of its occupied cells. Empty cells
// cost nothing, so a set of many columns costs no more than the rows.
//
// CellCounter takes the columns of a set from the highest rank to the lowest (distinct_rows.h), and
// keeps every prefix of the current set with its cells; the next set that shares the prefix only
// splits these by its own last column. A prefix is stored in one of two forms, or in both:
//   bits   one bit map of the rows per occupied cell, split by AND and counted by population count:
//          best while cells are few (columns with few levels);
//   list   the rows with their cells. Later columns are of lower rank, so rows of a cell that have
//          the same configuration of these columns are merged: a long prefix has far fewer entries
//          than there are rows. Cells of one entry are left out, of which only the counts are kept
//          (they can never split again).
// A row in which a value of the set is missing is in no cell; then single rows are kept, as they may
// leave their cell with another column.
// The form depends on the prefix alone, so counts come in the same order whatever was counted before.
// A counter belongs to one thread; the rows are shared read-only.
#pragma once

#include "core/data/distinct_rows.h"

#include <cstdint>
#include <vector>

namespace optbn {

// Counts of the occupied cells of a column set.
struct CellCounts {
  std::vector<std::uint32_t> counts; // occupied cells but those in `singletons`
  std::uint32_t singletons = 0;      // cells that hold exactly one row

  std::size_t occupied() const { return counts.size() + singletons; }
};

// A number for every pair of a cell and a level, 0 at first: in a table of all pairs, or hashed where
// that would be far larger than the number of pairs that occur.
class PairNumbers {
public:
  void clear(std::size_t cells, std::size_t levels, std::size_t most_pairs);

  // Calls body(at), where at(cell, level) is the number of that pair.
  template <class Body> void with(Body body) {
    if (pair_.empty())
      body([this](std::uint32_t cell, std::uint32_t level) -> std::uint32_t & {
        return number_[cell * levels_ + level];
      });
    else
      body([this](std::uint32_t cell, std::uint32_t level) -> std::uint32_t & {
        return number_[slot(cell * levels_ + level)];
      });
  }

  const std::vector<std::uint32_t> &numbers() const { return number_; } // 0 where no pair is

private:
  std::size_t slot(std::uint64_t pair);

  std::size_t levels_ = 0;
  std::vector<std::uint32_t> number_;
  std::vector<std::uint64_t> pair_; // of each number, when they are hashed
};

class CellCounter {
public:
  explicit CellCounter(const DistinctRows &data);

  // The cells of `size` discrete columns; fastest when consecutive sets share those of the highest
  // ranks. Valid until the next call.
  const CellCounts &count(const Node *columns, unsigned size);

private:
  // A row that stands for all those of a cell that have the same values in later columns.
  struct Entry {
    std::uint32_t row, cell, weight;
    std::uint32_t shared; // with the entry before it: as RowOrder::shared()
  };
  struct List {
    bool made = false;
    std::vector<Entry> entries; // in the order of rows
    std::uint32_t cells = 1;
    CellCounts removed; // cells that have no entries
  };
  // The first columns of the current set, from the highest rank on.
  struct Prefix {
    Node last = 0;                    // its last column
    double cells = 1;                 // at most so many occupied cells
    double most_entries = 0;          // of its list
    double entries_per_set = 0;       // that are visited to count a set by it, at most
    bool as_bits = false;             // are bits and sizes filled?
    std::vector<std::uint64_t> bits;  // words() words per occupied cell
    std::vector<std::uint32_t> sizes; // rows per cell of `bits`
    List list;                        // made when first needed
  };

  void start(Prefix &prefix) const;
  void split(unsigned depth, Node column);
  void split_bits(const Prefix &parent, Node column, Prefix &child) const;
  const List &list_of(unsigned depth);
  void split_list(const List &parent, Node column, List &child);
  void remove_single_entries(List &list);
  bool by_bits(const Prefix &parent, Node column) const;
  void count_bits(const Prefix &parent, Node column);
  void count_list(const List &parent, Node column);

  const Dataset &rows_;
  const BitColumns &bits_;
  const RowOrder &order_;
  const bool holes_;             // are there missing values?
  std::vector<Prefix> prefixes_; // prefixes_[d]: the first d columns of the current set
  unsigned depth_ = 0;           // how many of them are valid
  std::vector<Node> columns_;    // of the current set, from the highest rank on
  PairNumbers pairs_;
  std::vector<std::uint32_t> inside_, rest_; // per cell
  CellCounts cells_;
};

} // namespace optbn
